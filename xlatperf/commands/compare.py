"""`xlatperf compare`: several campaigns side by side in one report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from xlatperf.commands import paths
from xlatperf.commands.campaign_results import read_folder, values_of
from xlatperf.commands.compare_rules import compare_rules, is_rules
from xlatperf.commands.exits import UserError
from xlatperf.keys.in_words import plural
from xlatperf.keys.not_allowed import not_allowed
from xlatperf.report.comparison import campaign, page


def compare(
    folders: Annotated[
        list[Path],
        typer.Argument(
            parser=paths.path,
            metavar="FOLDER FOLDER...",
            help="The campaigns' folders, the first is the reference; or files of check --all --output.",
        ),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            parser=paths.path,
            metavar="FILE.html",
            help="The report; a CSV file is written beside it, and tables of series.",
        ),
    ] = Path("comparison.html"),
) -> None:
    """Compare campaigns, or rules: one report and one CSV with all results, and what differs between them."""
    if not 2 <= len(folders) <= campaign.MOST:
        few = plural(len(folders), "folder or file", "folders or files")
        raise UserError(f"compare: {few}: 2 to {campaign.MOST} are needed")
    seen: set[Path] = set()
    for folder in folders:
        if folder.resolve() in seen:
            raise UserError(f"compare: {folder} is there twice")
        seen.add(folder.resolve())
    if output.suffix.lower() not in (".html", ".htm"):
        raise UserError(not_allowed("--output", output, "a name that ends in .html"))
    try:
        written = compare_rules(folders, output) if any(map(is_rules, folders)) else compare_campaigns(folders, output)
    except OSError as error:
        raise UserError(f"--output: {error.filename or output}: can't be written: {error.strerror}") from error
    for name, path in zip(("report", "table", "table", "LaTeX"), written, strict=False):
        typer.echo(f"{name}: {path}")


def compare_campaigns(folders: Sequence[Path], output: Path) -> list[Path]:
    """Writes the report of these campaigns and what is beside it; their paths. Raises UserError, OSError."""
    found = campaign.campaigns([(folder, read_folder(folder)) for folder in folders])
    with values_of("compare"):
        return page.write(found, output)
