"""`xlatperf softwires`: the binding table that the DUT must have (RFC 7596 §6.1), in its own language."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, TextIO

import typer

from xlatperf.commands import paths
from xlatperf.commands.alone import AloneOption, one_of
from xlatperf.commands.exits import UserError
from xlatperf.config.load import load_bench
from xlatperf.devices import binding_formats
from xlatperf.devices.binding_formats import Row, rows_of
from xlatperf.keys.in_words import either
from xlatperf.run.session import write_softwires


class Format(StrEnum):
    """Languages."""

    CSV = "csv"
    SNABB = "snabb"
    VPP = "vpp"


_WRITERS: Mapping[Format, Callable[[Iterator[Row]], Iterator[str]]] = {
    Format.CSV: binding_formats.csv,
    Format.SNABB: binding_formats.snabb,
    Format.VPP: binding_formats.vpp,
}


def softwires(
    bench_file: Annotated[Path, typer.Argument(parser=paths.path, metavar="BENCH", help="The bench file.")],
    language: Annotated[
        Format,
        typer.Option(
            "--format",
            help="csv: as technology.softwires.table takes it; snabb: a configuration's binding-table; vpp: commands.",
        ),
    ] = Format.CSV,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", parser=paths.path, help="The file to write; else standard output.")
    ] = None,
    alone: AloneOption = None,
) -> None:
    """Write the binding table that the DUT must have: as many softwires as any measure needs."""
    bench = one_of(load_bench(bench_file), alone, bench_file)
    if bench.technology.binding_table is None:
        if bench.alone:
            raise UserError(f"{bench_file}: both in a row have no binding table: --alone {either(list(bench.alone))}")
        raise UserError(f"{bench_file}: technology.name: {bench.technology.name} has no binding table")
    with tempfile.TemporaryDirectory(prefix="xlatperf-") as folder:
        table = Path(folder) / "softwires.csv"
        write_softwires(bench, table)
        with table.open(encoding="utf-8-sig") as file:
            lines = _WRITERS[language](rows_of(file))
            if output is None:
                _write(lines, sys.stdout)
                return
            try:
                with output.open("w", encoding="utf-8") as out:
                    _write(lines, out)
            except OSError as error:
                raise UserError(f"{output}: can't be written: {error.strerror}") from error


def _write(lines: Iterator[str], out: TextIO) -> None:
    for line in lines:
        out.write(line + "\n")
