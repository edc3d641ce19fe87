"""What is wrong with a frame, by what the DUT does: no NAT or tunnel is told what RFC 7915 wants of a translator."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from xlatperf.engine.direction_answer import WRONG_COUNTERS
from xlatperf.keys.does import Does
from xlatperf.meaning.meanings import REMARKS, WRONG
from xlatperf.meaning.wrong import remark_meaning, wrong_meaning
from xlatperf.technologies import registry

OF = {
    "native": "routes",
    "siit": "translates",
    "nat64": "translates",
    "map-t": "translates",
    "map-t-ce": "translates",
    "nat44": "changes_addresses",
    "nat66": "changes_addresses",
    "map-e": "tunnels",
    "map-e-ce": "tunnels",
    "lw4o6": "tunnels",
    "lw4o6-b4": "tunnels",
    "dslite": "tunnels",
    "dslite-b4": "tunnels",
}


def test_of_every_technology() -> None:
    """As far as nothing else is set: with double translation IPv4 is made anew twice."""
    construct: dict[str, Any] = {name: model.model_construct for name, model in registry.BY_NAME.items()}
    assert {name: made().does for name, made in construct.items()} == OF
    for name in ("native", "nat44"):
        assert construct[name](double_translation=True).does == "translates"


@pytest.mark.parametrize("reason", WRONG_COUNTERS)
def test_only_a_translator_is_told_of_its_standard(reason: str) -> None:
    for does in get_args(Does):
        said = wrong_meaning(reason, "foreground", does)
        assert does == "translates" or (does, reason) == ("routes", "untranslated") or "7915" not in said
        assert wrong_meaning(reason, "background", does) == wrong_meaning(reason, "foreground", "routes")
    assert wrong_meaning(reason, "foreground", "translates") == WRONG[reason]


@pytest.mark.parametrize("reason", REMARKS)
def test_neither_is_anybody_else_of_remarks(reason: str) -> None:
    for does in get_args(Does):
        said = remark_meaning(reason, "foreground", does)
        assert does == "translates" or "7915" not in said
        assert said.startswith(REMARKS[reason].split(" (RFC")[0])
        assert remark_meaning(reason, "background", does) == remark_meaning(reason, "foreground", "routes")


def test_a_tunnels_header_has_its_own_keys() -> None:
    """R2473-6.3, R2473-6.4: hop limit and traffic class of the outer header."""
    for reason, key in (("hop_limit", "dut_hop_limit"), ("traffic_class", "dut_traffic_class")):
        assert f"technology.tunnel.{key}" in wrong_meaning(reason, "foreground", "tunnels")
