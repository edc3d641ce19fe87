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
    name = name_of(bench, alone, bench_file)
    return bench if name is None else bench.alone[name].bench


def name_of(bench: Bench, alone: str | None, bench_file: Path) -> str | None:
    """The device's name as xlatperf writes it; None: none is named. Raises UserError."""
    if alone is None:
        return None
    named = {name.lower(): name for name in bench.alone}
    if alone.lower() not in named:
        allowed = either(list(bench.alone)) if named else f"nothing: {bench_file} has one device"
        raise UserError(not_allowed("--alone", alone or '""', allowed))
    return named[alone.lower()]


def each_of(bench: Bench, only: str | None) -> dict[str, Bench]:
    """Of two devices in a row both and each alone, or `only` that one; of one device its own."""
    every = {BOTH: bench, **{name: one.bench for name, one in bench.alone.items()}}
    return {name: one for name, one in every.items() if only in (None, name)}


def nothing_to_measure(name: str) -> str:
    """Of one alone, in words."""
    return f"{heading(name)}: none of these measures is one of a device without connections"


def heading(name: str) -> str:
    """Of both in a row, or of one alone."""
    return "both in a row" if name == BOTH else f"{name} alone"
