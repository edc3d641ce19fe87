"""`--alone`: of two devices in a row (RFC 8219 §4.2) one, as if it were the only one (§4.1)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from xlatperf.commands.exits import UserError
from xlatperf.config.bench import Bench
from xlatperf.keys.in_words import either
from xlatperf.keys.not_allowed import not_allowed

BOTH = "both"
AloneOption = Annotated[
    str | None,
    typer.Option("--alone", metavar="NAME", help="Of two devices in a row one, such as CE or BR, as if it were alone."),
]


def one_of(bench: Bench, alone: str | None, bench_file: Path) -> Bench:
    """That bench; without a name the one of both. Raises UserError."""
    if alone is None:
        return bench
    named = {name.lower(): one.bench for name, one in bench.alone.items()}
    if alone.lower() not in named:
        allowed = either(list(bench.alone)) if named else f"nothing: {bench_file} has one device"
        raise UserError(not_allowed("--alone", alone, allowed))
    return named[alone.lower()]


def heading(name: str) -> str:
    """Of both in a row, or of one alone."""
    return "both in a row" if name == BOTH else f"{name} alone"
