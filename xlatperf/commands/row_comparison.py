"""Two devices in a row beside each alone: which one limits (RFC 8219 §4)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import typer

from xlatperf.commands.alone import BOTH
from xlatperf.commands.compare import compare_campaigns
from xlatperf.commands.exits import UserError

COMPARISON = "comparison.html"


def compare_row(folder: Path, measured: Sequence[Path]) -> None:
    """Which device limits; nothing without both, or one of them. Raises UserError."""
    if len(measured) < 2 or measured[0].name != BOTH:
        return
    output = folder / COMPARISON
    try:
        compare_campaigns(measured, output)
    except OSError as error:
        raise UserError(f"{error.filename or output}: can't be written: {error.strerror}") from error
    typer.echo(f"comparison: {output}")
