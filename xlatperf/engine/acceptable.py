"""Header fields by which no router forwards: a frame that is wrong in these alone can count as expected."""

from __future__ import annotations

from collections.abc import Mapping

from xlatperf.engine.counters import REASONS, REMARKS

ACCEPTED = "accepted"
"""The remark on a frame that differs in any of them; each field has a remark of its own beside it."""
_PREFIX = f"{ACCEPTED}_"
REMARK_OF: Mapping[str, str] = {name: f"{_PREFIX}{name}" for name in REASONS if f"{_PREFIX}{name}" in REMARKS}
"""By the reason why such a frame is wrong where it isn't accepted."""
ACCEPTABLE = tuple(REMARK_OF)


def reason_of(remark: str) -> str | None:
    """The field of such a remark; None: it's another one."""
    reason = remark.removeprefix(_PREFIX)
    return reason if REMARK_OF.get(reason) == remark else None
