"""examples/papers: the loader takes them, they say what they are, and a plan can be made of each."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.simulated_dut import SimulatedTester, capacity
from xlatperf.config.load import load_bench
from xlatperf.devices.manual import Manual
from xlatperf.plan.cells import planned_cells
from xlatperf.report.scalability.draft_lencse import LABELS

FOLDER = Path(__file__).parents[2] / "examples" / "papers"
PAPERS = sorted(FOLDER.glob("*.toml"))
each = pytest.mark.parametrize("path", PAPERS, ids=lambda path: path.stem)


@each
def test_names_itself(path: Path) -> None:
    """The commands in the comments are about this file; Fig. 2 has a second one for its lower part."""
    text = path.read_text(encoding="utf-8")
    named = set(re.findall(r"examples/papers/([\w-]+)\.toml", text))
    assert path.stem in named
    assert named <= {path.stem, f"{path.stem}-forwarding"}
    assert f"`{path.name}`" in (FOLDER / "README.md").read_text(encoding="utf-8")


@each
def test_the_drafts_labels(path: Path) -> None:
    """Its tables of translators have them; those of the IPv4aaS papers, and of forwarding, are in no figure alone."""
    labels = load_bench(path).report.labels
    assert (labels in LABELS) == (path.stem.startswith("draft-lencse") and not path.stem.endswith("forwarding"))


@each
def test_its_connections_are_all_that_its_ports_make(path: Path) -> None:
    """R9693-4.1-1: in every column."""
    bench = load_bench(path)
    for measure in bench.measure:
        for series in measure.series():
            assert series.connections in (None, bench.most_connections(series))


@each
def test_its_commands_are_a_shells(path: Path) -> None:
    device = load_bench(path).device
    assert isinstance(device, Manual)
    commands = [value for name, value in device if name.endswith("_command") and value is not None]
    assert commands
    for command in commands:
        subprocess.run(["sh", "-n", "-c", command], check=True, timeout=10)


@each
def test_a_plan(path: Path) -> None:
    """Every cell is measured by the device that passes everything, and by the slowest one."""
    for cell in planned_cells(load_bench(path), SimulatedTester(capacity(1e9))):
        fastest, slowest = cell.each[0], max(cell.each, key=lambda one: one.seconds)
        assert 0 < fastest.trials <= slowest.trials
        assert fastest.seconds < slowest.seconds
