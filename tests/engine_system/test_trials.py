"""Trials on DPDK's virtual devices: a loopback of rings, ports that lose everything, ports that take nothing."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from tests.engine_system.engine_process import EngineProcess, Message, engine
from tests.engine_system.messages import configuration, open_loopback, open_ports, trial
from tests.long import by_length, more

NOTHING_WRONG = {
    "lost": 0, "overtaken": 0, "reordered": 0,
    "duplicate": 0, "late": 0, "beyond_window": 0, "wrong_mac": 0, "wrong_address": 0,
    "wrong_port": 0, "wrong_length": 0, "hop_limit": 0, "traffic_class": 0, "ip_header": 0, "ip_checksum": 0,
    "udp_checksum": 0, "payload": 0, "fragment": 0, "untranslated": 0, "udp_checksum_zero": 0,
}  # fmt: skip
HOLD_UP_S = 9.0
"""Of the engine, which is borne where a test looks at the clock."""
NO_STRAYS = {"arp_nd": 0, "stale": 0, "returned": 0, "foreign": 0, "malformed": 0, "icmp_errors": [], "link_up": True}


def contains(found: Message, wanted: Message) -> bool:
    return {key: found[key] for key in wanted} == wanted


def check_all_expected(answer: Message, frames: int, classes: dict[str, float]) -> None:
    assert answer["valid"], answer["reasons"]
    assert answer["samples"] == []
    for direction in ("forward", "reverse"):
        one = answer[direction]
        assert one["intended"] == one["sent"] == frames
        assert one["lost_ranges"] == []
        assert one["lost_ranges_complete"]
        assert one["departure"]["late"]["count"] == frames
        assert set(classes) == {name for name in ("foreground", "background") if name in one}
        for name, share in classes.items():
            tally = one[name]
            assert tally["sent"] == tally["expected"] == tally["delay"]["count"] == round(frames * share)
            assert contains(tally, NOTHING_WRONG), tally
            delay = tally["delay"]
            assert 0 <= delay["min_ns"] <= delay["p1_ns"] <= delay["median_ns"] <= delay["p99_ns"] <= delay["max_ns"]
    for side in ("left", "right"):
        assert contains(answer[side], NO_STRAYS), answer[side]
        assert answer[side]["received"] == frames


@pytest.mark.parametrize(
    ("size", "foreground", "technology"),
    [
        (84, {"take": 1, "of": 1}, "siit"),
        (84, {"take": 9, "of": 10}, "siit"),
        (1518, {"take": 1, "of": 1}, "siit"),
        (1518, {"take": 1, "of": 2}, "ipv4"),
    ],
)
def test_loopback_loses_nothing(size: int, foreground: dict[str, int], technology: str) -> None:
    message = configuration(loopback=True)
    message["traffic"]["foreground"] = foreground
    for side in ("left", "right"):
        message[side]["hosts"]["networks"] = 256
    if technology == "ipv4":
        message["technology"] = {"name": "native", "family": "ipv4"}
    with engine() as one:
        open_loopback(one)
        one.do("configure", **message)
        answer = one.do("trial", **trial(frame_size=size, rate_fps=200_000, duration_s=1))
        share = foreground["take"] / foreground["of"]
        check_all_expected(answer, 200_000, {"foreground": share} | ({"background": 1 - share} if share < 1 else {}))


@pytest.mark.parametrize("take", [10, 5, 1])
def test_arrivals_that_are_stamped(take: int) -> None:
    """As a NIC would, in each buffer: counted like others, with delays from stamp to stamp, also those of tags."""
    message = configuration(loopback=True)
    message["traffic"]["foreground"] = {"take": take, "of": 10}
    with engine() as one:
        open_loopback(one, nic_arrival_stamps=True)
        one.do("configure", **message)
        for more in ({}, {"tags": {"count": 100, "from_s": 0}}):
            answer = one.do("trial", **trial(number=1 + len(more), **more))
            share = take / 10
            check_all_expected(answer, 10_000, {"foreground": share} | ({"background": 1 - share} if share < 1 else {}))


def test_frames_sent_by_a_ring_are_not_those_that_siit_expects() -> None:
    """Without `loopback` the same frames come back untranslated, with the DUT's MAC address."""
    message = configuration()
    for side in ("left", "right"):
        message[side]["gateway_mac"] = "02:00:00:00:00:99"
    with engine() as one:
        open_loopback(one)
        one.do("configure", **message)
        answer = one.do("trial", **trial(samples=2))
        assert answer["valid"], answer["reasons"]
        for direction in ("forward", "reverse"):
            tally = answer[direction]["foreground"]
            assert (tally["sent"], tally["expected"], tally["untranslated"], tally["lost"]) == (10_000, 0, 10_000, 0)
        assert len(answer["samples"]) == 4
        for sample in answer["samples"]:
            assert sample["reason"] == "untranslated"
            assert sample["class"] == "foreground"
            assert sample["number"] in range(10_000)
            assert len(sample["received"]) in (120, 160)
            assert len(sample["expected"]) in (120, 160)


