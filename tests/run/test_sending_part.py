"""A part of which nobody is simulated isn't tried; what else the engine refuses is the user's to mend."""

from __future__ import annotations

from typing import Any

import pytest

from xlatperf.engine.errors import EngineError
from xlatperf.procedures.trial import MeasurementFailed
from xlatperf.run import sending_part

REFUSED = "technology.softwires.part.psid_length: 8 is not allowed: what a softwire has that is simulated"


def refuses(_: dict[str, Any]) -> None:
    raise EngineError(f"configure.{REFUSED}")


def test_a_part() -> None:
    with pytest.raises(MeasurementFailed) as failure:
        sending_part.configure(refuses, {}, 1)
    assert str(failure.value) == f"they can't be sent alone: {REFUSED}"


def test_all_of_it() -> None:
    with pytest.raises(EngineError):
        sending_part.configure(refuses, {}, None)
    asked: list[dict[str, Any]] = []
    sending_part.configure(asked.append, {"a": 1}, 0)
    assert asked == [{"a": 1}]
