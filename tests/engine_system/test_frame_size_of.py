"""Frame sizes of those that are sent: each leaves with that size, on either side (RFC 2544 §9)."""

from __future__ import annotations

import functools
from collections.abc import Callable

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.engine_system.engine_process import Message, engine
from tests.engine_system.messages import configuration, open_loopback, trial
from tests.engine_system.test_map import MAPPERF, of_map
from tests.engine_system.test_trials import check_all_expected
from tests.long import by_length

TECHNOLOGIES: dict[str, tuple[Callable[[], Message], int]] = {
    "siit": (configuration, 20),
    "map-e": (functools.partial(of_map, "map-e", "br", MAPPERF, ces=20), 40),
    "map-e ce": (functools.partial(of_map, "map-e", "ce", MAPPERF, ces=20), 40),
    "map-t": (functools.partial(of_map, "map-t", "br", MAPPERF, ces=20), 20),
}
"""And by how much a frame is longer on the IPv6 side."""


def bytes_of(frame: Message) -> int:
    return len(frame["hex"]) // 2 + 4


@settings(max_examples=by_length(30, 500), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    technology=st.sampled_from(sorted(TECHNOLOGIES)),
    size=st.integers(108, 1500),
    tagged=st.booleans(),
    take=st.integers(0, 2),
)
def test_each_leaves_in_that_size(technology: str, size: int, tagged: bool, take: int) -> None:
    """Foreground and background; the tag counts where the link has one."""
    make, growth = TECHNOLOGIES[technology]
    message = make()
    message["traffic"]["foreground"] = {"take": take, "of": 2}
    if tagged:
        message["left"]["vlan"] = {"id": 100}
    with engine() as one:
        one.do("configure", **message)
        frames = one.do("show", frame_size=size, frame_size_of="sender", count=4)["frames"]
    for frame in frames:
        forward = frame["direction"] == "forward"
        assert bytes_of(frame["sent"]) == size
        to_ipv6 = forward == (technology == "map-e ce")
        change = 0 if frame["class"] == "background" else growth if to_ipv6 else -growth
        tag = 0 if not tagged else -4 if forward else 4
        assert bytes_of(frame["expected"]) == size + change + tag


def test_trials_tell_what_was_sent() -> None:
    with engine() as one:
        open_loopback(one)
        one.do("configure", loopback=True, **configuration())
        answer = one.do("trial", **trial(frame_size=128, frame_size_of="sender"))
        check_all_expected(answer, 10_000, {"foreground": 1})
        sizes = {name: answer[name]["frame_size"] for name in ("forward", "reverse")}
        assert sizes == {"forward": {"sent": 128, "received": 108}, "reverse": {"sent": 128, "received": 148}}
        one.do("trial", **trial(frame_size=64, frame_size_of="sender", directions=["reverse"]))
        refused = str(one.ask("trial", **trial(frame_size=64, frame_size_of="sender"))["error"])
        assert "frame_size: 64 is not allowed: 84 to " in refused
        refused = str(one.ask("trial", **trial(frame_size_of="receiver"))["error"])
        assert refused == 'trial.frame_size_of: "receiver" is not allowed: "ipv4", "ipv6", "sender"'
