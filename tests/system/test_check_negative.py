"""R7597-8.1, R7599-8, R7596-6.2: what a device must refuse, with each check of the reference device on and off."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Set
from pathlib import Path

import pytest

from tests.system.command import xlatperf
from tests.system.gateway import LW4O6, MAP, OF_SUBSCRIBERS
from tests.system.test_map import BEYOND, RULES
from tests.system.trials import RELAXED
from xlatperf.commands.check_negative import check_negative
from xlatperf.config.bench import Bench
from xlatperf.config.load import parse_bench
from xlatperf.devices.reference import ReferenceDevice
from xlatperf.meaning.refusals import in_words
from xlatperf.procedures.negative import FRAMES, NegativeOutcome
from xlatperf.run.session import Session, session

TIMEOUT_S = 0.1
HALVES = (
    {"source_port", "interface_identifier", "destination_address", "softwire"},
    {"source_address", "ea_bits", "border_relay", "destination_port", "lwaftr"},
)
"""Checks that are off. Each negative test meets one of them, so that the halves tell one from the other."""
UNCHECKED = {"map-t br": {"dmr"}, "map-t ce": {"dmr"}, "map-e ce": {"destination_address"}}
UNCHECKED["lw4o6 lwb4"] = {"destination_address"}
"""What doesn't pass in any case: it isn't for the translator; or there is no route behind it, see below."""
OF_MAP = {"interface_identifier", "ea_bits", "border_relay"}
OF_LW4O6 = {"softwire", "lwaftr"}
NO_SUCH = {"map-e br": {"destination_address", *OF_LW4O6}, "map-e ce": {"ea_bits", *OF_LW4O6}}
NO_SUCH["map-t br"] = {"border_relay", "destination_address", *OF_LW4O6}
NO_SUCH["map-t ce"] = {"border_relay", "destination_address", "ea_bits", *OF_LW4O6}
NO_SUCH["lw4o6 lwaftr"] = {"destination_address", *OF_MAP}
NO_SUCH["lw4o6 lwb4"] = {"softwire", *OF_MAP}
"""Checks that the device hasn't in this role."""
ALL = {"lw4o6 lwaftr": "\nsoftwires.count = 7936"}
"""So that who isn't the sender is somebody."""
OTHER_NAMES = {"nobodys_port": "destination_port", "outer_source": "source_address"}
"""Checks of the device that are against a negative test of another name."""
NO_ROUTE, POLICY = (6, 1, 0), (6, 1, 5)


@contextlib.contextmanager
def reference(technology: str, off: Set[str] = frozenset()) -> Iterator[tuple[Bench, Session, ReferenceDevice]]:
    checks = ", ".join(f"{check} = false" for check in sorted(off))
    device = f'device = {{ driver = "reference", checks = {{ {checks} }} }}'
    bench = parse_bench(f"{device}\n[technology]\n{technology}\n{RELAXED}", "b")
    with session(bench) as running:
        assert isinstance(running.device, ReferenceDevice)
        yield bench, running, running.device


def outcomes(technology: str, off: Set[str] = frozenset()) -> dict[str, NegativeOutcome]:
    with reference(technology, off) as (bench, running, _):
        return {one.test.name: one for one in check_negative(bench, running, TIMEOUT_S)}


@pytest.mark.parametrize("off", HALVES, ids=["these", "those"])
@pytest.mark.parametrize("name", OF_SUBSCRIBERS)
def test_what_passes_is_what_isn_t_checked(name: str, off: set[str]) -> None:
    """Each negative test with its check on, and with its check off: then all frames pass."""
    found = outcomes(OF_SUBSCRIBERS[name] + ALL.get(name, ""), off - NO_SUCH.get(name, set()))
    assert len(found) >= 5
    for test, outcome in found.items():
        assert (outcome.untried, outcome.sent) == (None, FRAMES), test
        check = OTHER_NAMES.get(test, test.removesuffix("_0"))
        lenient = check in off and test not in UNCHECKED.get(name, ())
        assert (outcome.passed, outcome.refused) == ((FRAMES, False) if lenient else (0, True)), test
        assert sum(one.count for one in outcome.answers) + outcome.dropped == (0 if lenient else FRAMES), test


