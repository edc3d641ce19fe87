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
from xlatperf.keys.not_allowed import not_allowed
from xlatperf.report import self_test_csv
from xlatperf.report.bounds import SIGNS
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
        typer.Argument(parser=paths.path, metavar="BENCH", help="Use this file's cores, traffic and frame sizes."),
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
    runs: Annotated[
        int | None,
        typer.Option(
            "--runs",
            min=1,
            max=1000,
            help="Search for each limit so many times, in place of tester.selftest_runs: median, P1, P99, dispersion.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", parser=paths.path, metavar="FILE.csv", help="Also write all as a CSV file."),
    ] = None,
) -> int:
    """Measure the Tester without a DUT: highest rate without fault, and its own delay.

    Over the bench's ports joined to each other, where its driver can do that or a cable does, and over ports in memory.
    """
    bench = load_bench(bench_file) if bench_file is not None else default_bench()
    if cable and bench_file is None:
        raise UserError("--cable: BENCH is missing: the bench file that names the ports")
    if cable and bench.tester.one_port:
        raise UserError(f"{bench_file}: --cable is not allowed with tester.one_port: a cable joins two ports")
    if cable and not bench.device.users_own:
        raise UserError(
            f"{bench_file}: --cable is not allowed with device.driver = {bench.device.driver}, which joins its ports "
            "itself: manual"
        )
    say = lines_to(screen(stderr=True))
    if output is not None and output.suffix.lower() != ".csv":
        raise UserError(not_allowed("--output", output, "a name that ends in .csv"))
    entries = measure_tester(bench, duration_s=duration, progress=say, cable=cable, runs=runs)
    if bench_file is not None and bench.device.users_own:
        say(_kept(bench_file, bench, entries) if cable else _advice(bench_file))
    if output is not None:
        try:
            self_test_csv.write(entries, output)
        except OSError as error:
            raise UserError(f"--output: {output}: can't be written: {error.strerror}") from error
        say(f"table: {output}")
    if as_json:
        sys.stdout.write(json.dumps([entry.model_dump(mode="json") for entry in entries], indent=2) + "\n")
    else:
        screen().print(_limits(entries))
        for entry in entries:
            if entry.reason is not None:
                say(f"{', '.join(_which(entry))}: above it: {entry.reason}")
        screen().print(_delays(entries))
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


def _statistics(entry: SelfTestEntry) -> list[str]:
    """N, median, P1, P99, dispersion of all runs (RFC 8219 §12)."""
    found = entry.summary()
    if found is None:
        return ["1", *["-"] * 4]
    shown = [f"{SIGNS[entry.bound_of(value)]}{value:,.0f}" for value in (found.median, found.p1, found.p99)]
    return [str(found.n), *shown, "-" if entry.dispersion is None else f"{100 * entry.dispersion:.1f} %"]


def _limits(entries: list[SelfTestEntry]) -> Table:
    """Per direction."""
    several = any(entry.runs for entry in entries)
    table = Table(title="The Tester without a DUT: frames/s per direction")
    for heading in ("over", "bytes", "directions"):
        table.add_column(heading)
    for heading in ("best", "N", "median", "P1", "P99", "dispersion") if several else ("limit",):
        table.add_column(heading, justify="right")
    for entry in entries:
        limit = f"{entry.limit_fps:,.0f}" + (" or more" if entry.ceiling_fps is not None else "")
        table.add_row(*_which(entry), limit, *(_statistics(entry) if several else ()))
    return table


def _delays(entries: list[SelfTestEntry]) -> Table:
    """TL, WCL and PDV."""
    table = Table(title="Its own delay, TL / WCL / PDV in µs, at a share of the limit")
    for heading in ("over", "bytes", "directions"):
        table.add_column(heading)
    shares = sorted({delay.percent_of_limit for entry in entries for delay in entry.delays})
    for share in shares:
        table.add_column(f"{share:g} %", justify="right")
    for entry in entries:
        found = {delay.percent_of_limit: delay.forward or delay.reverse for delay in entry.delays}
        table.add_row(*_which(entry), *(_microseconds(found.get(share)) for share in shares))
    return table


def _which(entry: SelfTestEntry) -> tuple[str, str, str]:
    """Ports, frames, directions."""
    direction = entry.direction + (f", {PHASES[entry.phase]}" if entry.phase is not None else "")
    return entry.driver, f"{entry.frame_size.left} / {entry.frame_size.right}", direction
