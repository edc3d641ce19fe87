"""report.html and summary.csv of latency, delay variation, back-to-back, recovery, reset and frame timeouts."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.report import fabricated, fabricated_times
from tests.report.test_html import HOSTILE, Page, written
from xlatperf.procedures.quantity import NoResult
from xlatperf.report import summary_csv
from xlatperf.report.evidence import Evidence
from xlatperf.report.histogram import Delays
from xlatperf.report.plots.distribution import thinned
from xlatperf.report.scale import best, micro_or_milli, milli
from xlatperf.results.results import HistogramFile, Measurement, Results


def of(*measurements: Measurement) -> Results:
    return fabricated.results(measurements=measurements)


def plots(page: Page) -> list[str]:
    return [
        name
        for tag, attributes in page.tags
        if tag == "div" and (name := attributes.get("id") or "").startswith("plot-")
    ]


def test_latency(tmp_path: Path) -> None:
    """RFC 8219 §7.2: medians of TL and WCL, percentiles, N, rate, media, losses, definition."""
    page = written(of(fabricated_times.latencies()), tmp_path)
    # left, right, direction, rate, share, media, N, TL, WCL, Tester alone, tagged frames, lost of all
    row = (
        "84 64 forward → 103,412 100 10,000 3 61.1 60.0 70.1 1,204.2 900.0 1,300.0 5.3 19.9 30,000 29,997 3 (0.01 %) 30"
    )
    assert row in page.visible
    assert "typical 61.1 µs , worst-case 1.20 ms left to right; typical 67.2 µs" in page.visible
    assert "RFC 1242 §3.8 defines latency" in page.visible
    assert "Streams of 120 s; 10,000 frames per direction are tagged, after 60 s." in page.visible
    assert "the Tester alone takes 5.32" in page.visible


def test_exact_values_are_under_the_pointer(tmp_path: Path) -> None:
    page = written(of(fabricated_times.latencies()), tmp_path)
    assert "61056.0 ns" in {attributes.get("title") for tag, attributes in page.tags if tag == "span"}


def test_pdv(tmp_path: Path) -> None:
    """RFC 8219 §7.3.1: median, P1 and P99 in ms."""
    page = written(of(fabricated_times.pdvs()), tmp_path)
    row = "84 64 forward → 103,412 100 3 1.1828 1.0000 1.5000 0.0010 0.0170 0.0214 1.2042 1.1000 620,448 24"
    assert row in page.visible


def test_ipdv(tmp_path: Path) -> None:
    """RFC 8219 §7.3.2: minimum, median, maximum; RFC 5481: with sign."""
    page = written(of(fabricated_times.ipdvs()), tmp_path)
    assert "−0.8123 −0.9000 to −0.7000" in page.visible  # noqa: RUF001
    assert "from −812" in page.visible  # noqa: RUF001


def test_back_to_back(tmp_path: Path) -> None:
    """RFC 9004 §7: average, minimum, maximum, standard deviation, corrected buffer time; why not."""
    page = written(of(fabricated_times.bursts(), fabricated_times.not_applicable()), tmp_path)
    assert "14,880,952 11,000,000 3 26,000 25,000 27,000 1,000 1.7472 0.4557 200" in page.visible
    assert "not applicable (RFC 9004 §6.1): the throughput of 9000 fps reaches" in page.visible
    assert "step size 1 % of the upper bound" in page.visible
    assert "corrected buffer time 456" in page.visible


def test_back_to_back_that_the_tester_limits(tmp_path: Path) -> None:
    """Of one search the burst is a lower bound: so are average and buffer times."""
    item = fabricated_times.bursts()
    first = item.repetitions[0].model_copy(update={"limited_by": "tester"})
    item = item.model_copy(update={"repetitions": (first, *item.repetitions[1:])})
    page = written(of(item), tmp_path)
    assert "bursts of at least 26,000 frames" in page.visible
    assert "limited by the Tester); corrected buffer time at least" in page.visible
    assert "≥ 26,000" in page.visible


def test_recovery_and_reset(tmp_path: Path) -> None:
    """RFC 2544 §26.5: average; RFC 6201 §1.4: average reset time in ms by both methods, loss in frames."""
    page = written(of(fabricated_times.recoveries(), fabricated_times.resets()), tmp_path)
    assert "13.0000 12.5000 13.5000" in page.visible
    assert "1,300.0 1,250.0 1,350.0 70.7 1,260.0 1,260.0 1,260.0 – 130,000 450.0" in page.visible  # noqa: RUF001
    assert "84/64 bytes, both ⇄ : why (repetition 2)" in page.visible
    assert "no forwarding for 1.30 s left to right; 1.43 s right to left by frame loss" in page.visible


def test_all_together(tmp_path: Path) -> None:
    results = fabricated.results()
    results = results.model_copy(update={"measurements": (*results.measurements, *fabricated_times.everything())})
    page = written(results, tmp_path)
    sections = [attributes["id"] for tag, attributes in page.tags if tag == "section"]
    assert sections[3:9] == ["latency", "pdv", "ipdv", "back-to-back", "system-recovery", "reset"]
    assert page.loads == []
    assert not [name for name in plots(page) if "latency" in name]  # no histogram files in this folder


@pytest.mark.parametrize("number", range(7))
@pytest.mark.parametrize("kind", ["failed", "nothing yet", "no result"])
def test_without_values(tmp_path: Path, number: int, kind: str) -> None:
    """Every section takes measurements without a result and says why."""
    said_by: dict[str, dict[str, Any]] = {
        "failed": {"failures": (fabricated.failure("the Tester could not do it"),)},
        "nothing yet": {"complete": False},
        "no result": {"no_result": NoResult("not measurable", "there is no overload")},
    }
    changes = said_by[kind]
    empty: dict[str, Any] = {
        "values": (),
        "derived": (),
        "repetitions": (),
        "tester_alone": None,
        "rate_fps": None,
        "parameters": {},
    }
    item = fabricated_times.everything()[number].model_copy(update={"no_result": None, **empty, **changes})
    page = written(of(item), tmp_path)
    said = {"failed": "could not do it", "nothing yet": "no repetition has ended yet", "no result": "is no overload"}
    assert said[kind] in page.visible


@pytest.mark.parametrize("value", [None, "many", 0, 1e300])
def test_unknown_parameters(tmp_path: Path, value: object) -> None:
    """Results of another version may lack parameters, or have them otherwise."""
    for item in fabricated_times.everything():
        found = dict.fromkeys(("duration_s", "tags", "tags_from_s", "event_at_s", "step_percent", "event"), value)
        assert written(of(item.model_copy(update={"parameters": found})), tmp_path).visible


def test_hostile_text(tmp_path: Path) -> None:
    alone = fabricated_times.tester_alone(delays=(), failure=HOSTILE)
    for item in fabricated_times.everything():
        changes = {
            "measure": HOSTILE,
            "series": HOSTILE,
            "standard": HOSTILE,
            "definition": HOSTILE,
            "remarks": (HOSTILE,),
            "failures": (fabricated.failure(HOSTILE),),
            "tester_alone": alone,
        }
        page = written(of(item.model_copy(update=changes)), tmp_path)
        assert not [tag for tag, _ in page.tags if tag == "img"]
        assert page.loads == []


def test_distribution(tmp_path: Path) -> None:
    """RFC 8219 §12: a cumulative distribution, of the DUT and of the Tester, on one axis."""
    fabricated_times.histogram_file(tmp_path, 1, [(2000, 900), (3000, 99), (9000, 1)])
    fabricated_times.histogram_file(tmp_path, 0, [(500, 1000)])
    page = written(of(fabricated_times.latencies()), tmp_path)
    assert plots(page) == ["plot-latency-0"]
    assert "forward →, Tester alone: 1,000" in page.visible


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "{",
        "\udcff",
        '{"forward": {"foreground": {"delay": {"histogram": {"counts": 3}}}}}',
        '{"forward": {"foreground": {"delay": {"histogram": {"sub_bucket_bits": 10, "counts": []}}}}}',
        '{"forward": {"foreground": {"delay": {"histogram": {"sub_bucket_bits": 10, "counts": [[5, -1]]}}}}}',
        '{"forward": {"foreground": {"delay": {"histogram": {"sub_bucket_bits": 0, "counts": [[5, 1]]}}}}}',
        '{"forward": {"foreground": {"delay": {"histogram": {"sub_bucket_bits": 10, "counts": [[1e99, 1]]}}}}}',
        "[" * 100_000,
    ],
)
def test_broken_histograms(tmp_path: Path, content: str) -> None:
    (tmp_path / "histograms").mkdir()
    (tmp_path / "histograms" / "1.json").write_bytes(content.encode("utf-8", "surrogateescape"))
    assert plots(written(of(fabricated_times.latencies()), tmp_path)) == []


def test_histograms_outside_the_folder_are_not_read(tmp_path: Path) -> None:
    fabricated_times.histogram_file(tmp_path, 1, [(2000, 900)])
    inner = tmp_path / "campaign"
    inner.mkdir()
    evidence = Evidence.read(of(), inner)
    for file in ("../histograms/1.json", str(tmp_path / "histograms" / "1.json"), "", "x\0y"):
        assert evidence.delays(HistogramFile(file=file, trial=1, tester_alone=False).file, "forward") is None
    assert Evidence.read(of(), tmp_path).delays("histograms/1.json", "forward") is not None


def test_thinned_keeps_the_ends() -> None:
    count = np.full(5000, 3, dtype=np.int64)
    seconds, at_most, longer = thinned(Delays(np.linspace(1e3, 1e7, 5000), count))
    assert len(seconds) < 700
    assert (seconds[0], seconds[-1]) == (1e-6, 1e-2)
    assert (at_most[0], at_most[-1], longer[0]) == (0, 1, 1)
    assert longer[-1] == pytest.approx(1 / 5000)
    assert seconds == sorted(seconds)


def test_frame_timeout_stands_beside_the_classic_result(tmp_path: Path) -> None:
    """RFC 2544 §26.1 has none; both results are shown."""
    classic = fabricated.throughput(84, (100_000.0, 100_000.0), ())
    changes = {"frame_timeout_ms": 5.0, "measure": "throughput with frame timeout 5 ms"}
    timed = fabricated.throughput(84, (80_000.0, 80_000.0), ()).model_copy(update=changes)
    loss = fabricated.frame_loss(84)
    late = {"frame_timeout_ms": 5.0, "measure": "frame loss with frame timeout 5 ms"}
    slow = fabricated.frame_loss(84, lost=77.0).model_copy(update=late)
    page = written(of(classic, timed, loss, slow), tmp_path)
    assert "both ⇄ none 2 100,000" in page.visible
    assert "both ⇄ 5 ms 2 80,000" in page.visible
    assert "without loss and with every frame back within 5 ms" in page.visible
    assert "80.0" in page.visible
    assert "42.2222 25.3333 77.0000 77.0000 21" in page.visible
    assert page.visible.count("Rate per direction") == 1


def test_summary_csv(tmp_path: Path) -> None:
    path = summary_csv.write(of(*fabricated_times.everything()), tmp_path)
    with path.open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    names = ("procedure", "role", "quantity", "value_direction", "statistic", "repetition")
    found = {tuple(line[name] for name in names): line for line in lines}
    assert found["latency", "result", "TL", "forward", "median", ""]["value"] == "61056.0"
    assert found["latency", "result", "TL", "forward", "value", "1"]["unit"] == "ns"
    assert found["latency", "tester alone", "WCL", "reverse", "value", ""]["value"] == "19876.0"
    assert found["back_to_back", "result", "back-to-back frames", "", "mean", ""]["value"] == "26000.0"
    derived = found["back_to_back", "derived", "corrected buffer time", "", "value", ""]
    assert float(derived["value"]) == pytest.approx(0.00045567, rel=1e-4)
    missing = found["back_to_back", "result", "back-to-back frames", "", "value", ""]
    assert (missing["value"], missing["remark"][:14]) == ("", "not applicable")


def test_units() -> None:
    assert [best(value) for value in (None, 0, 12, -12, 61_056, 4_030_000, 1.7e9)] == [
        "–",  # noqa: RUF001
        "0",
        "12 ns",
        "−12 ns",  # noqa: RUF001
        "61.1\xa0µs",
        "4.03\xa0ms",
        "1.70\xa0s",
    ]
    assert best(0.0125, "s") == "12.5\xa0ms"
    assert micro_or_milli([1.0, None]).text(999.0) == "1.00"
    assert micro_or_milli([1e8]).unit == "ms"
    assert milli([1.25], "s").text(1.25, "s") == "1,250.0"
    assert micro_or_milli([]).text(-1.0) == "0.00"
