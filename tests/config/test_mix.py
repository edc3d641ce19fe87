"""R8219-5.3-3: how much of the traffic is native IPv6, and what is tried with which mix."""

from __future__ import annotations

import pytest

from xlatperf.config.bench import Bench
from xlatperf.config.errors import BenchError
from xlatperf.config.learnt import to_learn
from xlatperf.config.load import parse_bench
from xlatperf.config.negative_tests import negative_tests_of
from xlatperf.procedures.trial_request import TrialRequest


def bench(mix: str, technology: str = "map-e") -> Bench:
    return parse_bench(f'technology.name = "{technology}"\ntraffic.mix = {mix}', "b")


@pytest.mark.parametrize(
    ("mix", "richest", "classes"),
    [
        ("[[1, 1]]", (1, 1), ["foreground"]),
        ("[[0, 1]]", (0, 1), ["background"]),
        ("[[0, 1], [1, 1]]", (1, 2), ["foreground", "background"]),
        ("[[1, 1], [9, 10], [1, 10]]", (9, 10), ["foreground", "background"]),
        ("[[0, 5], [1, 10]]", (1, 10), ["foreground", "background"]),
    ],
)
def test_first_frames_are_of_all_classes(mix: str, richest: tuple[int, int], classes: list[str]) -> None:
    found = bench(mix)
    assert found.traffic.richest_mix == richest
    assert [one.traffic_class for one in to_learn(found, ["forward"])] == classes
    few = TrialRequest(104, "ipv6", 1.0, 1.0, 1.0).few(richest, ("forward",), "check")
    assert few.rate_fps * few.duration_s >= 20


def test_nothing_is_refused_without_foreground() -> None:
    """It isn't tried, and that is said."""
    alone, both = negative_tests_of(bench("[[0, 1]]")), negative_tests_of(bench("[[0, 1], [1, 1]]"))
    assert [one.name for one in alone] == [one.name for one in both]
    assert {one.impossible for one in alone} == {"they are foreground, of which traffic.mix has none"}
    assert {one.impossible for one in both} == {""}


@pytest.mark.parametrize(
    ("mix", "technology", "line"),
    [
        ("[[0, 0]]", "siit", "[0, 0] is not allowed: [take, of], 0 <= take <= of <= 1000, of not 0"),
        ("[[-1, 1]]", "siit", "[-1, 1] is not allowed"),
        ("[[1, 1001]]", "siit", "[1, 1001] is not allowed"),
        ("[[0, 1]]", "nat44", "[0, 1] is not allowed: [take, of], 1 <= take: connections are made of the foreground"),
    ],
)
def test_lines(mix: str, technology: str, line: str) -> None:
    with pytest.raises(BenchError) as refused:
        bench(mix, technology)
    assert f"traffic.mix[0]: {line}" in str(refused.value)


@pytest.mark.parametrize("mix", ["[[0, 1], [0, 2]]", "[[1, 1], [3, 3]]", "[[9, 10], [18, 20]]", "[[1, 2], [1, 2]]"])
def test_one_traffic_once(mix: str) -> None:
    """Foreground is spread evenly: what has the same proportion is the same traffic."""
    with pytest.raises(BenchError, match=r"traffic\.mix: .* is not allowed: each proportion once"):
        bench(mix, "siit")
