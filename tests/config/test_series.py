"""Series over subscribers and cores in the bench file; how subscribers are spread over MAP domains (R8219-10.2.1)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.config.test_errors import fault
from xlatperf.config.load import parse_bench
from xlatperf.config.request import configure_message
from xlatperf.config.series import in_words, most_subscribers
from xlatperf.run.runs import cells
from xlatperf.technologies.map_e import MapE, MapEDomain

MAP = 'technology.name = "map-e"\n'
THROUGHPUT = 'procedure = "throughput"\nframe_sizes = [104, 128]\n'


def measure(keys: str) -> str:
    return f"[[measure]]\n{keys}\n"


def test_one_for_each_number() -> None:
    bench = parse_bench(MAP + measure(THROUGHPUT + "subscribers = [10, 8192]\ndevice_cores = [1, 2]"), "b")
    series = list(bench.measure[0].series())
    assert [one[:4] for one in series[:3]] == [(104, None, 10, 1), (128, None, 10, 1), (104, None, 8192, 1)]
    assert in_words(series) == "frame sizes 104, 128 and subscribers 10, 8192 and device_cores 1, 2"
    assert most_subscribers(bench.measure) == 8192
    named = cells(bench)
    assert named[0].name == "throughput, 10 subscribers, 1 core"
    assert named[0].key == "1-throughput/mix=1of1/size=104/bidirectional/subscribers=10/cores=1"
    assert len({cell.key for cell in named}) == 8


def test_without_a_series_the_technology_says_it() -> None:
    bench = parse_bench(MAP + measure(THROUGHPUT), "b")
    assert most_subscribers(bench.measure) is None
    assert cells(bench)[0].name == "throughput"
    told = configure_message(bench, (1, 1))
    assert told["technology"]["domains"][0]["ces"] == 1000
    more = configure_message(bench, (1, 1), subscribers=8192)
    assert more["technology"]["domains"][0]["ces"] == 8192
    told["technology"]["domains"][0]["ces"] = 8192
    assert told == more


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            MAP + measure(THROUGHPUT + "subscribers = [1, 8193]"),
            "measure[0].subscribers[1]: 8193 is not allowed: 1 to 8192, by technology.domains",
        ),
        (
            MAP + measure(THROUGHPUT + "subscribers = [10, 10]"),
            "measure[0].subscribers: [10, 10] is not allowed: each number once",
        ),
        (
            'technology = { name = "map-t", role = "ce" }\n' + measure(THROUGHPUT + "subscribers = [1]"),
            "measure[0].subscribers: [1] is not allowed: only with technology "
            "map-e, map-t, lw4o6 or dslite and a DUT that has many",
        ),
        (
            'technology.name = "siit"\n' + measure(THROUGHPUT + "subscribers = [5]"),
            "measure[0].subscribers: [5] is not allowed: only with technology "
            "map-e, map-t, lw4o6 or dslite and a DUT that has many",
        ),
        (
            MAP + measure(THROUGHPUT + "device_cores = [1]") + measure(THROUGHPUT),
            "measure[1].device_cores: nothing is not allowed: a number, as other measures or columns have it",
        ),
        (
            MAP
            + measure(THROUGHPUT + "subscribers = [10]")
            + measure('procedure = "latency"\nframe_sizes = [104]\nsubscribers = [10, 20]'),
            "measure[1].rate_fps: nothing is not allowed: a rate, or a measure with procedure = throughput, "
            "direction = bidirectional and frame sizes 104 and subscribers 20 in this file",
        ),
    ],
)
def test_what_is_refused(text: str, said: str) -> None:
    assert fault(text) == f"b.toml: {said}"


def domain(ea_bits: int, *, alone: bool) -> MapEDomain:
    prefix = {"ipv6": "2001:db8::/32", "ipv4": "10.0.0.0/8", "br": "2001:db8:ffff::1"}
    return MapEDomain(ea_bits=ea_bits, ea=0 if alone else None, **prefix)


@given(
    st.lists(st.tuples(st.integers(0, 30), st.booleans()), min_size=1, max_size=64),
    st.data(),
)
def test_spread_evenly(rules: list[tuple[int, bool]], data: st.DataObject) -> None:
    """All of them, one in each domain at least, as many as a rule has at most, and evenly where there is room."""
    technology = MapE(name="map-e", domains=tuple(domain(bits, alone=alone) for bits, alone in rules))
    possible = technology.possible_subscribers
    assert possible is not None
    count = data.draw(st.integers(possible[0], possible[-1]))
    spread = technology.with_subscribers(count).domains
    shares = [one.ces for one in spread]
    assert sum(shares) == count
    rooms = [1 if alone else min(2**24, 2**bits) for bits, alone in rules]
    assert all(1 <= share <= room for share, room in zip(shares, rooms, strict=True))
    assert all(share >= max(shares) - 1 for share, room in zip(shares, rooms, strict=True) if share < room)
