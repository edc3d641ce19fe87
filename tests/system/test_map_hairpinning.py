"""R7597-5, R7599-8: from one CE to another through the border relay, out of the left link and back on it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.system.campaigns import campaign
from tests.system.command import xlatperf
from tests.system.faults import FAULTS, Fault
from tests.system.gateway import MAP, Gateway
from tests.system.test_check_negative import outcomes
from tests.system.test_check_rules import wrong
from tests.system.test_hairpinning import check_back_on_the_left, check_fault
from tests.system.trials import RELAXED
from tests.values import rate_of
from xlatperf.commands.check_rules import check_rules
from xlatperf.config.load import parse_bench
from xlatperf.devices.reference import ReferenceDevice
from xlatperf.procedures.negative import FRAMES
from xlatperf.run.session import session

NAMES = ("map-e", "map-t")
CAPACITY_FPS = 5000
HAIRPIN = {name: MAP[f"{name} br"] + "\nhairpinning = true" for name in NAMES}
BEYOND = {"map-e": 'br = "2001:2:0:c00{}::1"', "map-t": 'dmr = "2001:2:0:c00{}::/64"'}


def rules(name: str) -> str:
    """Shared addresses, an address each, a prefix each; each domain with a way out of its own."""
    domains = (
        'ipv6 = "2001:2:0:2000::/51"\nipv4 = "198.18.0.0/24"\nea_bits = 13\nces = 100',
        'ipv6 = "2001:2:0:5000::/56"\nipv4 = "198.18.1.0/24"\nea_bits = 8\nces = 100\n'
        'interface_identifier = "draft-03"',
        'ipv6 = "2001:2:0:5100::/56"\nipv4 = "198.18.2.0/24"\nea_bits = 4\nces = 16',
    )
    return "\n".join(
        f"[[technology.domains]]\n{domain}\n{BEYOND[name].format(number)}" for number, domain in enumerate(domains)
    )


@contextlib.contextmanager
def hairpin(name: str, more: str = "") -> Iterator[Gateway]:
    """A prepared border relay."""
    bench = parse_bench(f'device.driver = "reference"\n[technology]\n{HAIRPIN[name]}\n{RELAXED}\n{more}', "b")
    with session(bench) as running:
        assert isinstance(running.device, ReferenceDevice)
        yield Gateway(bench, running, running.device)


@pytest.mark.parametrize("of_rules", [False, True], ids=["one rule", "three rules"])
@pytest.mark.parametrize("name", NAMES)
def test_every_frame_comes_back_on_the_left(name: str, of_rules: bool) -> None:
    with hairpin(name, rules(name) if of_rules else "") as relay:
        for frame_size in (104, 1518):
            check_back_on_the_left(relay, frame_size)


@pytest.fixture(scope="module")
def map_t() -> Iterator[Gateway]:
    with hairpin("map-t") as made:
        yield made


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_each_fault_in_its_own_counter(map_t: Gateway, fault: Fault) -> None:
    """MAP-E's frames are those of tests/system/test_hairpinning.py."""
    check_fault(map_t, fault)


@pytest.mark.parametrize(
    "off", [frozenset(), frozenset({"source_port", "interface_identifier"}), frozenset({"ea_bits"})]
)
@pytest.mark.parametrize("name", NAMES)
def test_what_is_refused(name: str, off: frozenset[str]) -> None:
    """The sender is checked as if it went to the Internet, and nobody gets what is for no CE."""
    found = outcomes(HAIRPIN[name], off)
    assert len(found) == {"map-e": 7, "map-t": 6}[name]
    assert not [outcome.untried for outcome in found.values() if outcome.untried]
    passed = {one for one, outcome in found.items() if outcome.passed == FRAMES}
    assert passed == {one for one in found if one.removesuffix("_0") in off}
    assert all(outcome.refused for one, outcome in found.items() if one not in passed), found


@pytest.mark.parametrize("name", NAMES)
def test_a_border_relay_without_hairpinning_is_found(name: str, tmp_path: Path) -> None:
    """It looks for a route to the other CE's public address."""
    device = '[device]\ndriver = "reference"\nhairpinning = false\n'
    (tmp_path / "b.toml").write_text(f"{device}[technology]\n{HAIRPIN[name]}\n{RELAXED}", encoding="utf-8")
    ended = xlatperf("check", "b.toml", "--timeout", "0.1", folder=tmp_path, timeout_s=60)
    assert ended.code == 1, ended.output
    assert "forward foreground: all 200 frames lost; the ICMP errors below say why." in ended.output
    assert "ICMPv6 1/0 from 2001:2:0:7fff::1: no route to the destination" in ended.output


def test_rules_of_map_e() -> None:
    """From tunnel to tunnel; fragments the reference device leaves out, and errors to who is behind a tunnel."""
    with hairpin("map-e") as relay:
        found = check_rules(relay.bench, relay.running, lambda _: None)
    assert len(found) > 30
    broken = {one.rule.says: one.came for one in found if wrong(one)}
    assert broken.pop("to another CE: a TTL of 1 draws ICMP 11/0") == "dropped without an error"
    assert set(broken.values()) == {"dropped"}
    assert all("fragments" in says for says in broken)


def test_map_t_has_no_rules(tmp_path: Path) -> None:
    (tmp_path / "b.toml").write_text(
        f'device.driver = "reference"\n[technology]\n{HAIRPIN["map-t"]}\n', encoding="utf-8"
    )
    ended = xlatperf("check", "b.toml", "--all", folder=tmp_path, timeout_s=60)
    assert "--all: there are no rules for technology.name = map-t with hairpinning yet" in ended.output


@pytest.mark.parametrize("name", NAMES)
def test_campaign(name: str, tmp_path: Path) -> None:
    """Throughput with two and two hundred CEs, and the report."""
    check_two_and_two_hundred(tmp_path, HAIRPIN[name], "forward", "from one CE to another")


def check_two_and_two_hundred(tmp_path: Path, technology: str, direction: str, says: str) -> None:
    """The throughput with so many CEs, by a device of a known capacity; the report `says` what was measured."""
    text = (
        'device.driver = "reference"\n'
        f"device.impair.forward = {{ capacity = {{ rate_fps = {CAPACITY_FPS}, buffer = 200 }} }}\n"
        '[[measure]]\nprocedure = "throughput"\nminimum_fps = 2000\nmaximum_fps = 12000\nstop_width_percent = 20\n'
        f'direction = "{direction}"\nframe_sizes = [128]\nduration_s = 0.2\ntimeout_s = 0.1\nsettle_s = 0.01\n'
        "learning_wait_s = 0.01\nrepetitions = 1\nsubscribers = [2, 200]\n"
    )
    made = campaign(tmp_path, f"{text}[technology]\n{technology}\n{RELAXED}", worse=lambda _: [])
    rates = {one["subscribers"]: rate_of(one) for one in made.results["measurements"]}
    assert set(rates) == {2, 200}
    assert all(2000 <= rate < 1.3 * CAPACITY_FPS for rate in rates.values())
    assert says in (made.folder / "report.html").read_text(encoding="utf-8")
