"""DS-Lite by the reference device: AFTR with B4s in front of it, and B4. Both programs are written from RFC 6333."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.long import more, only_long
from tests.system.campaigns import campaign
from tests.system.command import REPOSITORY
from tests.system.faults import DURATION_S, FAULTS, RATE_FPS, SENT, Fault, corrupt, hit_and_counted
from tests.system.gateway import SIDES, Gateway, gateway
from tests.system.stateful_gateway import POOLS, StatefulGateway, stateful_gateway
from tests.system.stateful_messages import counts
from tests.system.test_capacity import bench, measured, right
from tests.system.trials import RELAXED, clean, counters, quiet_port
from xlatperf.commands.check_learning import learnt_bench
from xlatperf.commands.check_negative import check_negative
from xlatperf.config.bench import Bench
from xlatperf.config.load import load_bench, parse_bench
from xlatperf.config.request import configure_message
from xlatperf.devices.reference import ReferenceDevice
from xlatperf.meaning.refusals import in_words
from xlatperf.procedures.negative import FRAMES, NegativeOutcome
from xlatperf.run.session import session

B4S, OPEN_FPS, STEADY_FPS, STEADY_SENT = 1000, 10_000.0, 4000.0, 1000
TIMEOUT_S = 0.1
ONE_PORT = "client_ports = { first = 10000, last = 10000 }"
"""With one client and one server, B4s are all that tells connections apart: RFC 6333 App. B.1's port."""
LEFT_OUT = "checks = { b4 = false }"
"""The AFTR's state doesn't know B4s."""


@pytest.fixture(scope="module")
def aftr() -> Iterator[StatefulGateway]:
    with stateful_gateway("dslite", connections=ONE_PORT) as made:
        yield made


@pytest.mark.parametrize("size", [0, 512, 1518])
def test_the_same_client_behind_a_thousand_b4s(aftr: StatefulGateway, size: int) -> None:
    """R6333-6.6, R9693-4.4-1: phase 1, one frame back on each, phase 2; each B4 gets its own."""
    sizes = {"frame_size": size} if size else {}
    opened = aftr.trial("establish", B4S, OPEN_FPS, **sizes)
    assert counts(opened.answer, "forward") == {"sent": B4S, "expected": B4S}
    assert opened.device["state"]["entries"] == B4S
    once = aftr.trial("each_once", B4S, OPEN_FPS, **sizes)
    assert counts(once.answer, "reverse") == {"sent": B4S, "expected": B4S}
    steady = aftr.trial("steady", B4S, STEADY_FPS, **sizes)
    for direction in ("forward", "reverse"):
        assert counts(steady.answer, direction) == {"sent": STEADY_SENT, "expected": STEADY_SENT}
    mappings = aftr.engine.mappings(B4S)
    assert (mappings.learnt, mappings.shared, mappings.addresses) == (B4S, 0, ((POOLS["dslite"], B4S),))


