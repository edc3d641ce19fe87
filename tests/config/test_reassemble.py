"""Fragments that count together as one frame: where there can be some."""

from __future__ import annotations

import pytest

from tests.config.test_errors import fault
from xlatperf.config.load import parse_bench
from xlatperf.config.request import configure_message
from xlatperf.meaning.deviations import deviations

REASSEMBLE = "traffic.reassemble = true\n"
MAY_BE_FRAGMENTED = f"{REASSEMBLE}traffic.dont_fragment = false\n"


def text_of(technology: str, keys: str = "") -> str:
    of = "ipv4" if technology in ("nat44", "native") else "ipv6"
    return f'{keys}traffic.frame_size_of = "{of}"\ntechnology.name = "{technology}"\n'


@pytest.mark.parametrize("technology", ["siit", "nat64", "nat44", "native", "map-t", "map-t-ce", "map-e", "dslite"])
def test_the_engine_is_told(technology: str) -> None:
    for keys, wanted in (("", False), (MAY_BE_FRAGMENTED, True)):
        bench = parse_bench(text_of(technology, keys), "b")
        assert configure_message(bench, (1, 1))["traffic"]["reassemble"] is wanted
        said = [one.here for one in deviations(bench) if "comes back in fragments" in one.here]
        assert len(said) == wanted


@pytest.mark.parametrize("technology", ["map-e", "lw4o6", "lw4o6-b4", "dslite", "dslite-b4"])
def test_a_tunnel_is_fragmented_whatever_is_in_it(technology: str) -> None:
    """RFC 2473 §7.2, RFC 6333 §5.3."""
    assert parse_bench(text_of(technology, REASSEMBLE), "b").traffic.reassemble


@pytest.mark.parametrize("technology", ["siit", "nat64", "nat44", "native", "map-t"])
def test_frames_that_nobody_may_fragment(technology: str) -> None:
    refused = fault(text_of(technology, REASSEMBLE))
    assert "traffic.reassemble: true is not allowed: false with traffic.dont_fragment = true" in refused


@pytest.mark.parametrize("technology", ['{ name = "nat66" }', '{ name = "native", family = "ipv6" }'])
def test_ipv6_that_no_router_fragments(technology: str) -> None:
    refused = fault(f"{MAY_BE_FRAGMENTED}technology = {technology}\n")
    assert "traffic.reassemble: true is not allowed: false where all frames are IPv6" in refused
