"""CEs and an lwB4 with NAPT44 by the reference device: phases and sizes, refusals, what is learnt, a campaign."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.system.campaigns import campaign
from tests.system.stateful_gateway import CES, EDGES, StatefulGateway, stateful_gateway
from tests.system.stateful_messages import counts
from tests.system.trials import RELAXED
from xlatperf.commands.check_learning import learnt_bench
from xlatperf.commands.check_negative import check_negative
from xlatperf.config.bench import Bench
from xlatperf.config.load import parse_bench
from xlatperf.config.request import configure_message
from xlatperf.devices.reference import ReferenceDevice
from xlatperf.procedures.negative import FRAMES
from xlatperf.run.session import Session, session

COUNT, RATE_FPS, SENT = 500, 5000.0, 1000
TIMEOUT_S = 0.1
FAR = {"map-e-ce": "border_relay", "map-t-ce": "dmr", "lw4o6-b4": "lwaftr"}
"""The negative test of who is on the other end."""
OFF = {
    "map-e-ce": ({"interface_identifier"}, {"border_relay", "destination_port"}),
    "map-t-ce": ({"interface_identifier"}, {"destination_port"}),
    "lw4o6-b4": ({"destination_port"}, {"lwaftr"}),
}
"""Checks of the device, each on once and off once."""


_RULE = 'ipv6 = "2001:2:0:2000::/51", ipv4 = "198.18.0.0/24", ea_bits = 13, psid_offset = 0, ea = 0x254'
DOMAINS = {
    "map-e-ce": f'{{ {_RULE}, br = "2001:2:0:c000::1" }}',
    "map-t-ce": f'{{ {_RULE}, dmr = "2001:2:0:c000::/64" }}',
}
ANOTHER_RULE = {
    **{name: f"domains = [{domain}]" for name, domain in DOMAINS.items()},
    "lw4o6-b4": 'softwires = { ipv6 = "2001:2:0:2000::/51", ipv4 = "198.18.0.0/24", psid_length = 5, psid_offset = 6, '
    'number = 0x254, lwaftr = "2001:2:0:c000::1" }',
}
"""With another PSID offset than the device's."""


@pytest.fixture(scope="module", params=EDGES)
def device(request: pytest.FixtureRequest) -> Iterator[StatefulGateway]:
    with stateful_gateway(request.param) as made:
        yield made


@pytest.mark.parametrize("size", [0, 512, 1518])
def test_all_phases(device: StatefulGateway, size: int) -> None:
    """R7596-5, R9693-4.4-1: phase 1, one frame back on each connection, phase 2; in the smallest and in larger
    frames.
    """
    sizes = {"frame_size": size} if size else {}
    assert counts(device.trial("establish", COUNT, RATE_FPS, **sizes).answer, "forward") == {
        "sent": COUNT,
        "expected": COUNT,
    }
    once = device.trial("each_once", COUNT, RATE_FPS, **sizes)
    assert counts(once.answer, "reverse") == {"sent": COUNT, "expected": COUNT}
    steady = device.trial("steady", COUNT, 4000.0, **sizes)
    for direction in ("forward", "reverse"):
        assert counts(steady.answer, direction) == {"sent": SENT, "expected": SENT}
    mappings = device.engine.mappings(COUNT)
    least, most = (40960, 43007) if device.technology == "lw4o6-b4" else (1664, 65183)
    assert (mappings.learnt, mappings.shared) == (COUNT, 0)
    assert mappings.addresses == ((EDGES[device.technology], COUNT),)
    assert mappings.lowest_port is not None
    assert mappings.highest_port is not None
    assert least <= mappings.lowest_port <= mappings.highest_port <= most


def test_a_rule_that_is_another(device: StatefulGateway) -> None:
    """RFC 7599 §8.1, MUST: ports outside the CE's set, here of a device with another PSID offset, are found."""
    with stateful_gateway(device.technology) as other:
        bench = parse_bench(f'technology = {{ name = "{device.technology}", {ANOTHER_RULE[device.technology]} }}', "b")
        other.engine.configure(configure_message(bench, (1, 1)))
        seen = other.trial("establish", COUNT, RATE_FPS)
        found = counts(seen.answer, "forward")
        assert found["outside_pool"] > COUNT / 2, found
        assert found["outside_pool"] + found.get("expected", 0) == found["sent"] == COUNT


def prepared(name: str, device: str = "", traffic: str = "") -> Bench:
    text = f'[device]\ndriver = "reference"\n{device}\n[technology]\nname = "{name}"\n[traffic]\n{traffic}\n{RELAXED}'
    return parse_bench(text, "b")


@pytest.mark.parametrize(("name", "off"), [(name, off) for name in EDGES for off in OFF[name]])
def test_what_passes_is_what_isn_t_checked(name: str, off: set[str]) -> None:
    """R7597-8.1, R7599-8: through connections that are open. Ports of others are nobody's to the NAPT44 in any case."""
    bench = prepared(name, f"checks = {{ {', '.join(f'{check} = false' for check in sorted(off))} }}")
    with session(bench) as running:
        found = {one.test.name: one for one in check_negative(bench, running, TIMEOUT_S)}
    assert {FAR[name], "destination_port"} < set(found)
    for test, outcome in found.items():
        assert (outcome.untried, outcome.sent) == (None, FRAMES), test
        passes = test in off - {"destination_port"}
        assert outcome.passed == (FRAMES if passes else 0), test