def test_a_border_relay_may_answer() -> None:
    """RFC 7599 §8.3: ICMPv6 1/5. What isn't for the border relay at all, it has no route for."""
    found = outcomes(MAP["map-t br"])
    kinds = {name: [(one.version, one.type, one.code) for one in outcome.answers] for name, outcome in found.items()}
    assert kinds == {
        "source_port": [POLICY],
        "source_port_0": [POLICY],
        "ea_bits": [POLICY],
        "interface_identifier": [POLICY],
        "dmr": [NO_ROUTE],
        "destination_port_0": [],
    }
    assert in_words(found["source_port"]) == (
        "frames from a port of another CE (forward, RFC 7599 §8.3, MUST): 10 of 10 answered by ICMPv6 1/5."
    )


def test_without_a_route_nothing_passes_either() -> None:
    """A CE that doesn't look at the inner destination has no route to another CE's address: its counters tell."""
    for off, reason in ((set(), "wrong_destination_address"), ({"destination_address"}, "no_route")):
        with reference(MAP["map-e ce"], off) as (bench, running, device):
            found = {one.test.name: one for one in check_negative(bench, running, TIMEOUT_S)}
            assert found["destination_address"].refused
            refused = device.request({"request": "counters"})["reverse"]["refused"][reason]
            assert refused > 0
            assert refused % FRAMES == 0, "the test may have been repeated"


@pytest.mark.parametrize("rule", ["prefixes", "full", "provisioned", "several", "draft-03"])
def test_rules_of_all_kinds(rule: str) -> None:
    """R7597-5: each shape of a rule has the tests that it has the bits for, and a right device refuses all."""
    ends = BEYOND["map-e"][: RULES[rule].count("%s")]
    with reference(f"{MAP['map-e br']}\n{RULES[rule] % ends}") as (bench, running, _):
        found = check_negative(bench, running, TIMEOUT_S)
    assert [one for one in found if not one.refused and not one.test.impossible] == []
    found = [one for one in found if not one.test.impossible]
    names = [one.test.name for one in found]
    everywhere = ["source_address", "interface_identifier", "border_relay"]
    shared = ["source_port", "source_port_0", "destination_port_0"]
    wanted = {
        "prefixes": [*everywhere, "ea_bits"],
        "full": [*everywhere, "ea_bits"],
        "provisioned": [*everywhere, *shared],
        "several": [*everywhere, "ea_bits", "source_port", *everywhere, "ea_bits", *shared],
        "draft-03": [*everywhere, "ea_bits", *shared, *everywhere, "ea_bits"],
    }
    assert sorted(names) == sorted(wanted[rule])
    assert {one.test.part for one in found} == set(range(len(ends)))


@pytest.mark.parametrize(
    ("off", "code", "words"), [("", 0, "dropped."), ("ea_bits = false", 1, "10 of 10 came through")]
)
def test_check_says_so(tmp_path: Path, off: str, code: int, words: str) -> None:
    """A device that passes what a MUST forbids has failed."""
    bench = tmp_path / "b.toml"
    text = f'[device]\ndriver = "reference"\nchecks = {{ {off} }}\n[technology]\nname = "map-e"\n{RELAXED}'
    bench.write_text(text, encoding="utf-8")
    done = xlatperf("check", str(bench), "--duration", "0.1", "--timeout", "1", folder=tmp_path)
    assert done.code == code, done.output
    (line,) = [one for one in done.output.splitlines() if "from the IPv6 address of another CE" in one]
    assert line.endswith("and none may." if code else words)
    assert words in line


def test_a_device_that_forwards_nothing_refuses_nothing() -> None:
    """What can't be told is said: here all frames are lost."""
    with reference(MAP["map-e ce"]) as (bench, running, device):
        device.request({"request": "impair", "forward": {"drop": {"every": 1}}, "reverse": {}})
        found = check_negative(bench, running, TIMEOUT_S)
    for one in found:
        assert (one.untried is None) == (one.test.direction == "reverse")
        assert one.refused == (one.test.direction == "reverse")
    assert in_words(found[0]).endswith(
        "not tried: right frames, which go first, did not all come as they must: 20 of 20 frames lost."
    )


def test_an_lwaftr_may_answer() -> None:
    """RFC 7596 §6.2: ICMPv6 1/5 to whom the source isn't bound."""
    found = {}
    device = 'device = { driver = "reference", answers = true }'
    bench = parse_bench(f"{device}\n[technology]\n{LW4O6['lw4o6 lwaftr']}\n{RELAXED}", "b")
    with session(bench) as running:
        for one in check_negative(bench, running, TIMEOUT_S):
            found[one.test.name] = [(answer.version, answer.type, answer.code) for answer in one.answers]
    assert found == {
        "softwire": [POLICY],
        "outer_source": [POLICY],
        "source_address": [POLICY],
        "source_port": [POLICY],
        "lwaftr": [NO_ROUTE],
        "nobodys_port": [],
    }