@more
@pytest.mark.timeout(by_length(120, 1800))
def test_many_trials_in_a_row() -> None:
    with engine() as one:
        open_loopback(one)
        one.do("configure", **configuration(loopback=True))
        for number in range(by_length(20, 10_000)):
            answer = one.do("trial", **trial(number=number, duration_s=0.02, timeout_s=0.02))
            assert answer["number"] == number
            check_all_expected(answer, 2000, {"foreground": 1})
            assert answer["elapsed_s"] >= 0.04
    assert one.process.returncode == 0


def test_one_direction_other_sizes_and_configurations_on_one_engine() -> None:
    with engine() as one:
        open_loopback(one)
        one.do("configure", **configuration(loopback=True))
        answer = one.do("trial", **trial(directions=["reverse"]))
        assert "forward" not in answer
        assert answer["reverse"]["foreground"]["expected"] == 10_000
        assert answer["right"]["received"] == 0
        for size in (84, 1518, 100, 1522, 84):
            check_all_expected(one.do("trial", **trial(frame_size=size)), 10_000, {"foreground": 1})
        one.do("configure", **configuration(loopback=True, technology={"name": "native", "family": "ipv4"}))
        check_all_expected(one.do("trial", **trial(frame_size=64)), 10_000, {"foreground": 1})
        assert "1523 is not allowed" in one.ask("trial", **trial(frame_size=1523))["error"]


def test_histograms_and_other_measurements() -> None:
    with engine() as one:
        open_loopback(one)
        one.do("configure", **configuration(loopback=True))
        answer = one.do(
            "trial",
            **trial(
                histograms=True, delay_variation=True, due_delays=True, tags={"count": 100, "from_s": 0.05},
                then=[{"rate_fps": 50_000, "duration_s": 0.1}],
            ),
        )  # fmt: skip
        assert answer["valid"], answer["reasons"]
        for direction in ("forward", "reverse"):
            tally = answer[direction]["foreground"]
            assert tally["sent"] == tally["expected"] == 15_000
            assert sum(count for _, count in tally["delay"]["histogram"]["counts"]) == 15_000
            assert tally["tagged"]["sent"] == tally["tagged"]["received"] == 100
            assert tally["delay_variation"]["pairs"] == 14_999
            assert tally["delay_from_due"]["count"] == 15_000
            assert answer[direction]["longest_gap"]["ns"] > 0


def test_ports_that_swallow_everything() -> None:
    """All lost, and the trial is valid: the Tester did its part."""
    with engine() as one:
        open_ports(one, "net_null0,no-rx=1", "net_null1,no-rx=1")
        one.do("configure", **configuration(loopback=True))
        answer = one.do("trial", **trial(rate_fps=50_000))
        assert answer["valid"], answer["reasons"]
        for direction in ("forward", "reverse"):
            tally = answer[direction]["foreground"]
            assert (tally["sent"], tally["expected"], tally["lost"]) == (5000, 0, 5000)
            assert answer[direction]["lost_ranges"] == [[0, 4999]]
            assert tally["delay"]["count"] == 0
            assert tally["delay"]["median_ns"] is None
            assert answer[direction]["longest_gap"] is None


