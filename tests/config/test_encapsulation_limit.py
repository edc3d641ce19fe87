"""A tunnel encapsulation limit in the frames sent: frame sizes without it, which leave room for it (RFC 2473 §5.1)."""

from __future__ import annotations

import pytest

from tests.config.test_errors import fault
from xlatperf.config.load import parse_bench
from xlatperf.config.request import configure_message
from xlatperf.meaning.deviations import deviations
from xlatperf.meaning.unusual import ENCAPSULATION_LIMIT, NO_CHECKSUM, NO_CHECKSUM_STATEFUL, unusual

LIMIT = "technology.tunnel.encapsulation_limit = 4\n"
MEASURE = '[[measure]]\nprocedure = "throughput"\n'


def text_of(technology: str, of: str = "ipv6", limit: str = LIMIT) -> str:
    connections = "connections = [100]\nestablish_fps = 1000\n" if technology in ("lw4o6-b4", "dslite") else ""
    return f'{limit}technology.name = "{technology}"\ntraffic.frame_size_of = "{of}"\n{MEASURE}{connections}'


@pytest.mark.parametrize("technology", ["map-e", "lw4o6", "lw4o6-b4", "dslite", "dslite-b4"])
@pytest.mark.parametrize(("of", "smallest", "largest"), [("ipv6", 104, 1510), ("ipv4", 64, 1470)])
def test_sizes(technology: str, of: str, smallest: int, largest: int) -> None:
    """The largest fits the MTU with it, and no larger one does."""
    sizes = parse_bench(text_of(technology, of), "b").measure[0].frame_sizes
    assert (sizes[0], sizes[-1]) == (smallest, largest)
    usual = parse_bench(text_of(technology, of, ""), "b").measure[0].frame_sizes
    assert (usual[:-1], usual[-1]) == (sizes[:-1], largest + 8)
    refused = fault(f"{text_of(technology, of)}frame_sizes = [{largest + 1}]\n")
    as_ipv6 = " as IPv6" if of == "ipv4" else ""
    assert f"at most {largest}: its packet has 1501 bytes{as_ipv6} with the encapsulation limit" in refused


def test_the_engine_is_told() -> None:
    bench = parse_bench(text_of("map-e"), "b")
    assert configure_message(bench, (1, 1))["traffic"]["tunnel"]["encapsulation_limit"] == 4
    without = configure_message(parse_bench(text_of("map-e", limit=""), "b"), (1, 1))
    assert "encapsulation_limit" not in without["traffic"]["tunnel"]


def test_the_results_say_it() -> None:
    said = [one.here for one in deviations(parse_bench(text_of("map-e"), "b"))]
    assert any(
        "have a tunnel encapsulation limit (RFC 2473 §4.1.1): 8 bytes that count in no frame size" in one
        for one in said
    )
    assert not any("encapsulation" in one.here for one in deviations(parse_bench(text_of("map-e", limit=""), "b")))


@pytest.mark.parametrize(
    ("keys", "kinds"),
    [
        (LIMIT + 'technology.name = "map-e"', {"forward": ENCAPSULATION_LIMIT}),
        (LIMIT + 'technology.name = "map-e"\ntechnology.role = "ce"', {"reverse": ENCAPSULATION_LIMIT}),
        (LIMIT + 'technology.name = "dslite-b4"', {"reverse": ENCAPSULATION_LIMIT}),
        (LIMIT + 'technology.name = "lw4o6"\ntechnology.hairpinning = true', {"forward": ENCAPSULATION_LIMIT}),
        ('technology.name = "map-e"', {}),
        ('traffic.udp_checksum = false\ntechnology.name = "map-e"', {}),
        ('traffic.udp_checksum = false\ntechnology.name = "nat44"', {}),
        ('traffic.udp_checksum = false\ntechnology.name = "siit"', {"reverse": NO_CHECKSUM}),
        (
            'traffic.udp_checksum = false\ntechnology.name = "siit"\ntechnology.ipv6_side = "right"',
            {"forward": NO_CHECKSUM},
        ),
        ('traffic.udp_checksum = false\ntechnology.name = "map-t"', {"reverse": NO_CHECKSUM}),
        ('traffic.udp_checksum = false\ntechnology.name = "nat64"', {"reverse": NO_CHECKSUM_STATEFUL}),
        (
            "traffic.udp_checksum = false\n"
            'technology = { name = "native", family = "ipv4", double_translation = true }',
            {"forward": NO_CHECKSUM, "reverse": NO_CHECKSUM},
        ),
    ],
)
def test_whose_frames_are_unusual(keys: str, kinds: dict[str, object]) -> None:
    """RFC 7915 §4.5: those that a translator gets as IPv4, and those that enter tunnels."""
    assert unusual(parse_bench(keys, "b")) == kinds


def test_the_usual_frames() -> None:
    bench = parse_bench(text_of("map-e"), "b")
    assert unusual(ENCAPSULATION_LIMIT.bench(bench)) == {}
    bench = parse_bench('traffic.udp_checksum = false\ntechnology.name = "siit"', "b")
    assert NO_CHECKSUM.bench(bench).traffic.udp_checksum


def test_why_all_are_lost() -> None:
    assert ENCAPSULATION_LIMIT.why(came=True).startswith(
        "without an encapsulation limit the same frames all came, so the DUT drops packets in the tunnel behind one: "
    )
    assert ENCAPSULATION_LIMIT.why(came=False).endswith("do they come with no technology.tunnel.encapsulation_limit?")
