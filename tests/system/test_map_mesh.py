"""R7597-5, R7599-8: a CE and others around it, by their rules instead of the border relay."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.system.command import xlatperf
from tests.system.faults import DURATION_S, RATE_FPS, SENT
from tests.system.gateway import Gateway
from tests.system.test_check_negative import outcomes
from tests.system.test_map_hairpinning import check_two_and_two_hundred
from tests.system.trials import RELAXED, clean, counters, quiet_port
from xlatperf.config.load import parse_bench
from xlatperf.devices.reference import ReferenceDevice
from xlatperf.procedures.negative import FRAMES
from xlatperf.run.session import session

NAMES = ("map-e", "map-t")
MESH = {name: f'name = "{name}"\nrole = "ce"\nmesh = true' for name in NAMES}
BEYOND = {"map-e": 'br = "2001:2:0:c000::1"', "map-t": 'dmr = "2001:2:0:c000::/64"'}
RULES = (
    'ipv6 = "2001:2:0:2000::/51"\nipv4 = "198.18.0.0/24"\nea_bits = 13\nea = 0x254\nces = 100',
    'ipv6 = "2001:2:0:5000::/56"\nipv4 = "198.18.1.0/24"\nea_bits = 8\nces = 100\ninterface_identifier = "draft-03"',
    'ipv6 = "2001:2:0:5100::/56"\nipv4 = "198.18.2.0/24"\nea_bits = 4\nces = 16',
)
PREFIX = ('ipv6 = "2001:2:0:5100::/56"\nipv4 = "198.18.2.0/24"\nea_bits = 4\nea = 3\nces = 15',)
"""The DUT has 16 addresses."""
NOT_CHECKED = {
    frozenset({"source_port"}): {"source_port", "source_port_0", "sender_port"},
    frozenset({"ea_bits", "destination_port"}): {
        "sender_ea_bits",
        "destination_port",
        "destination_port_0",
        "nobodys_port",
    },
}
"""What passes without these checks."""


def domains(name: str, rules: tuple[str, ...]) -> str:
    return "\n".join(f"[[technology.domains]]\n{rule}\n{BEYOND[name]}" for rule in rules)


@contextlib.contextmanager
def ce(name: str, rules: tuple[str, ...]) -> Iterator[Gateway]:
    text = f'device.driver = "reference"\n[technology]\n{MESH[name]}\n{RELAXED}\n{domains(name, rules)}'
    bench = parse_bench(text, "b")
    with session(bench) as running:
        assert isinstance(running.device, ReferenceDevice)
        yield Gateway(bench, running, running.device)


@pytest.mark.parametrize("rules", [RULES[:1], RULES, PREFIX], ids=["one rule", "three rules", "a prefix"])
@pytest.mark.parametrize("name", NAMES)
def test_every_frame_comes_as_it_must(name: str, rules: tuple[str, ...]) -> None:
    with ce(name, rules) as device:
        for frame_size in (104, 1518):
            found = device.trial(frame_size=frame_size, rate_fps=RATE_FPS, duration_s=DURATION_S)
            for direction in ("forward", "reverse"):
                assert counters(found.answer[direction]["foreground"]) == clean(SENT)
                assert found.device[direction]["translated"] == SENT
            quiet_port(found.answer["left"], received=SENT)
            quiet_port(found.answer["right"], received=SENT)


@pytest.mark.parametrize("off", [frozenset(), *NOT_CHECKED])
@pytest.mark.parametrize("name", NAMES)
def test_what_is_refused(name: str, off: frozenset[str]) -> None:
    found = outcomes(MESH[name], off)
    assert len(found) == {"map-e": 13, "map-t": 11}[name]
    assert not [outcome.untried for outcome in found.values() if outcome.untried]
    assert {one for one, outcome in found.items() if outcome.passed == FRAMES} == NOT_CHECKED.get(off, set())
    assert {one for one, outcome in found.items() if not outcome.refused} == NOT_CHECKED.get(off, set())


@pytest.mark.parametrize("name", NAMES)
def test_campaign(name: str, tmp_path: Path) -> None:
    """Throughput with two and two hundred other CEs, and the report."""
    check_two_and_two_hundred(tmp_path, MESH[name], "bidirectional", "from a CE to others and back")


def checked(tmp_path: Path, device: str, technology: str) -> str:
    """What `check` says of a device that isn't as it must be."""
    text = f'[device]\ndriver = "reference"\n{device}\n[technology]\n{technology}'
    (tmp_path / "b.toml").write_text(text, encoding="utf-8")
    ended = xlatperf("check", "b.toml", "--timeout", "0.1", folder=tmp_path, timeout_s=60)
    assert ended.code == 1, ended.output
    return ended.output


def of_two_rules(name: str) -> str:
    return f"{MESH[name]}\n{RELAXED}\n{domains(name, RULES[:2])}"


@pytest.mark.parametrize("name", NAMES)
def test_a_ce_that_knows_no_other(name: str, tmp_path: Path) -> None:
    """In hub-and-spoke mode it sends all to the border relay: the frames aren't lost, they are wrong."""
    output = checked(tmp_path, "mesh = false\ndomains = [0]", of_two_rules(name))
    assert "forward foreground: 200 of 200 frames: wrong_address" in output
    to_it = {"map-e": "outer destination 2001:2:0:c000::1, expected", "map-t": "destination 2001:2:0:c000:c6:"}
    assert to_it[name] in output
    assert "reverse foreground: all 200 frames lost" in output


def test_a_ce_without_one_of_the_rules(tmp_path: Path) -> None:
    """What is for those goes to the border relay; what is from them is lost."""
    output = checked(tmp_path, "domains = [0]", of_two_rules("map-e"))
    assert "frames: wrong_address" in output
    assert "all of technology.domains[1], and no others: the DUT doesn't have this rule" in output