def test_background_goes_by() -> None:
    """R8219-5.3-3: half of the frames of phase 2 are native IPv6."""
    bench = aftr_bench(traffic=f"connections.{ONE_PORT}")
    with session(bench) as running:
        assert isinstance(running.device, ReferenceDevice)
        running.engine.configure(configure_message(bench, (1, 2)))
        device = StatefulGateway("dslite", running.engine, running.device)
        device.trial("establish", B4S, OPEN_FPS)
        seen = device.trial("steady", B4S, STEADY_FPS)
    for direction in ("forward", "reverse"):
        for of in ("foreground", "background"):
            assert counters(seen.answer[direction][of]) == clean(STEADY_SENT // 2)
        assert seen.device[direction]["native"] == STEADY_SENT // 2


def test_an_aftr_that_does_not_know_b4s() -> None:
    """R6333-6.6: phase 1 looks right, but all have one mapping, and what comes back is somebody else's."""
    with stateful_gateway("dslite", LEFT_OUT, ONE_PORT) as device:
        opened = device.trial("establish", B4S, OPEN_FPS)
        assert counts(opened.answer, "forward") == {"sent": B4S, "expected": B4S}
        mappings = device.engine.mappings(B4S)
        assert (mappings.learnt, mappings.shared) == (B4S, B4S)
        once = device.trial("each_once", B4S, OPEN_FPS)
        assert counts(once.answer, "reverse") == {"sent": B4S, "expected": 1, "wrong_address": B4S - 1}
        texts = [sample["text"] for sample in once.answer["samples"] if sample["reason"] == "wrong_address"]
        assert texts
        assert all(text.startswith("outer destination 2001:2:0:4") for text in texts)


def aftr_bench(device: str = "", keys: str = "", traffic: str = "") -> Bench:
    return parse_bench(
        f'[device]\ndriver = "reference"\n{device}\n[technology]\nname = "dslite"\n{keys}\n'
        f"[traffic]\nmix = [[1, 1], [1, 2]]\n{traffic}\n{RELAXED}",
        "b",
    )


def refusals(device: str = "", keys: str = "") -> dict[str, NegativeOutcome]:
    bench = aftr_bench(device, keys)
    with session(bench) as running:
        return {one.test.name: one for one in check_negative(bench, running, TIMEOUT_S)}


@pytest.mark.parametrize("off", [set(), {"source_address", "aftr"}])
def test_what_passes_is_what_isn_t_checked(off: set[str]) -> None:
    """R6333-11: each check of the device on, and off."""
    found = refusals(f"checks = {{ {', '.join(f'{check} = false' for check in sorted(off))} }}")
    assert found.pop("sessions").untried == "technology.sessions isn't set"
    assert found.keys() == {"source_address", "aftr", "nobodys_port", "pool"}
    for name, outcome in found.items():
        assert (outcome.untried, outcome.sent) == (None, FRAMES), name
        assert outcome.passed == (FRAMES if name in off else 0), name
        assert outcome.violated == (name in off and name == "source_address")


@pytest.mark.parametrize(
    ("limit", "words"),
    [
        (40, "10 of 10 dropped."),
        (44, "4 of 10 came through, 6 of 10 dropped, and none should."),
        (39, "not tried: 1 of the 40 allowed ones weren't opened either."),
    ],
)
def test_more_connections_than_a_b4_may_have(limit: int, words: str) -> None:
    """RFC 6888 REQ-4: as many as the bench file says must be possible, and no more."""
    found = refusals(f"sessions = {limit}", "sessions = 40")["sessions"]
    head = "frames on more connections than the 40 that a B4 may have (forward, RFC 6888 REQ-4): "
    assert in_words(found) == head + words


def test_the_example_s_device_refuses_all() -> None:
    """Its limit is one that its connections can reach."""
    example = load_bench(REPOSITORY / "examples" / "reference-dslite.toml")
    with session(example) as running:
        found = check_negative(example, running, TIMEOUT_S)
    assert [one.test.name for one in found] == ["source_address", "aftr", "nobodys_port", "pool", "sessions"]
    assert [(one.untried, one.passed) for one in found] == [(None, 0)] * 5


def test_hops_are_learnt() -> None:
    """R2473-3.1, standards.md §4.9: of an AFTR that is several hops, with an outer hop limit of its own."""
    bench = aftr_bench("entry_hops = 0\nexit_hops = 3\nhop_limit = 71")
    with session(bench) as running:
        learnt, records = learnt_bench(bench, running, TIMEOUT_S)
        assert {(one.direction, one.traffic_class): (one.hops, one.outer_hop_limit) for one in records} == {
            ("forward", "foreground"): (3, None),
            ("reverse", "foreground"): (0, 71),
            ("forward", "background"): (1, None),
            ("reverse", "background"): (1, None),
        }
        assert [one.untold for one in records] == [None] * 4
    assert learnt.technology.dut_hop_limit == 71


TIMES = "frame_sizes = [104]\nrepetitions = 1\ntimeout_s = 0.5\nsettle_s = 0\nlearning_wait_s = 0\nretries = 5\n"
RATES = "minimum_fps = 4000\nmaximum_fps = 4000\n"
CAMPAIGN = f"""
[[measure]]
procedure = "establishment"
connections = [500]
subscribers = [1, 500, 1000000]
{RATES}{TIMES}
[[measure]]
procedure = "throughput"
connections = [500]
subscribers = [1, 500, 1000000]
duration_s = 0.25
{RATES}{TIMES}
[[measure]]
procedure = "teardown"
connections = [500]
{TIMES}establish_fps = 2000
"""


@more
@only_long
def test_a_campaign_over_the_number_of_b4s(tmp_path: Path) -> None:
    """R9693-4.5, R9693-4.7-1, R9693-4.8, R8219-10.2.1: with half of phase 2 in the background."""
    keys = '[device]\ndriver = "reference"\n[technology]\nname = "dslite"\nb4s.first = "2001:db8::2"\n'
    keys += "[traffic]\nmix = [[1, 2]]\n"
    connections = f"connections.{ONE_PORT.replace('last = 10000', 'last = 10099')}\n"
    results = campaign(tmp_path, f"{keys}{connections}{RELAXED}{CAMPAIGN}").model
    found = [(one.procedure, one.subscribers) for one in results.measurements]
    assert sorted(found, key=str) == [
        *((name, count) for name in ("establishment",) for count in (1, 1_000_000, 500)),
        ("teardown", None),
        *(("throughput", count) for count in (1, 1_000_000, 500)),
    ]
    assert {one.test.name for one in results.negative_tests if not one.refused} == {"sessions"}, "which isn't set"
    report = (tmp_path / "c" / "report.html").read_text(encoding="utf-8")
    assert "DS-Lite AFTR" in report
    assert "num. subscribers,,1,500,1000000" in (tmp_path / "c" / "scalability.csv").read_text(encoding="utf-8")


def test_capacity(tmp_path: Path) -> None:
    """R9693-4.9: the table's size, with B4s in it, is found. Of any size: tests/procedures/test_capacity.py."""
    size = 1000
    state = f'state = {{ entries = {size}, mapping = "address_and_port_dependent" }}'
    text = bench(f'driver = "reference"\n{state}', 300, 3000, 40, name="dslite", frame_size=104)
    right(measured(text, tmp_path), size, 40)


@pytest.fixture(scope="module")
def b4() -> Iterator[Gateway]:
    with gateway("dslite-b4") as made:
        yield made


OUTER_FAULTS = {
    "outer_address": corrupt("outer_address", "wrong_address"),
    "outer_source_address": corrupt("outer_source_address", "wrong_address"),
    "outer_traffic_class": corrupt("outer_traffic_class", "traffic_class"),
    "outer_hop_limit": corrupt("outer_hop_limit", "hop_limit"),
}


def test_a_b4_carries_all_sizes(b4: Gateway) -> None:
    """R6333-5: up to the MTU of its tunnel."""
    b4.impair()
    for frame_size in (104, 512, 1518):
        seen = b4.trial(frame_size=frame_size, rate_fps=RATE_FPS, duration_s=DURATION_S)
        for name, (_, arrival) in SIDES.items():
            assert counters(seen.answer[name]["foreground"]) == clean(SENT)
            assert seen.device[name]["translated"] == SENT
            quiet_port(seen.answer[arrival], received=SENT)


def test_half_of_it_is_background(b4: Gateway) -> None:
    b4.impair()
    b4.mix(1, 2)
    try:
        seen = b4.trial(frame_size=128, rate_fps=RATE_FPS, duration_s=DURATION_S)
    finally:
        b4.mix(1, 1)
    for name in SIDES:
        for of in ("foreground", "background"):
            assert counters(seen.answer[name][of]) == clean(SENT // 2)


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_each_fault_of_a_b4(b4: Gateway, fault: Fault) -> None:
    hit_and_counted(b4, fault, tuple(SIDES), 128)


@pytest.mark.parametrize("fault", OUTER_FAULTS.values(), ids=OUTER_FAULTS)
def test_each_fault_of_its_outer_header(b4: Gateway, fault: Fault) -> None:
    """RFC 2473 §6."""
    hit_and_counted(b4, fault, ("forward",), 128)


@pytest.mark.parametrize("off", [False, True])
def test_what_a_b4_takes(off: bool) -> None:
    """R6333-5: from its AFTR alone, with the device's check on, and off."""
    with gateway("dslite-b4", "device.checks.aftr = false" if off else "") as made:
        found = {one.test.name: one for one in check_negative(made.bench, made.running, TIMEOUT_S)}
    assert {name: one.passed for name, one in found.items()} == {"aftr": FRAMES if off else 0, "b4": 0}
    assert all(one.untried is None for one in found.values())


def test_a_campaign_with_a_b4(tmp_path: Path) -> None:
    """R8219-7.1, R8219-7.2-1, R8219-7.3.1-1, R8219-7.4: of a stateless DUT, with background."""
    of_size = TIMES.replace("104", "128")
    rest = f'direction = "bidirectional"\nduration_s = 0.3\n{of_size}'
    measures = f'[[measure]]\nprocedure = "throughput"\n{RATES}{rest}'
    measures += "".join(
        f'[[measure]]\nprocedure = "{name}"\nrate_fps = 2000\ntester_alone_s = 0\n{rest}' for name in ("latency", "pdv")
    )
    measures += f'[[measure]]\nprocedure = "frame_loss"\nrates_fps = [2000]\n{rest}'
    traffic = "[traffic]\nmix = [[1, 2]]\nforward.flows = 7\n"
    text = f'[device]\ndriver = "reference"\n[technology]\nname = "dslite-b4"\n{traffic}{RELAXED}'
    made = campaign(tmp_path, f"{text}{measures}")
    assert sorted(one.procedure for one in made.model.measurements) == ["frame_loss", "latency", "pdv", "throughput"]
    assert "DS-Lite B4" in (tmp_path / "c" / "report.html").read_text(encoding="utf-8")
    assert all(trial["forward"]["background"]["sent"] for trial in made.results["trials"])
