"""R7597-5, R7599-8: a CE with NAPT44 whose hosts have connections with servers behind other CEs of the domain."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.system.campaigns import campaign
from tests.system.stateful_gateway import CES, stateful_gateway
from tests.system.stateful_messages import counts
from tests.system.test_check_negative import outcomes
from tests.system.test_map_ce import PHASE_2
from tests.system.test_map_mesh import checked
from tests.system.trials import RELAXED
from xlatperf.procedures.negative import FRAMES

COUNT, RATE_FPS, SENT = 500, 5000.0, 1000
RULE = 'ipv6 = "2001:2:0:2000::/51", ipv4 = "198.18.0.0/24", ea = 0x254'
FAR = {"map-e-ce": 'br = "2001:2:0:c000::1"', "map-t-ce": 'dmr = "2001:2:0:c000::/64"'}
RULES = {
    "usual": f"{RULE}, ea_bits = 13",
    "one range": f'{RULE}, ea_bits = 13, psid_offset = 0, interface_identifier = "draft-03"',
    "whole addresses": f"{RULE.replace('0x254', '18')}, ea_bits = 8",
    "provisioned": f"{RULE.replace('0x254', '18')}, ea_bits = 8, psid = 20, psid_length = 5",
}
FEW_PORTS = "client_ports = { first = 1024, last = 1025 }"
"""So that connections need many ports of the servers, and those are of several CEs."""
NOT_CHECKED = {
    frozenset({"source_port"}): {"sender_port"},
    frozenset({"ea_bits", "interface_identifier"}): {"sender_ea_bits", "sender_identifier", "interface_identifier"},
}
"""What passes without these checks."""


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("name", CES)
def test_all_phases(name: str, rule: str) -> None:
    """R9693-4.4-1: every frame comes as it must, to and from the MAP address of whoever has the server's port."""
    keys = f"mesh = true\ndomains = [{{ {RULES[rule]}, {FAR[name]} }}]"
    with stateful_gateway(name, keys=keys, connections=FEW_PORTS) as device:
        for size in (0, 1400):
            sizes = {"frame_size": size} if size else {}
            first = device.trial("establish", COUNT, RATE_FPS, **sizes)
            assert counts(first.answer, "forward") == {"sent": COUNT, "expected": COUNT}
            once = device.trial("each_once", COUNT, RATE_FPS, **sizes)
            assert counts(once.answer, "reverse") == {"sent": COUNT, "expected": COUNT}
            steady = device.trial("steady", COUNT, 4000.0, **sizes)
            for direction in ("forward", "reverse"):
                assert counts(steady.answer, direction) == {"sent": SENT, "expected": SENT}
            mappings = device.engine.mappings(COUNT)
            assert (mappings.learnt, mappings.shared) == (COUNT, 0)


@pytest.mark.parametrize("off", [frozenset(), *NOT_CHECKED])
@pytest.mark.parametrize("name", CES)
def test_what_is_refused(name: str, off: frozenset[str]) -> None:
    """R7597-8.1: whatever sender isn't who it says."""
    found = outcomes(f'name = "{name}"\nmesh = true', off)
    assert len(found) == {"map-e-ce": 10, "map-t-ce": 8}[name]
    assert not [outcome.untried for outcome in found.values() if outcome.untried]
    assert {one for one, outcome in found.items() if outcome.passed == FRAMES} == NOT_CHECKED.get(off, set())
    assert {one for one, outcome in found.items() if not outcome.refused} == NOT_CHECKED.get(off, set())


@pytest.mark.parametrize("name", CES)
def test_a_ce_that_knows_no_other(name: str, tmp_path: Path) -> None:
    """In hub-and-spoke mode it sends all to the border relay: the frames aren't lost, they are wrong."""
    output = checked(tmp_path, "mesh = false", f'name = "{name}"\nmesh = true\n{RELAXED}')
    assert "forward foreground: 200 of 200 frames: wrong_address" in output
    to_it = {"map-e-ce": "outer destination 2001:2:0:c000::1, expected", "map-t-ce": "destination 2001:2:0:c000:c6:"}
    assert to_it[name] in output


def test_a_campaign(tmp_path: Path) -> None:
    """Learning, negative tests and a measure; the report says where frames go."""
    technology = '[technology]\nname = "map-e-ce"\nmesh = true'
    made = campaign(tmp_path, f'device.driver = "reference"\n{technology}\n{RELAXED}{PHASE_2}establish_fps = 1000\n')
    assert len(made.model.measurements) == 1
    assert all(one.refused for one in made.model.negative_tests)
    assert "NAPT44, to other CEs and back" in (made.folder / "report.html").read_text(encoding="utf-8")
