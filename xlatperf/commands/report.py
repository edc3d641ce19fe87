"""`xlatperf report`: writes report.html again from results.json."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Annotated

import typer

from xlatperf.campaign.campaign import read_results
from xlatperf.campaign.results import Results
from xlatperf.commands.exits import UserError


def write_report(results: Results, folder: Path) -> list[str]:
    """Writes report.html; lines for the user."""
    lines = [f"results: {folder / 'results.json'}"]
    try:
        html = importlib.import_module("xlatperf.report.html")
    except ModuleNotFoundError as error:
        if error.name != "xlatperf.report.html":
            return [*lines, f"report.html can't be written: {error}"]
        return [*lines, "report.html can't be written: this installation has no xlatperf.report.html"]
    html.write(results, folder)
    return [*lines, f"report:  {folder / 'report.html'}"]


def report(
    folder: Annotated[Path, typer.Argument(help="The campaign's folder.")],
) -> None:
    """Write report.html again from results.json, also of a campaign that is not complete."""
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
