"""R2473-3.1: what the bench file says of hops, what it leaves to be learnt, and what the engine is told."""

from __future__ import annotations

from typing import Any

import pytest

from xlatperf.config.errors import BenchError
from xlatperf.config.learnt import to_learn, with_learnt
from xlatperf.config.load import parse_bench
from xlatperf.config.request import configure_message
from xlatperf.engine.message import DIRECTIONS
from xlatperf.procedures.learning import Learnt, Unknown

MAP_E = 'technology.name = "map-e"\n'
SIIT = 'technology.name = "siit"\n'


def unknown(text: str) -> list[Unknown]:
    return to_learn(parse_bench(text, "b"), DIRECTIONS)


def hops(text: str, learnt: tuple[Learnt, ...] = ()) -> dict[str, tuple[int, int]]:
    traffic = configure_message(with_learnt(parse_bench(text, "b"), learnt), (1, 2))["traffic"]
    return {name: (traffic[name]["hops"], traffic[name]["background_hops"]) for name in DIRECTIONS}


def test_a_translator_s_hops_are_given() -> None:
    """RFC 7915 §4.1, §5.1: one."""
    assert unknown(SIIT) == []
    assert hops(SIIT) == {"forward": (1, 1), "reverse": (1, 1)}
    for technology in ("map-t", "native", "nat44"):
        assert unknown(f'technology.name = "{technology}"\n') == [], technology


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("traffic.hops = 3", {"forward": (3, 3), "reverse": (3, 3)}),
        ("traffic.hops = 3\ntraffic.background_hops = 1", {"forward": (3, 1), "reverse": (3, 1)}),
        ("traffic.forward.hops = 2", {"forward": (2, 2), "reverse": (1, 1)}),
        ("traffic.reverse.hops = 0\ntraffic.background_hops = 5", {"forward": (1, 5), "reverse": (0, 5)}),
        ("traffic.forward.background_hops = 4", {"forward": (1, 4), "reverse": (1, 1)}),
    ],
)
def test_each_direction_may_have_its_own(text: str, expected: dict[str, Any]) -> None:
    assert hops(f"{SIIT}{text}") == expected


@pytest.mark.parametrize(("role", "encapsulated"), [("br", "reverse"), ("ce", "forward")])
def test_a_tunnel_s_are_learnt(role: str, encapsulated: str) -> None:
    """The outer hop limit where the DUT encapsulates, hops in both directions."""
    found = {one.direction: one for one in unknown(f'{MAP_E}technology.role = "{role}"')}
    assert {name: one.hops for name, one in found.items()} == {"forward": "learn", "reverse": "learn"}
    assert {name for name, one in found.items() if one.outer_hop_limit == "learn"} == {encapsulated}


def test_the_background_is_a_class_of_its_own() -> None:
    found = unknown(MAP_E + "traffic.mix = [[1, 1], [1, 2]]")
    assert [(one.direction, one.traffic_class) for one in found] == [
        ("forward", "foreground"),
        ("forward", "background"),
        ("reverse", "foreground"),
        ("reverse", "background"),
    ]
    assert len(unknown(MAP_E + "traffic.mix = [[1, 2]]\ntraffic.background_hops = 1")) == 2
    assert unknown(MAP_E + "traffic.hops = 1") == [Unknown("reverse", "foreground", 1, "learn")]
    assert unknown(MAP_E + "traffic.hops = 1\ntechnology.tunnel.dut_hop_limit = 64") == []


def test_the_background_is_still_to_be_learnt() -> None:
    """When the foreground's is known already: with connections they are learnt one after the other."""
    bench = parse_bench('technology.name = "nat44"\ntraffic = { hops = "learn", mix = [[1, 2]] }', "b")
    known = with_learnt(bench, [Learnt("forward", "foreground", hops=2)])
    assert [(one.direction, one.traffic_class) for one in to_learn(known, ("forward", "reverse"))] == [
        ("forward", "background"),
        ("reverse", "foreground"),
        ("reverse", "background"),
    ]
    assert configure_message(known, (1, 2))["traffic"]["forward"]["background_hops"] == 1, "supposed"


def test_supposed_until_it_is_learnt() -> None:
    bench = parse_bench(MAP_E, "b")
    assert hops(MAP_E) == {"forward": (1, 1), "reverse": (1, 1)}
    assert configure_message(bench, (1, 1))["traffic"]["tunnel"]["dut_hop_limit"] == 64
    learnt = (
        Learnt("forward", "foreground", hops=2),
        Learnt("reverse", "foreground", hops=0, outer_hop_limit=63),
        Learnt("reverse", "background", hops=1, untold="there was none"),
    )
    assert hops(MAP_E, learnt) == {"forward": (2, 1), "reverse": (0, 1)}, "of the background nothing was told"
    assert hops(MAP_E + "traffic.hops = 4", (Learnt("reverse", "foreground", untold="there was none"),)) == {
        "forward": (4, 4),
        "reverse": (4, 4),
    }
    message = configure_message(with_learnt(bench, learnt), (1, 1))
    assert message["traffic"]["tunnel"] == {"hop_limit": 64, "dut_hop_limit": 63}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("traffic.hops = 10", "traffic.hops: 10 is not allowed: less than hop_limit, which is 10"),
        ("traffic.reverse.hops = 11", "traffic.reverse.hops: 11 is not allowed: less than hop_limit, which is 10"),
        ("traffic.hops = -1", "traffic.hops: -1 is not allowed: a whole number, 0 to 254, or learn"),
        ("traffic.hops = 1.0", "traffic.hops: 1.0 is not allowed: a whole number, 0 to 254, or learn"),
        ("traffic.hops = true", "traffic.hops: true is not allowed: a whole number, 0 to 254, or learn"),
        (
            'traffic.forward.hops = "teach"',
            'traffic.forward.hops: "teach" is not allowed: a whole number, 0 to 254, or learn',
        ),
        (
            "technology.tunnel.dut_hop_limit = 0",
            "technology.tunnel.dut_hop_limit: 0 is not allowed: a whole number, 1 to 255, or learn",
        ),
    ],
)
def test_messages(text: str, message: str) -> None:
    with pytest.raises(BenchError) as refused:
        parse_bench(MAP_E + text, "b")
    assert message in str(refused.value)


@pytest.mark.parametrize("key", ["hops", "background_hops", "forward.hops", "reverse.background_hops"])
def test_with_connections(key: str) -> None:
    bench = parse_bench(f'technology.name = "nat44"\ntraffic.{key} = "learn"', "b")
    assert to_learn(bench, DIRECTIONS) or key.endswith("background_hops"), "there is no background"
