"""`xlatperf report`: writes report.html, summary.csv and the tables of scalability again from results.json."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from xlatperf.commands import paths
from xlatperf.commands.baseline import keep_baseline
from xlatperf.commands.exits import UserError
from xlatperf.commands.screen import lines_to, screen
from xlatperf.files.reading import read_text, why
from xlatperf.report import html, summary_csv
from xlatperf.report.evidence import Evidence
from xlatperf.report.figures import paper, write
from xlatperf.report.scalability import as_csv, as_latex
from xlatperf.results.file import OtherVersion, ResultsChanged, read_results
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


def read_folder(folder: Path) -> Results:
    """The results of a campaign's folder. Raises UserError."""
    path = folder / "results.json"
    try:
        return read_results(read_text(path))
    except FileNotFoundError as error:
        if (folder / "bench.toml").is_file():
            raise UserError(
                f"{folder}: nothing of this campaign has been measured yet; xlatperf run with its bench file and "
                f"--folder {folder} goes on"
            ) from error
        raise UserError(f"{folder}: not a campaign's folder: results.json is missing") from error
    except OSError as error:
        raise UserError(f"{path}: can't be read: {why(error)}") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: can't be read: {why(error)}") from error
    except ResultsChanged as error:
        anew = "if the journal is whole, remove it, and xlatperf run with its bench file writes it anew"
        raise UserError(f"{path}: not as it was written: {error}; {anew}") from error
    except OtherVersion as error:
        raise UserError(f"{path}: not the results of this version: {error}") from error


@contextmanager
def values_of(what: str) -> Iterator[None]:
    """Of results that somebody may have changed: what can't be shown is said as a failure of the user's file.

    Raises UserError.
    """
    try:
        yield
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        why_not = f"{type(error).__name__}: {error}"
        raise UserError(
            f"{what}: no report can be made of its values ({why_not}): were they changed by hand? "
            "(XLATPERF_DEBUG=1 shows where)"
        ) from error


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
    """Write report.html and summary.csv again from results.json, also of a campaign that is not complete."""
    say = lines_to(screen())
    if figures:
        try:
            paper.check()
        except paper.NoMatplotlib as error:
            raise UserError(f"--figures: {error}") from error
    if baseline is not None:
        read_folder(folder)
        keep_baseline(folder, baseline, "--baseline", read_folder(baseline))
    for line in report_again(folder):
        say(line)
    for line in _figures(folder) if figures else ():
        say(line)


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
