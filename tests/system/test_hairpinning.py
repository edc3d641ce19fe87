"""R7596-6.2: from one lwB4 to another through the lwAFTR, out of the left link and back on it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.system.campaigns import campaign
from tests.system.command import xlatperf
from tests.system.faults import DURATION_S, FAULTS, HIT, RATE_FPS, SENT, Fault, of
from tests.system.gateway import LW4O6, Gateway, Seen
from tests.system.test_check_negative import outcomes
from tests.system.test_map_campaigns import CAPACITY_FPS, DELAY_NS, too_slow, unmeasured
from tests.system.trials import RELAXED, clean, counters, quiet_port
from tests.values import rate_of
from xlatperf.config.load import parse_bench
from xlatperf.devices.reference import ReferenceDevice
from xlatperf.procedures.negative import FRAMES
from xlatperf.run.session import session

HAIRPIN = LW4O6["lw4o6 lwaftr"] + "\nhairpinning = true"
ALL = {"softwire", "outer_source", "source_address", "source_port", "lwaftr", "nobodys_port"}


@contextlib.contextmanager
def hairpin(more: str = "") -> Iterator[Gateway]:
    """A prepared lwAFTR; `more`: lines of the table."""
    bench = parse_bench(f'device.driver = "reference"\n[technology]\n{HAIRPIN}\n{more}\n{RELAXED}', "b")
    with session(bench) as running:
        assert isinstance(running.device, ReferenceDevice)
        yield Gateway(bench, running, running.device)


def trial(device: Gateway, frame_size: int = 128) -> Seen:
    return device.trial(frame_size=frame_size, rate_fps=RATE_FPS, duration_s=DURATION_S, directions=["forward"])


@pytest.fixture(scope="module")
def lwaftr() -> Iterator[Gateway]:
    with hairpin() as made:
        yield made


@pytest.mark.parametrize("frame_size", [104, 512, 1518])
def test_every_frame_comes_back_on_the_left(lwaftr: Gateway, frame_size: int) -> None:
    lwaftr.impair()
    check_back_on_the_left(lwaftr, frame_size)


def check_back_on_the_left(device: Gateway, frame_size: int) -> None:
    found = trial(device, frame_size)
    seen = found.answer
    assert counters(seen["forward"]["foreground"]) == clean(SENT)
    assert seen["forward"]["frame_size"] == {"sent": frame_size, "received": frame_size}
    quiet_port(seen["left"], received=SENT)
    quiet_port(seen["right"], received=0)
    assert found.device["forward"]["translated"] == SENT


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_each_fault_in_its_own_counter(lwaftr: Gateway, fault: Fault) -> None:
    check_fault(lwaftr, fault)


def check_fault(device: Gateway, fault: Fault) -> None:
    device.impair(forward=fault.order)
    found = trial(device)
    seen = found.answer
    assert of(found.device["forward"]["impairments"], fault.counted) == HIT
    changed = {fault.counter: HIT, "lost": HIT * fault.lost, "expected": SENT + HIT * fault.expected}
    assert counters(seen["forward"]["foreground"]) == clean(SENT, **changed)
    assert {sample["direction"] for sample in seen["samples"]} <= {"forward"}


def test_a_table_of_any_addresses(tmp_path: Path) -> None:
    """Several lwAFTRs: each lwB4 has tunnels to its own alone."""
    rows = [f"2001:db8::{i:x},192.0.2.{i},0,0,0,2001:db8:ffff::{i % 3}" for i in range(1, 200)]
    table = tmp_path / "softwires.csv"
    table.write_text("\n".join(["ipv6,ipv4,psid_offset,psid_length,psid,lwaftr", *rows, ""]), encoding="utf-8")
    with hairpin(f'softwires.table = "{table}"') as made:
        seen = trial(made).answer
    assert counters(seen["forward"]["foreground"]) == clean(SENT)


def test_an_lwaftr_without_hairpinning_is_found(tmp_path: Path) -> None:
    """It looks for a route to the other lwB4's public address."""
    device = '[device]\ndriver = "reference"\nhairpinning = false\n'
    (tmp_path / "b.toml").write_text(f"{device}[technology]\n{HAIRPIN}\n{RELAXED}", encoding="utf-8")
    ended = xlatperf("check", "b.toml", "--timeout", "0.1", folder=tmp_path, timeout_s=60)
    assert ended.code == 1, ended.output
    assert "forward foreground: all 200 frames lost; the ICMP errors below say why." in ended.output
    assert "ICMPv6 1/0 from 2001:2:0:7fff::1: no route to the destination" in ended.output


@pytest.mark.parametrize("off", [frozenset(), frozenset({"source_port", "softwire"}), frozenset({"source_address"})])
def test_what_is_refused(off: frozenset[str]) -> None:
    """R7596-6.2: the sender is checked as if it went to the Internet, and nobody gets what is for no lwB4."""
    found = outcomes(HAIRPIN + "\nsoftwires.count = 7936", off)
    assert set(found) == ALL
    assert not [outcome.untried for outcome in found.values() if outcome.untried]
    passed = {name for name, outcome in found.items() if outcome.passed == FRAMES}
    expected = {"outer_source" if name == "source_address" else name for name in off} | (off & {"source_address"})
    assert passed == expected
    assert all(outcome.refused for name, outcome in found.items() if name not in expected), found


CAMPAIGN = f"""
[device]
driver = "reference"
entry_hops = 2
[device.impair]
forward = {{ capacity = {{ rate_fps = {CAPACITY_FPS}, buffer = 200 }}, delay_us = {DELAY_NS // 1000} }}
[[measure]]
procedure = "throughput"
minimum_fps = 2000
maximum_fps = 12000
stop_width_percent = 20
"""


def test_campaign(tmp_path: Path) -> None:
    """Throughput, loss, latency and PDV; two and two hundred softwires."""
    short = 'direction = "forward"\nframe_sizes = [128]\nduration_s = 0.2\ntimeout_s = 0.1\nsettle_s = 0.01\n'
    short += "learning_wait_s = 0.01\nrepetitions = 1\nsubscribers = [2, 200]\n"
    slow = "rate_fps = 2000\ntester_alone_s = 0\n"
    measures = {"frame_loss": "rates_fps = [12000, 2000]\n", "latency": slow, "pdv": slow}
    text = CAMPAIGN + short
    for procedure, more in measures.items():
        text += f'[[measure]]\nprocedure = "{procedure}"\n{more}{short}'

    def found(results: dict[str, Any]) -> dict[int, float]:
        return {one["subscribers"]: rate_of(one) for one in results["measurements"] if one["procedure"] == "throughput"}

    made = campaign(
        tmp_path,
        f"{text}[technology]\n{HAIRPIN}\n{RELAXED}",
        worse=lambda results: too_slow(found(results)) + unmeasured(results),
    )
    results = made.results
    assert set(found(results)) == {2, 200}
    assert all(rate < 1.2 * CAPACITY_FPS for rate in found(results).values())
    delays = [
        value["value"]
        for one in results["measurements"]
        if one["procedure"] == "latency"
        for series in one["values"]
        if series["quantity"] == "TL"
        for value in series["values"]
    ]
    assert len(delays) == 2
    assert min(delays) >= DELAY_NS
    (learnt,) = results["learnt"]
    assert (learnt["direction"], learnt["hops"], learnt["outer_hop_limit"]) == ("forward", 2, 64)
    assert [one["passed"] for one in results["negative_tests"]] == [0] * len(ALL)
    assert "one lwB4 to another" in (made.folder / "report.html").read_text(encoding="utf-8")