def test_nothing_can_be_told_without_connections() -> None:
    """A device that opens none refuses nothing: its negative tests are not tried, and that is said."""
    bench = prepared("map-e-ce", "impair = { forward = { drop = { every = 1 } } }")
    with session(bench) as running:
        (one, *others) = check_negative(bench, running, TIMEOUT_S)
    assert "phase 1 at 1,000 fps was not complete: 10 of 10 frames lost" in str(one.untried)
    assert all(other.untried for other in others)


HOPS = "entry_hops = 0\nexit_hops = 3\nhop_limit = 71"


def test_hops_are_learnt_by_phases() -> None:
    """R2473-3.1: phase 1 tells what goes forward, phase 2 the rest; then all frames are right."""
    bench = prepared("map-e-ce", HOPS, "mix = [[1, 2]]")
    with session(bench) as running:
        learnt, records = learnt_bench(bench, running, TIMEOUT_S)
        assert {(one.direction, one.traffic_class): (one.hops, one.outer_hop_limit) for one in records} == {
            ("forward", "foreground"): (0, 71),
            ("reverse", "foreground"): (3, None),
            ("forward", "background"): (1, None),
            ("reverse", "background"): (1, None),
        }
        assert [one.untold for one in records] == [None] * 4
        all_right(learnt, running)


@pytest.mark.parametrize("name", CES)
def test_given_hops_need_no_learning(name: str) -> None:
    keys = "hops = 1\n" if name == "map-t-ce" else ""
    bench = prepared(name, traffic=keys)
    with session(bench) as running:
        learnt, records = learnt_bench(bench, running, TIMEOUT_S)
        assert bool(records) == (name == "map-e-ce"), "a translator's hops are RFC 7915's"
        all_right(learnt, running)


def test_the_encapsulation_limit_is_a_remark() -> None:
    """RFC 2473 §5.1: what is learnt of a frame with that option is what it carries."""
    bench = prepared("map-e-ce", "encapsulation_limit = 4")
    with session(bench) as running:
        all_right(bench, running, encapsulation_limit=COUNT)


def all_right(bench: Bench, running: Session, **remarks: int) -> None:
    running.engine.configure(configure_message(bench, (1, 1)))
    running.device.clear_state()
    assert isinstance(running.device, ReferenceDevice)
    gateway = StatefulGateway(bench.technology.name, running.engine, running.device)
    seen = gateway.trial("establish", COUNT, RATE_FPS)
    assert counts(seen.answer, "forward") == {"sent": COUNT, "expected": COUNT, **remarks}
    back = gateway.trial("each_once", COUNT, RATE_FPS)
    assert counts(back.answer, "reverse") == {"sent": COUNT, "expected": COUNT}


MEASURE = """
[[measure]]
procedure = "{}"
connections = [500]
frame_sizes = [104]
minimum_fps = 500
maximum_fps = 2000
stop_width_fps = 1500
repetitions = 1
timeout_s = 0.5
settle_s = 0
learning_wait_s = 0
"""


PHASE_2 = MEASURE.format("throughput") + "duration_s = 0.3\n"
MEASURES = {
    "map-e-ce": [PHASE_2 + 'direction = "reverse"\nestablish_fps = 1000\n'],  # phase 1 goes forward all the same
    "lw4o6-b4": [MEASURE.format("establishment"), PHASE_2],
}
"""A campaign does not ask which of the three technologies it is."""


@pytest.mark.parametrize("name", MEASURES)
def test_a_campaign(tmp_path: Path, name: str) -> None:
    """Learning and negative tests through experiments, then the measures with background; and all is in the results."""
    table = f'[technology]\nname = "{name}"\n[traffic]\nmix = [[1, 2]]\n{RELAXED}'
    hops = HOPS if name == "map-e-ce" else ""
    text = f'[device]\ndriver = "reference"\n{hops}\n{table}'
    text += "".join(MEASURES[name])
    made = campaign(tmp_path, text)
    results = made.model
    found = {(one.direction, one.traffic_class): (one.hops, one.outer_hop_limit) for one in results.learnt}
    if hops:
        assert (found["forward", "foreground"], found["reverse", "foreground"]) == ((0, 71), (3, None))
    refused = [(one.untried, one.passed, one.dropped) for one in results.negative_tests]
    assert refused == [(None, 0, FRAMES)] * {"map-e-ce": 5, "lw4o6-b4": 3}[name]
    assert len(results.measurements) == len(MEASURES[name])
    title = {"map-e-ce": "MAP-E CE with NAPT44", "lw4o6-b4": "Lw4o6 lwB4 with NAPT44"}[name]
    assert title in (made.folder / "report.html").read_text()