def test_intervals_add_up() -> None:
    """What is told of intervals is the whole, cut by when frames were due: 10,500 frames, 1,000.03 in each 0.1 s."""
    message = configuration(loopback=True)
    message["traffic"]["foreground"] = {"take": 1, "of": 2}
    with engine() as one:
        open_loopback(one)
        one.do("configure", **message)
        answer = one.do("trial", **trial(rate_fps=10_000.3, duration_s=1.05, interval_s=0.1))
    for name in ("forward", "reverse"):
        told = answer[name]["intervals"]
        assert [one["sent"] for one in told] == [1001, *[1000] * 9, 499]
        assert [one["expected"] for one in told] == [one["sent"] for one in told]
        delays = [one["delay"] for one in told]
        whole = answer[name]["together"]["delay"]
        assert sum(one["count"] for one in delays) == whole["count"] == 10_500
        assert min(one["min_ns"] for one in delays) == whole["min_ns"]
        assert max(one["max_ns"] for one in delays) == whole["max_ns"]
        assert sum(one["stalls"] for one in told) == answer[name]["departure"]["stalls"]
        assert sum(one["late_frames"] for one in told) == answer[name]["departure"]["late_frames"]


def test_intervals_that_lose_everything() -> None:
    with engine() as one:
        open_ports(one, "net_null0,no-rx=1", "net_null1,no-rx=1")
        one.do("configure", **configuration(loopback=True))
        answer = one.do("trial", **trial(rate_fps=10_000, duration_s=0.25, interval_s=0.1))
    told = answer["forward"]["intervals"]
    assert [(one["sent"], one["lost"], one["wrong"], one["delay"]["count"]) for one in told] == [
        (1000, 1000, {}, 0),
        (1000, 1000, {}, 0),
        (500, 500, {}, 0),
    ]


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"interval_s": 0.01}, "trial.interval_s: 0.01 is not allowed: 0.05 to 86400"),
        ({"interval_s": 0.5, "rate_fps": 1, "duration_s": 2}, "trial.interval_s: 0.5 is not allowed: 1 to 86400"),
        ({"interval_s": 0.1, "duration_s": 2000}, "trial.interval_s: 0.1 is not allowed: 0.2 to 86400"),
        (
            {"interval_s": 1, "then": [{"rate_fps": 1, "duration_s": 1}]},
            "trial.interval_s: a value is not allowed: none with then or incremental",
        ),
    ],
)
def test_intervals_that_are_refused(changes: Message, error: str) -> None:
    with engine() as one:
        open_loopback(one)
        one.do("configure", **configuration(loopback=True))
        assert one.ask("trial", **trial(**changes)) == {"error": error}


def test_ports_that_flood() -> None:
    """Strange frames without end on both sides: they are counted, and the trial ends in time."""
    with engine() as one:
        open_ports(one, "net_null0,size=60", "net_null1,size=60")
        one.do("configure", **configuration(loopback=True))
        answer = one.do("trial", **trial(rate_fps=1000))
        for side, direction in (("left", "reverse"), ("right", "forward")):
            counts = answer[side]
            assert counts["received"] > 1000
            strays = sum(counts[key] for key in ("arp_nd", "stale", "returned", "foreign", "malformed"))
            assert strays == counts["received"]
            assert answer[direction]["foreground"]["expected"] == 0
        assert len(answer["samples"]) <= 4 * 2 * 5
        assert one.do("stop") == {"response": "stop"}


def test_a_port_that_takes_nothing_makes_the_trial_invalid(tmp_path: Path) -> None:
    """A memif whose other end never comes: nothing can leave, the link is down, and the trial ends."""
    with engine() as one:
        ports = [f"net_memif{i},role=server,id={i},socket={tmp_path}/memif{i},socket-abstract=no" for i in range(2)]
        opened = open_ports(one, *ports)
        assert not opened["left"]["link_up"]
        one.do("configure", **configuration(loopback=True))
        start = time.monotonic()
        answer = one.do("trial", **trial(rate_fps=1000, schedule={}))
        assert time.monotonic() - start < 1 + HOLD_UP_S
        assert not answer["valid"]
        codes = [reason["code"] for reason in answer["reasons"]]
        assert "sent_less" in codes
        assert "link_down" in codes
        assert all("\n" not in reason["text"] for reason in answer["reasons"])
        for direction in ("forward", "reverse"):
            assert answer[direction]["sent"] == 0
            assert answer[direction]["foreground"]["lost"] == 0, "what didn't leave isn't lost"
        assert one.do("trial", **trial(number=1, rate_fps=1000, schedule={}))["valid"] is False


