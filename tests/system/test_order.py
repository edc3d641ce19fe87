"""R7915-4: packets of a flow keep their order, those of different flows needn't; who overtook whom is RFC 4737 §3.4."""

from __future__ import annotations

import pytest

from tests.system.faults import DURATION_S, EVERY, HIT, RATE_FPS, SENT
from tests.system.gateway import gateway
from tests.system.trials import clean, counters

PORTS = {
    "one flow": ("fixed", 5000, 5000),
    "three flows in turn": ("increasing", 5000, 5002),
    "four flows in turn": ("increasing", 5000, 5003),
}


@pytest.mark.parametrize(
    ("ports", "by", "in_flow"),
    [("one flow", 3, True), ("three flows in turn", 3, True), ("four flows in turn", 3, False)],
)
def test_within_a_flow(ports: str, by: int, in_flow: bool) -> None:
    """A frame leaves behind the third after it: of one flow, or of three, that is one of its own."""
    order, first, last = PORTS[ports]
    traffic = "\n".join(
        f'traffic.forward.{end} = {{ order = "{how}", first = {low}, last = {high} }}'
        for end, (how, low, high) in (("source_ports", (order, first, last)), ("destination_ports", ("fixed", 7, 7)))
    )
    with gateway("siit, IPv6 left", traffic) as device:
        device.impair(forward={"reorder": {"by": by, "every": EVERY}})
        seen = device.trial(frame_size=84, rate_fps=RATE_FPS, duration_s=DURATION_S, directions=["forward"]).answer
    remarks = {"overtaken": HIT, **({"reordered": HIT} if in_flow else {})}
    assert counters(seen["forward"]["foreground"]) == clean(SENT, **remarks)
