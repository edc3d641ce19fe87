"""Both sides on one port, told apart by their VLANs (IEEE 802.1Q)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.engine_system.engine_process import EngineProcess, Message, engine
from tests.engine_system.messages import configuration, trial
from tests.engine_system.test_trials import check_all_expected

RING: Message = {"left": {"port": "net_ring0"}, "right": {"port": "net_ring0"}}
OPEN: Message = {"hugepages": "never", "memory_mb": 512, "idle": "yield", "link_timeout_s": 0, **RING}
SECONDS = {"duration_s": 0.2, "timeout_s": 0.5, "fence": {"frames": 10, "delays": 4, "least_s": 0.01}}


def tagged(left: int | None, right: int | None) -> Message:
    message = configuration(loopback=True)
    for side, vlan in (("left", left), ("right", right)):
        if vlan is not None:
            message[side]["vlan"] = {"id": vlan}
    return message


@contextmanager
def ring(**keys: Any) -> Iterator[EngineProcess]:
    """A port of rings that gets back what it sends."""
    with engine() as one:
        one.do("open", **{"cores": [0], **OPEN, **keys})
        yield one


@pytest.mark.parametrize(("queues", "workers"), [*itertools.product((1, 2), (1, 2, 3, 4)), (3, 2), (4, 4)])
def test_nothing_is_lost_doubled_or_on_the_wrong_side(queues: int, workers: int) -> None:
    with ring(queues=queues, cores=[w % 2 for w in range(workers)]) as one:
        for number, vlans in enumerate(((100, 4094), (None, 7), (7, None))):
            one.do("configure", **tagged(*vlans))
            answer = one.do("trial", **trial(number=number, frame_size=100, rate_fps=20_003, **SECONDS))
            check_all_expected(answer, 4_000, {"foreground": 1.0})


def test_in_one_direction() -> None:
    with ring() as one:
        one.do("configure", **tagged(1, 2))
        answer = one.do("trial", **trial(frame_size=100, rate_fps=10_000, directions=["reverse"], **SECONDS))
        assert answer["reverse"]["foreground"]["expected"] == 2_000
        assert (answer["left"]["received"], answer["right"]["received"]) == (2_000, 0)


@pytest.mark.parametrize(
    ("vlans", "error"),
    [
        ((None, None), "configure.right.vlan: missing: both sides are on one port"),
        (
            (5, 5),
            "configure.right.vlan.id: 5 is not allowed: another one than the left side's, as both are on one port",
        ),
    ],
)
def test_vlans_that_tell_nobody_apart(vlans: tuple[int | None, int | None], error: str) -> None:
    """What was configured before stays, if anything was."""
    with ring() as one:
        assert one.ask("configure", **tagged(*vlans))["error"] == error
        assert one.ask("trial", **trial(**SECONDS))["error"].startswith("request: there is no configuration yet")
        one.do("configure", **tagged(5, 6))
        assert one.ask("configure", **tagged(*vlans))["error"] == error
        check_all_expected(
            one.do("trial", **trial(frame_size=100, rate_fps=10_000, **SECONDS)), 2_000, {"foreground": 1.0}
        )


@pytest.mark.parametrize("pacing", ["send_on_timestamp", "queue_rate_limit"])
def test_a_nics_pacing_is_for_one_side(pacing: str) -> None:
    with engine() as one:
        assert one.ask("open", cores=[0], nic_pacing=pacing, **OPEN)["error"] == (
            f'open.nic_pacing: "{pacing}" is not allowed: "none" with both sides on one port, whose queues they share'
        )
