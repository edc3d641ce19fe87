"""`xlatperf selftest`: the Tester's own limit and delay."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from xlatperf.commands import paths
from xlatperf.commands.exits import UserError
from xlatperf.commands.screen import lines_to, screen
from xlatperf.config.bench import Bench
from xlatperf.config.load import load_bench, parse_bench
from xlatperf.engine.delays import Delay
from xlatperf.failures import Exit
from xlatperf.procedures.in_words import fps
from xlatperf.results.selftest_records import SelfTestEntry, SelfTestPhase
from xlatperf.run.cabled import keep, path_of
from xlatperf.run.selftest import selftest as measure_tester

PHASES: dict[SelfTestPhase, str] = {"establish": "phase 1", "steady": "phase 2"}
"""Of stateful technologies."""
DEFAULT = """technology.name = "siit"
measure = [{ procedure = "throughput", frame_sizes = [84, 512, 1518] }]
"""


def default_bench() -> Bench:
    """SIIT, the richest traffic of the technologies there are, with a small, a middle and a large frame."""
    return parse_bench(DEFAULT, "the default bench")


def selftest(
    bench_file: Annotated[
        Path | None,
        typer.Argument(parser=paths.path, metavar="[BENCH]", help="Use this file's cores, traffic and frame sizes."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    duration: Annotated[
        float,
        typer.Option(
            "--duration",
            min=0.05,
            max=60,
            help="Seconds for which a limit must hold, thrice; the search's trials last a third.",
        ),
    ] = 0.5,
    cable: Annotated[
        bool,
        typer.Option(
            "--cable",
            help="The bench's own ports are joined by a cable now, without a device: measure them, and keep the result "
            "beside BENCH for its campaigns.",
        ),
    ] = False,
) -> int:
    """Measure the Tester without a DUT: highest rate without fault, and its own delay.

    Over the bench's ports joined to each other, where its driver can do that or a cable does, and over ports in memory.
    """
    bench = load_bench(bench_file) if bench_file is not None else default_bench()
    if cable and bench_file is None:
        raise UserError("--cable: BENCH is missing: the bench file that names the ports")
    if cable and not bench.device.users_own:
        raise UserError(
            f"{bench_file}: --cable is not allowed with device.driver = {bench.device.driver}, which joins its ports "
            "itself: manual"
        )
    say = lines_to(screen(stderr=True))
    entries = measure_tester(bench, duration_s=duration, progress=say, cable=cable)
    if bench_file is not None and bench.device.users_own:
        say(_kept(bench_file, bench, entries) if cable else _advice(bench_file))
    if as_json:
        sys.stdout.write(json.dumps([entry.model_dump(mode="json") for entry in entries], indent=2) + "\n")
    else:
        screen().print(_table(entries))
    return Exit.DONE if all(entry.limit_fps > 0 for entry in entries) else Exit.TESTER


def _kept(bench_file: Path, bench: Bench, entries: list[SelfTestEntry]) -> str:
    """Keeps what the ports can do; says where."""
    if any(entry.limit_fps <= 0 for entry in entries):
        return "not kept, as it failed: are the two ports joined by a cable, with no device between them?"
    return f"{keep(bench_file, bench, entries)}: kept for the campaigns of {bench_file}"


def _advice(bench_file: Path) -> str:
    known = f" (measured before: {path_of(bench_file)})" if path_of(bench_file).exists() else ""
    return f"the ports' own limit: xlatperf selftest {bench_file} --cable, with a cable in the device's place{known}"


def _microseconds(delay: Delay | None) -> str:
    """TL, WCL and PDV (RFC 8219 §7.2, §7.3.1) of all frames."""
    if delay is None or delay.median_ns is None or delay.p999_ns is None or delay.min_ns is None:
        return "-"
    shown = (delay.median_ns, delay.p999_ns, delay.p999_ns - delay.min_ns)
    return " / ".join(f"{value / 1000:.1f}" for value in shown)


def _table(entries: list[SelfTestEntry]) -> Table:
    table = Table(title="The Tester without a DUT: per direction")
    for heading in (
        "over",
        "bytes",
        "directions",
        "limit",
        "above it",
        "at 10 %: TL / WCL / PDV in µs",
        "50 %",
        "90 %",
    ):
        table.add_column(heading, justify="left" if heading in ("over", "directions", "above it") else "right")
    for entry in entries:
        delays = [_microseconds(delay.forward or delay.reverse) for delay in entry.delays]
        limit = fps(entry.limit_fps) + (" or more" if entry.ceiling_fps is not None else "")
        table.add_row(
            entry.driver,
            f"{entry.frame_size.left} / {entry.frame_size.right}",
            entry.direction + (f", {PHASES[entry.phase]}" if entry.phase is not None else ""),
            limit,
            entry.reason or "",
            *(delays + ["-"] * 3)[:3],
        )
    return table
