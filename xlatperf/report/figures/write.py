"""All figures for print of a campaign."""

from __future__ import annotations

from pathlib import Path

from xlatperf.files.writing import own_folder
from xlatperf.report.evidence import Evidence
from xlatperf.report.figures.device_load import device_load
from xlatperf.report.figures.loss import loss
from xlatperf.report.figures.performance import performance

FOLDER = "figures"


def write(evidence: Evidence, folder: Path) -> list[Path]:
    """Each as SVG and PDF in FOLDER of the campaign's folder; their paths.

    `paper.check` comes before. Raises OSError.
    """
    results, into = evidence.results, own_folder(folder / FOLDER)
    written: list[Path] = []
    performance(results.measurements, into, written)
    loss(results.measurements, into, written)
    device_load(results, into, written)
    return written
