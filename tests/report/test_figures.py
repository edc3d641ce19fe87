"""Figures for print: which there are, what is on them, and the same bytes for the same results."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.report import connections_campaign
from tests.report.changed import rates, throughputs
from tests.report.test_columns import in_column
from tests.simulated_campaign import campaign
from tests.simulated_dut import SimulatedTester, capacity
from xlatperf.commands.app import run_app
from xlatperf.report.evidence import Evidence
from xlatperf.report.figures.write import write
from xlatperf.report.steps import level
from xlatperf.results.file import results_text
from xlatperf.results.results import Measurement, Results

SVG = "{http://www.w3.org/2000/svg}"
SWEEPS = """
technology.name = "siit"
device.driver = "tayga"
[[measure]]
procedure = "frame_loss"
frame_sizes = [84]
maximum_fps = 100000
duration_s = 1
repetitions = 3
"""


def results(*measurements: Measurement) -> Results:
    return connections_campaign.results(measurements=measurements)


def drawn(found: Results, folder: Path) -> dict[str, list[str]]:
    """The texts on each figure."""
    written = write(Evidence(found, {}), folder)
    pairs = list(zip(written[::2], written[1::2], strict=True))
    assert all(pdf == svg.with_suffix(".pdf") and pdf.read_bytes().startswith(b"%PDF-") for svg, pdf in pairs)
    return {svg.stem: texts(svg) for svg, _ in pairs}


def texts(svg: Path) -> list[str]:
    return ["".join(one.itertext()).strip() for one in ET.parse(svg).iter(f"{SVG}text")]


def over_cores() -> Sequence[Measurement]:
    return [
        in_column(one(4000, (rate * cores,), cores=cores), cores, measure)
        for measure, (one, rate) in enumerate(((rates, 1000.0), (throughputs, 2000.0)), 1)
        for cores in (1, 2, 4)
    ]


def test_over_cores(tmp_path: Path) -> None:
    """R9693-5.2: connections and frames have an axis each."""
    found = drawn(results(*over_cores()), tmp_path)
    assert list(found) == ["1-connections-over-CPU-cores", "1-frames-over-CPU-cores"]
    for unit, said in found.items():
        assert "number of CPU cores" in said
        assert {"1", "2", "4"} <= set(said)
        wanted = "connections per second" if "connections" in unit else "frames per second, both directions"
        assert wanted in said


def test_over_connections(tmp_path: Path) -> None:
    """R9693-5.1: on a logarithmic axis; a bound is told from a value."""
    found = drawn(results(*connections_campaign.measurements()), tmp_path)
    (name,) = [name for name in found if name.endswith("connections-over-connections")]
    assert "number of connections" in found[name]
    assert {"connection establishment rate", "connection tear-down rate"} <= set(found[name])


def test_the_same_bytes(tmp_path: Path) -> None:
    made = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        made.append([path.read_bytes() for path in write(Evidence(results(*over_cores()), {}), tmp_path / name)])
    assert made[0] == made[1]


def test_frame_loss_of_all_sweeps(tmp_path: Path) -> None:
    """RFC 2544 §26.3, RFC 8219 §12: each direction, and both together."""
    found = drawn(campaign(tmp_path / "c", SimulatedTester(capacity(55_000.0)), SWEEPS), tmp_path)
    assert list(found) == ["loss-1-84-bytes"]
    assert {"left to right", "right to left", "both directions together", "frame loss in %"} <= set(
        found["loss-1-84-bytes"]
    )


def test_nothing_to_draw(tmp_path: Path) -> None:
    assert drawn(results(), tmp_path) == {}


def test_the_load_is_level_between_two_samples() -> None:
    """What is known is the mean over that time."""
    assert level([(0.0, 1.0, 0.5), (1.0, 2.0, 0.9)]) == ([0.0, 1.0, 1.0, 2.0], [0.5, 0.5, 0.9, 0.9])


def test_by_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the library, one line says how it's installed."""
    (tmp_path / "results.json").write_text(results_text(results(*over_cores())))
    assert run_app(["report", str(tmp_path), "--figures"]) == 0
    assert f"figure:  {tmp_path}/figures/1-frames-over-CPU-cores.pdf" in capsys.readouterr().out
    (tmp_path / "results.json").write_text(results_text(results()))
    assert run_app(["report", str(tmp_path), "--figures"]) == 0
    assert "no figure: nothing was measured over" in capsys.readouterr().out
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert run_app(["report", str(tmp_path), "--figures"]) == 2
    assert "pip install 'xlatperf[figures]'" in capsys.readouterr().err
