"""`xlatperf plan`: what a campaign will measure and how long that takes, before anything starts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import add
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from xlatperf.commands import paths
from xlatperf.commands.alone import AloneOption, each_of, heading, name_of, nothing_to_measure
from xlatperf.commands.baseline import check_baseline
from xlatperf.commands.campaign_results import read_folder
from xlatperf.commands.foreseen import foreseen_of
from xlatperf.commands.measures import load_measures
from xlatperf.commands.screen import lines_to, screen
from xlatperf.config.bench import Bench
from xlatperf.config.negative_tests import negative_tests_of
from xlatperf.engine.client import Engine
from xlatperf.keys.in_words import plural
from xlatperf.plan.cells import Asked, PlannedCell, planned_cells
from xlatperf.plan.demands import of_the_device, of_the_tester
from xlatperf.plan.in_words import time_between, trials_between
from xlatperf.procedures.in_words import fps
from xlatperf.run.runs import Cell
from xlatperf.run.selftest import choices
from xlatperf.run.tester import EngineTester


def plan(
    bench_file: Annotated[Path, typer.Argument(parser=paths.path, metavar="BENCH", help="The bench file.")],
    slowest: Annotated[
        float,
        typer.Option(
            "--slowest",
            min=0,
            max=1e9,
            metavar="FPS",
            help="No device slower than that is thought of, in frames or connections per second; 0: as slow as the "
            "lowest rate of each search.",
        ),
    ] = 0.0,
    alone: AloneOption = None,
) -> None:
    """Say what will be measured, in which order, and what it takes: trials, time, memory, and what the DUT must bear.

    Nothing is started. The procedures run against modelled devices, from one that passes everything to slow ones.
    """
    bench = load_measures(bench_file)
    only = name_of(bench, alone, bench_file)
    _check_baseline(bench, bench_file)
    console = screen()
    say = lines_to(console)
    chosen = each_of(bench, only)
    limits = {name: foreseen_of(one, bench_file) for name, one in chosen.items()}
    for name, one in chosen.items():
        if not one.measure:
            say(nothing_to_measure(name))
            continue
        with Engine() as engine:
            planned = planned_cells(one, EngineTester(engine, one), slowest)
        if bench.alone:
            say(f"{heading(name)}:")
        console.print(_table(planned))
        for line in _lines(one, planned, slowest, limits[name]):
            say(line)
        if bench.alone:
            say("")


def _check_baseline(bench: Bench, bench_file: Path) -> None:
    """As `run` does before it starts. Raises UserError."""
    of = bench.report.baseline_folder
    if of is not None:
        check_baseline(of, f"{bench_file}: report.baseline", read_folder(of))


def _table(planned: Sequence[PlannedCell]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("measured in this order")
    for name in ("frame size", "repetitions", "trials of each", "trials", "time"):
        table.add_column(name, justify="right")
    named = _names([cell.cell for cell in planned])
    for name, cell in zip(named, planned, strict=True):
        every = cell.all_of_it
        table.add_row(
            name,
            cell.cell.series.size_text,
            f"{cell.repetitions:,}",
            trials_between(cell.each),
            trials_between(every),
            time_between(every),
        )
    return table


def _names(cells: Sequence[Cell]) -> list[str]:
    """With direction and mix, where not all have the same."""
    several = len({cell.mix for cell in cells}) > 1, len({cell.measure.direction for cell in cells}) > 1
    return [
        ", ".join(
            (
                cell.name,
                *(["{} of {} foreground".format(*cell.mix)] if several[0] else []),
                *([cell.measure.direction] if several[1] else []),
            )
        )
        for cell in cells
    ]


def _lines(bench: Bench, planned: Sequence[PlannedCell], slowest: float, limits: Sequence[str]) -> Iterator[str]:
    every = [reduce(add, one, Asked()) for one in zip(*(cell.all_of_it for cell in planned), strict=True)]
    yield ""
    yield f"In all {trials_between(every)} trials, {time_between(every)}."
    slower = f"none slower than {fps(slowest)}" if slowest else "as slow as searches go: --slowest leaves them out"
    yield (
        f"These are the least and the most that any of {len(every)} modelled devices takes, from one that passes "
        f"everything to slow ones ({slower}). Not counted: trials that are repeated as the Tester was held up (up to "
        "`retries` times each), and the time in which the device empties its table or restarts."
    )
    yield _before(bench)
    for whose, lines in (
        ("Tester", of_the_tester(bench, planned)),
        ("Device", [*of_the_device(bench, planned), *limits]),
    ):
        yield ""
        yield f"{whose}:"
        yield from (f"  {line}" for line in lines)


def _before(bench: Bench) -> str:
    """What takes some seconds, and is not among the trials."""
    wanted = plural(len(choices(bench)), "frame size and direction", "frame sizes and directions")
    tests = negative_tests_of(bench)
    negative = f", {plural(len(tests), 'negative test')}" if tests else ""
    return f"Before them: the Tester's self-test with {wanted}, a first look at the device without load{negative}."
