"""R8219-12-1: the self-test in several runs, its statistics, and where they stand."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.report import frames_campaign
from tests.report.test_html import written
from tests.run.test_selftest import limited
from xlatperf.report import self_test_csv
from xlatperf.results.selftest_records import SelfTestEntry, SelfTestRun
from xlatperf.run.selftest import FINE
from xlatperf.run.tester_limit import find_limit


def several(*limits_fps: float, bound: int = 0) -> SelfTestEntry:
    """`bound`: in so many of the first runs no higher rate was tried."""
    runs = tuple(SelfTestRun(limit_fps=fps, bound=number < bound) for number, fps in enumerate(limits_fps))
    return frames_campaign.selftest(84, max(limits_fps)).model_copy(update={"runs": runs})


@pytest.mark.parametrize(("limit_fps", "holds_fps"), [(260_000.0, 260_000.0), (260_000.0, 201_000.0)])
def test_each_is_close(limit_fps: float, holds_fps: float) -> None:
    """To 1 %, so that what differs between runs is the Tester's, not the search's."""
    found = find_limit(limited(limit_fps, holds_fps), 0.3, width=FINE)
    assert 0.99 * holds_fps <= found.fps <= holds_fps
    assert found.reason is not None


def test_a_line_that_holds_has_no_finer_limit() -> None:
    found = find_limit(limited(1e9, 1e9), 0.3, 50_000.0, 148_809.5, width=FINE)
    assert (found.fps, found.ceiling) == (148_809.5, 148_809.5)


def test_statistics() -> None:
    """R8219-12-1: P1 and P99 are the minimum and the maximum of so few."""
    entry = several(90_000.0, 100_000.0, 110_000.0)
    found = entry.summary()
    assert found is not None
    assert (found.n, found.median, found.p1, found.p99, found.dispersion) == (3, 1e5, 9e4, 1.1e5, 0.2)
    assert {entry.bound_of(value) for value in (1e5, 9e4, 1.1e5, None)} == {""}
    assert frames_campaign.selftest(84).summary() is None


def test_bounds() -> None:
    """Where no higher rate was tried a statistic is at least so much, and the dispersion isn't known."""
    entry = several(100_000.0, 90_000.0, 100_000.0, bound=1)
    assert [entry.bound_of(value) for value in (90_000.0, 100_000.0, None)] == ["", ">=", ">="]


def test_in_the_report(tmp_path: Path) -> None:
    page = written(frames_campaign.results(selftest=(several(90_000.0, 100_000.0, 110_000.0),)), tmp_path)
    for words in ("Tester's limit, best", "Dispersion", "N runs of the search, each to 1 %", "20.0"):
        assert words in page.visible, words
    (tmp_path / "other").mkdir()
    assert "N runs of the search" not in written(frames_campaign.results(), tmp_path / "other").visible


def test_as_csv(tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    self_test_csv.write([several(90_000.0, 100_000.0, 110_000.0), several(1.0, 2.0, bound=2)], path)
    first, second = csv.DictReader(path.open(encoding="utf-8", newline=""))
    assert {name: first[name] for name in ("n", "best_fps", "median_fps", "p1_fps", "p99_bound", "dispersion")} == {
        "n": "3",
        "best_fps": "110000.0",
        "median_fps": "100000.0",
        "p1_fps": "90000.0",
        "p99_bound": "",
        "dispersion": "0.2",
    }
    delay = frames_campaign.selftest(84).delays[0].forward
    assert delay is not None
    assert float(first["forward_tl_ns_at_10_percent"]) == delay.median_ns
    assert (second["median_bound"], second["dispersion"]) == (">=", "")
