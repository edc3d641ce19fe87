"""Several senders and receivers in each direction, on 1 to 4 workers: no frame is lost or doubled, all are verified."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.engine_system.engine_process import EngineProcess, Message, engine
from tests.engine_system.messages import configuration, trial
from tests.engine_system.test_map import MAPPERF
from tests.engine_system.test_map_ce import of_ce
from tests.engine_system.test_trials import check_all_expected

SECONDS = {"duration_s": 0.2, "timeout_s": 0.5, "fence": {"frames": 10, "delays": 4, "least_s": 0.01}}


@contextmanager
def rings(queues: int, workers: int) -> Iterator[EngineProcess]:
    """Two ports of rings; the workers take turns on two CPUs."""
    with engine() as one:
        ports: Message = {"left": {"port": "net_ring0"}, "right": {"port": "net_ring1"}}
        one.do(
            "open", cores=[w % 2 for w in range(workers)], queues=queues, hugepages="never", memory_mb=512,
            idle="yield", link_timeout_s=0, **ports,
        )  # fmt: skip
        yield one


def test_which_core_does_what() -> None:
    """The answer to `open` says it."""
    ports: Message = {"left": {"port": "net_ring0"}, "right": {"port": "net_ring1"}}
    with engine() as one:
        opened = one.do("open", cores=[0, 1, 0, 1], hugepages="never", memory_mb=128, link_timeout_s=0, **ports)
    assert opened["roles"] == [
        {"core": 0, "does": ["left sender"]},
        {"core": 1, "does": ["left receiver"]},
        {"core": 0, "does": ["right sender"]},
        {"core": 1, "does": ["right receiver"]},
    ]


@pytest.mark.parametrize(("queues", "workers"), [*itertools.product((1, 2), (1, 2, 3, 4)), (3, 2), (4, 4), (4, 3)])
def test_nothing_is_lost_or_doubled(queues: int, workers: int) -> None:
    message = configuration(loopback=True)
    with rings(queues, workers) as one:
        for number, share in enumerate((1.0, 0.9, 0.0)):
            message["traffic"]["foreground"] = {"take": round(10 * share), "of": 10}
            one.do("configure", **message)
            answer = one.do("trial", **trial(number=number, rate_fps=100_003, **SECONDS))
            shares = {"foreground": share, "background": 1 - share}
            assert answer["forward"]["intended"] == 20_000
            check_all_expected(answer, 20_000, {name: part for name, part in shares.items() if part})


def test_connections_learnt_by_two_receivers() -> None:
    """R9693-4.7-1: both write the one state table, and both senders read it."""
    message = of_ce("map-t-ce", MAPPERF, 0x17A9, loopback=True)
    with rings(2, 2) as one:
        one.do("configure", **message)
        for phase, direction in (("establish", "forward"), ("each_once", "reverse")):
            asked = trial(frame_size=104, connections={"count": 5000, "phase": phase}, directions=[direction])
            del asked["duration_s"]
            answer = one.do("trial", **asked)
            assert answer["valid"], answer["reasons"]
            assert answer[direction]["foreground"]["expected"] == answer[direction]["sent"] == 5000
            assert answer["connections"]["learnt"] == 5000
        answer = one.do("trial", **trial(frame_size=104, connections={"count": 5000, "phase": "steady"}, **SECONDS))
        check_all_expected(answer, 20_000, {"foreground": 1})


def test_intervals_tags_and_variation_of_both_receivers() -> None:
    """R8219-7.2-3, R8219-7.3.2-1: as if one had received them. Of two intervals none is closed early."""
    with rings(2, 2) as one:
        one.do("configure", **configuration(loopback=True))
        asked = trial(
            interval_s=0.1, tags={"count": 100, "from_s": 0.1}, delay_variation=True, rate_fps=50_000, **SECONDS
        )
        answer = one.do("trial", **asked)
        check_all_expected(answer, 10_000, {"foreground": 1})
        for direction in ("forward", "reverse"):
            found = answer[direction]
            assert [(i["sent"], i["expected"], i["lost"], i["delay"]["count"]) for i in found["intervals"]] == [
                (5000, 5000, 0, 5000)
            ] * 2
            assert found["foreground"]["delay_variation"]["pairs"] == 9_999
            assert (found["foreground"]["tagged"]["sent"], found["foreground"]["tagged"]["received"]) == (100, 100)


def test_a_stopped_trial_counts_what_each_sender_sent() -> None:
    with rings(3, 2) as one:
        one.do("configure", **configuration(loopback=True))
        one.send(json.dumps({"request": "trial", **trial(duration_s=60)}) + "\n")
        time.sleep(0.5)
        one.send('{"request": "stop"}\n')
        answer = one.receive()
        assert {"stopped", "sent_less"} <= {reason["code"] for reason in answer["reasons"]}
        for direction in ("forward", "reverse"):
            found = answer[direction]
            assert 0 < found["sent"] < found["intended"]
            assert found["foreground"]["sent"] == found["sent"]
            lost = sum(last - first + 1 for first, last in found["lost_ranges"])
            assert found["foreground"]["expected"] + lost == found["sent"]


@pytest.mark.parametrize("queues", [1, 2])
def test_a_tester_that_is_far_too_slow_counts_what_it_sent(queues: int) -> None:
    """What is due runs ahead of what has left by more numbers than are remembered."""
    with rings(queues, 1) as one:
        one.do("configure", **configuration(loopback=True))
        answer = one.do("trial", **trial(rate_fps=100e6, duration_s=2, schedule={"burst": 64, "overrun": 0}))
        assert "sent_less" in {reason["code"] for reason in answer["reasons"]}
        for direction in ("forward", "reverse"):
            found = answer[direction]
            assert found["intended"] - found["sent"] > 2**26
            assert found["foreground"]["expected"] == found["sent"]
            assert found["lost_ranges"] == []


def test_ports_with_fewer_queues(tmp_path: Path) -> None:
    with engine() as one:
        ports: Message = {
            side: {"port": f"net_pcap{i},tx_pcap={tmp_path / side}"} for i, side in enumerate(("left", "right"))
        }
        error = one.ask("open", cores=[1], queues=2, hugepages="never", link_timeout_s=0, **ports)["error"]
        assert error.startswith("open.queues: 2 is not allowed: 1, as many as port net_pcap0,tx_pcap=")
