"""`xlatperf report`: writes report.html, summary.csv and the tables of scalability again from results.json."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from xlatperf.commands import paths
from xlatperf.commands.baseline import keep_baseline
from xlatperf.commands.campaign_results import read_folder, values_of
from xlatperf.commands.exits import UserError
from xlatperf.commands.row_comparison import compare_row
from xlatperf.commands.row_folder import is_row, measured_of_row, nothing_yet
from xlatperf.commands.screen import lines_to, screen
from xlatperf.report import html, summary_csv
from xlatperf.report.evidence import Evidence
from xlatperf.report.figures import paper, write
from xlatperf.report.scalability import as_csv, as_latex
from xlatperf.results.results import Results


def write_report(results: Results, folder: Path) -> list[str]:
    """Writes report.html, summary.csv and, where there are any, the tables of scalability; lines for the user."""
    html.write(results, folder)
    summary_csv.write(results, folder)
    evidence = Evidence.read(results, folder)
    tables = [as_csv.write(evidence, folder), as_latex.write(evidence, folder)]
    return [
        f"results: {folder / 'results.json'}",
        f"summary: {folder / 'summary.csv'}",
        *[f"tables:  {path}" for path in tables if path is not None],
        f"report:  {folder / 'report.html'}",
    ]


def report_again(folder: Path) -> list[str]:
    """Of a campaign's folder, which may be anybody's; lines for the user. Raises UserError."""
    results = read_folder(folder)
    with values_of(str(folder / "results.json")):
        return write_report(results, folder)


def report(
    folder: Annotated[Path, typer.Argument(parser=paths.path, help="The campaign's folder.")],
    baseline: Annotated[
        Path | None,
        typer.Option(
            parser=paths.path,
            help="Folder of a campaign of native forwarding, for the tables of scalability; it's kept with this one.",
        ),
    ] = None,
    figures: Annotated[
        bool,
        typer.Option("--figures", help="Also draw figures for print, as SVG and PDF, in the folder's figures/."),
    ] = False,
) -> None:
    """Write report.html and summary.csv again from results.json, also of a campaign that is not complete.

    Of two devices in a row those of each campaign, and the comparison.
    """
    say = lines_to(screen())
    if figures:
        try:
            paper.check()
        except paper.NoMatplotlib as error:
            raise UserError(f"--figures: {error}") from error
    if baseline is not None:
        read_folder(folder)
        keep_baseline(folder, baseline, "--baseline", read_folder(baseline))
    each = measured_of_row(folder) if is_row(folder) else [folder]
    if not each:
        raise UserError(nothing_yet(folder))
    for one in each:
        for line in report_again(one):
            say(line)
        for line in _figures(one) if figures else ():
            say(line)
    compare_row(folder, each)


def _figures(folder: Path) -> Iterator[str]:
    """Draws them; lines for the user. Raises UserError."""
    results = read_folder(folder)
    with values_of(str(folder / "results.json")):
        written = write.write(Evidence.read(results, folder), folder)
    yield from (f"figure:  {path}" for path in written)
    if not written:
        yield (
            "no figure: nothing was measured over connections, cores or others, no frame loss, and no trial tells of "
            "the device's load"
        )
