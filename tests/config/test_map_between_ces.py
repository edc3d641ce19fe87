"""R7597-5: traffic between CEs, by a border relay (`hairpinning`) or directly (`mesh`): what a bench file may say."""

from __future__ import annotations

import pytest

from xlatperf.config.bench import Bench
from xlatperf.config.errors import BenchError
from xlatperf.config.load import parse_bench
from xlatperf.technologies.map_e import MapE
from xlatperf.technologies.map_t import MapT

NAMES = ("map-e", "map-t")
WAY_OUT = {"map-e": 'br = "2001:2:0:c000::1"', "map-t": 'dmr = "2001:2:0:c000::/64"'}


def text(name: str, keys: str, *rules: str, more: str = "") -> str:
    domains = "".join(f"[[technology.domains]]\n{rule}\n{WAY_OUT[name]}\n" for rule in rules)
    return f'[technology]\nname = "{name}"\n{keys}\n{domains}{more}'


def rule(number: int, more: str = "", ea_bits: int = 13) -> str:
    return (
        f'ipv6 = "2001:2:0:{number}000::/52"\nipv4 = "198.18.{number}.0/24"\nea_bits = {min(12, ea_bits)}\n'
        f"psid_offset = 6\n{more}"
    )


def bench(name: str, keys: str, *rules: str, more: str = "") -> Bench:
    return parse_bench(text(name, keys, *rules, more=more), "b")


@pytest.mark.parametrize("name", NAMES)
def test_by_the_border_relay(name: str) -> None:
    technology = bench(name, "hairpinning = true").technology
    assert isinstance(technology, MapE | MapT)
    assert technology.hairpins
    assert technology.directions == ("forward",)
    assert technology.in_words(technology.model_dump()).endswith(", from one CE to another")
    assert technology.possible_subscribers == range(2, 8193)
    assert {one.direction for one in technology.negative_tests()} == {"forward"}
    assert technology.encapsulated == ("forward" if name == "map-e" else None)
    assert not technology.remakes_ipv4


@pytest.mark.parametrize("name", NAMES)
def test_in_a_mesh(name: str) -> None:
    """CEs that share the DUT's IPv4 address aren't reached by it."""
    technology = bench(name, 'role = "ce"\nmesh = true').technology
    assert isinstance(technology, MapE | MapT)
    assert not technology.hairpins
    assert technology.directions == ("forward", "reverse")
    assert technology.in_words(technology.model_dump()).endswith(", from a CE to others and back")
    assert technology.possible_subscribers == range(1, 8192 - 32 + 1)
    assert (technology.domains[0].ea, technology.domains[0].ces) == (0x254, 1000)
    assert {one.direction for one in technology.negative_tests()} == {"forward", "reverse"}
    assert len({one.name for one in technology.negative_tests()}) == len(technology.negative_tests())


def test_rules_of_a_mesh() -> None:
    """The first one is the DUT's; of the others all CEs, or one."""
    technology = bench("map-t", 'role = "ce"\nmesh = true', rule(1, "ea = 5"), rule(2), rule(3, "ea = 7")).technology
    assert isinstance(technology, MapT)
    assert [domain.ces for domain in technology.domains] == [1000, 1000, 1]
    assert technology.possible_subscribers == range(3, (4096 - 16) + 4096 + 1 + 1)
    few = technology.with_subscribers(9)
    assert [domain.ces for domain in few.domains] == [4, 4, 1]
    assert {one.part for one in technology.negative_tests()} == {0}


@pytest.mark.parametrize(
    ("ipv4", "ea_bits", "ces"), [("198.18.0.0/24", 8, 255), ("198.18.0.0/24", 9, 510), ("198.18.0.0/24", 4, 15)]
)
def test_all_others_by_default(ipv4: str, ea_bits: int, ces: int) -> None:
    own = f'ipv6 = "2001:2:0:2000::/52"\nipv4 = "{ipv4}"\nea_bits = {ea_bits}\nea = 3'
    technology = bench("map-e", 'role = "ce"\nmesh = true', own).technology
    assert technology.subscribers == ces


def error_of(text: str) -> str:
    with pytest.raises(BenchError) as refused:
        parse_bench(text, "b")
    return str(refused.value)


_ONE = rule(1).replace("/24", "/32").replace("ea_bits = 12", "ea_bits = 6")


@pytest.mark.parametrize(
    ("keys", "rules", "line"),
    [
        ('role = "ce"\nhairpinning = true', (rule(1, "ea = 1"),), "hairpinning: true is not allowed: false with role"),
        ("hairpinning = true", (rule(1, "ces = 1"),), "hairpinning: true is not allowed: false with one CE"),
        ("mesh = true", (rule(1),), "mesh: true is not allowed: false with role = br"),
        ('role = "ce"\nmesh = true', (rule(1),), "domains[0].ea: missing: with role = ce, the EA bits of the CE"),
        (
            'role = "ce"\nmesh = true',
            (rule(1, "ea = 1\nces = 4081"),),
            "domains[0].ces: 4081 is not allowed: 1 to 4080, with other IPv4 addresses than the DUT's",
        ),
        (
            'role = "ce"\nmesh = true',
            (_ONE + "ea = 1",),
            "domains[0].ea_bits: 6 is not allowed: with mesh, some of the IPv4 address: no other CE of the",
        ),
        (
            'role = "ce"\nmesh = true',
            (rule(1, "ea = 1"), rule(2, "ea = 1\nces = 2")),
            "domains[1].ces: 2 is not allowed: 1 with ea",
        ),
    ],
)
def test_lines(keys: str, rules: tuple[str, ...], line: str) -> None:
    assert f"b: technology.{line}" in error_of(text("map-e", keys, *rules))


@pytest.mark.parametrize(
    ("more", "line"),
    [
        ("[traffic]\nmix = [[1, 2]]", "traffic.mix[0]: [1, 2] is not allowed: [1, 1] with technology.hairpinning"),
        (
            '[[measure]]\nprocedure = "throughput"',
            'measure[0].direction: bidirectional is not allowed: "forward" with technology.hairpinning',
        ),
    ],
)
def test_forward_alone(more: str, line: str) -> None:
    assert line in error_of(text("map-t", "hairpinning = true", more=more))