@pytest.fixture(name="running")
def running_trial() -> Any:
    """An engine in the middle of a trial of a minute."""
    with engine() as one:
        open_loopback(one)
        one.do("configure", **configuration(loopback=True))
        one.send(json.dumps({"request": "trial", "id": 5, **trial(rate_fps=1000, duration_s=60)}) + "\n")
        time.sleep(0.3)
        yield one


def check_stopped(answer: Message) -> None:
    assert answer["id"] == 5
    assert not answer["valid"]
    assert {"stopped", "sent_less"} <= {reason["code"] for reason in answer["reasons"]}
    assert 0 < answer["forward"]["sent"] < 30_000
    assert answer["elapsed_s"] < 30


def test_stop_during_a_trial(running: EngineProcess) -> None:
    running.send('{"request": "stop", "id": 6}\n{"request": "describe", "id": 7}\n')
    check_stopped(running.receive(10))
    assert running.receive() == {"id": 6, "response": "stop"}
    assert running.receive()["id"] == 7
    check_all_expected(running.do("trial", **trial(number=1)), 10_000, {"foreground": 1})


def test_other_lines_during_a_trial_wait(running: EngineProcess) -> None:
    running.send('nonsense\n{"request": "describe", "id": 7}\n')
    time.sleep(0.2)
    assert running.is_silent()
    running.send('{"request": "stop"}\n')
    check_stopped(running.receive(10))
    assert "not JSON" in running.receive()["error"]
    assert running.receive()["id"] == 7
    assert running.receive() == {"response": "stop"}


def test_quit_during_a_trial(running: EngineProcess) -> None:
    running.send('{"request": "quit"}\n')
    check_stopped(running.receive(10))
    assert running.receive() == {"response": "quit"}
    assert running.wait(5) == 0


def test_end_of_input_during_a_trial_ends_the_engine(running: EngineProcess) -> None:
    start = time.monotonic()
    running.end_input()
    assert running.wait(10) == 0
    assert time.monotonic() - start < HOLD_UP_S
    check_stopped(running.receive())


def test_ports_are_opened_once() -> None:
    with engine() as one:
        open_loopback(one)
        again = one.ask("open", left={"port": "net_ring0"}, right={"port": "net_ring1"})
        assert again["error"] == "open: an engine opens ports once, and this one has tried already: start another"
        one.do("configure", **configuration(loopback=True))
        check_all_expected(one.do("trial", **trial()), 10_000, {"foreground": 1})


@pytest.mark.parametrize(
    ("left", "right", "error"),
    [
        ("net_ring0", "net_null0", "port net_ring0: net_ring is a loopback: both ports have to be net_ring"),
        ("net_nonsense0", "net_null0", "port net_nonsense0: "),
        ("", "net_null0", "port : "),
    ],
)
def test_ports_that_cannot_be_opened(left: str, right: str, error: str) -> None:
    with engine() as one:
        answer = one.ask(
            "open", cores=[1], hugepages="never", link_timeout_s=0, left={"port": left}, right={"port": right}
        )
        assert answer["error"].startswith(error)
        assert "\n" not in answer["error"]
        assert one.do("stop") == {"response": "stop"}


def test_a_core_that_does_not_exist() -> None:
    with engine() as one:
        ports = {"left": {"port": "net_ring0"}, "right": {"port": "net_ring1"}}
        error = one.ask("open", cores=[1023], hugepages="never", **ports)["error"]
        assert error.startswith("open.cores: 1023 is not allowed: 0 to ")
        open_loopback(one)


def test_more_memory_than_there_is() -> None:
    with engine() as one:
        ports = {"left": {"port": "net_ring0"}, "right": {"port": "net_ring1"}}
        answer = one.ask("open", cores=[1], hugepages="never", memory_mb=1 << 20, **ports)
        assert answer["error"].startswith("open.memory_mb: 1048576 is not allowed: this host has ")
        open_loopback(one)


def test_too_little_memory() -> None:
    with engine() as one:
        ports = {"left": {"port": "net_ring0"}, "right": {"port": "net_ring1"}}
        answer = one.ask("open", cores=[1], hugepages="never", memory_mb=64, largest_frame=9618, **ports)
        assert answer["error"].startswith("open.memory_mb: not enough")
        assert one.do("stop") == {"response": "stop"}
