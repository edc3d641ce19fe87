"""`xlatperf report`: writes report.html and summary.csv again from results.json."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from xlatperf.campaign.campaign import read_results
from xlatperf.campaign.results import Results
from xlatperf.commands.exits import UserError
from xlatperf.report import html, summary_csv


def write_report(results: Results, folder: Path) -> list[str]:
    """Writes report.html and summary.csv; lines for the user."""
    html.write(results, folder)
    summary_csv.write(results, folder)
    return [
        f"results: {folder / 'results.json'}",
        f"summary: {folder / 'summary.csv'}",
        f"report:  {folder / 'report.html'}",
    ]


def report(
    folder: Annotated[Path, typer.Argument(help="The campaign's folder.")],
) -> None:
    """Write report.html and summary.csv again from results.json, also of a campaign that is not complete."""
    path = folder / "results.json"
    try:
        results = read_results(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(
            f"{path}: can't be read: {error.strerror}; is this a campaign's folder, has a run ended yet?"
        ) from error
    except ValueError as error:
        raise UserError(f"{path}: not the results of this version: {str(error).splitlines()[0]}") from error
    for line in write_report(results, folder):
        typer.echo(line)
