"""`xlatperf import`: a bench file from the configuration of another program."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from xlatperf.commands import paths
from xlatperf.commands.exits import UserError
from xlatperf.commands.new_files import write_new
from xlatperf.commands.screen import lines_to, screen
from xlatperf.config.errors import BenchError
from xlatperf.config.load import load_bench, parse_bench
from xlatperf.engine.errors import EngineDied, EngineError
from xlatperf.failures import Exit
from xlatperf.files.reading import why
from xlatperf.imports.bench_text import BenchText, Imported, in_words
from xlatperf.imports.formats import Format
from xlatperf.imports.formats import import_file as imported_of
from xlatperf.run.session import describe_bench


class Rules(StrEnum):
    """What a list of MAP rules is for."""

    MAP_E = "map-e"
    MAP_T = "map-t"


def import_file(
    source: Annotated[
        Path,
        typer.Argument(
            parser=paths.path,
            metavar="FILE",
            help="siitperf.conf, maptperf.conf, a Snabb lwAFTR's configuration or binding table, a list of MAP rules "
            "(CSV, JSON), or what `jool_siit eamt display --csv` writes.",
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", parser=paths.path, help="File to write; without it, standard output."),
    ] = None,
    file_format: Annotated[
        Format | None, typer.Option("--format", help="Of the file; without it, what it looks like.")
    ] = None,
    technology: Annotated[
        Rules | None,
        typer.Option(help="Of a list of MAP rules; without it, map-t if a rule has a DMR, otherwise map-e."),
    ] = None,
) -> int:
    """Write a bench file from another program's configuration; each line says where it is from."""
    try:
        imported = imported_of(source, file_format, technology)
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{getattr(error, 'filename', None) or source}: can't be read: {why(error)}") from error
    except ValueError as error:
        raise UserError(f"{source}: {error}") from error
    if output is None:
        if imported.table:
            raise UserError(f"{source}: its binding table becomes a file beside the bench file: name that with -o")
        sys.stdout.write(imported.text)
    else:
        _write(imported, output)
    return _told(imported, source, output)


def _write(imported: Imported, output: Path) -> None:
    """New files; what is there is left as it is."""
    table = output.with_suffix(".softwires.csv")
    files = {table: "".join(f"{line}\n" for line in imported.table)} if imported.table else {}
    files[output] = imported.text.replace(BenchText.TABLE, table.name)
    write_new(files)


def _told(imported: Imported, source: Path, output: Path | None) -> int:
    """What wasn't taken over, and whether the result is a bench file."""
    tell = lines_to(screen(stderr=True))
    for line in in_words(imported.left_out):
        tell(f"{source}: not taken over: {line}")
    try:
        bench = parse_bench(imported.text, "standard output") if output is None else load_bench(output)
    except BenchError as error:
        for line in error.told:
            tell(line)
        return Exit.MEASUREMENT_FAILED
    try:
        describe_bench(bench)
    except EngineError as error:
        for line in error.told:
            tell(f"{output or 'standard output'}: {line}")
        return Exit.MEASUREMENT_FAILED
    except EngineDied as error:
        tell(f"not looked at by the engine: {error}")
    if output is not None:
        tell(f"{output}: {bench.technology.title}")
    return Exit.MEASUREMENT_FAILED if any(one.matters for one in imported.left_out) else Exit.DONE
