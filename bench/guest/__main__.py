"""python -m bench.guest [--seconds S] [--nice N ...]: two engines at full rate on two cores, and a third program.

What the third one gets, with the engines' nice value as `tester.nice` sets it; and how two engines share one core.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from bench.accuracy.machine import describe, sentence
from bench.accuracy.places import choose_cores
from xlatperf.config.bench import Bench
from xlatperf.config.load import parse_bench
from xlatperf.config.request import configure_message, open_message
from xlatperf.config.tester import TesterConfig
from xlatperf.engine.client import Engine
from xlatperf.engine.errors import EngineDied, EngineError

NICE = (-20, -5, 0)
RATE_FPS = 50_000_000.0
"""More than a core can do: the engine never waits for the next frame."""


@dataclass(frozen=True)
class Left:
    """What the third program gets, and what each engine sends meanwhile, both directions together."""

    nice: int
    share: float
    longest_wait_s: float
    latest_awake_s: float
    sent_fps: tuple[float, ...]


@contextmanager
def engines(cores: Sequence[int], nice: int) -> Iterator[list[Engine]]:
    """One for each core, over ports in memory."""
    with ExitStack() as stack:
        running = []
        for core in cores:
            bench = bench_of(core, nice)
            one = stack.enter_context(Engine())
            one.configure(configure_message(bench, (1, 1), loopback=True))
            one.open(open_message(bench, "net_ring0", "net_ring1"))
            running.append(one)
        yield running


def bench_of(core: int, nice: int) -> Bench:
    """SIIT, as the self-test has it."""
    tester = f"tester = {{ cores = [{core}], nice = {nice} }}"
    return parse_bench(f'technology.name = "siit"\ndevice.driver = "reference"\n{tester}', "guest")


def full_rate(engine: Engine, seconds: float) -> float:
    """Frames per second that it sent."""
    request = {"request": "trial", "frame_size": 84, "frame_size_of": "ipv6", "timeout_s": 0.05, "samples": 0}
    schedule = {"late_us": 1e7, "late_share": 1, "overrun": 0}
    answer = engine.trial({**request, "rate_fps": RATE_FPS, "duration_s": seconds, "number": 0, "schedule": schedule})
    return sum(way.sent for way in answer.directions.values()) / seconds


def left(cores: Sequence[int], nice: int, seconds: float) -> Left:
    """The third program runs a second less than the engines, in their midst."""
    with engines(cores, nice) as running, ThreadPoolExecutor(len(running)) as pool:
        sending = [pool.submit(full_rate, one, seconds + 1) for one in running]
        third = [sys.executable, "-m", "bench.guest.third", str(seconds - 1)]
        found = json.loads(subprocess.run(third, stdout=subprocess.PIPE, check=True).stdout)
        return Left(nice=nice, sent_fps=tuple(one.result() for one in sending), **found)


def shared(core: int, nice: int, seconds: float) -> tuple[float, ...]:
    """What two engines on one core send each."""
    with engines((core, core), nice) as running, ThreadPoolExecutor(len(running)) as pool:
        return tuple(one.result() for one in [pool.submit(full_rate, each, seconds) for each in running])


def show(rows: Sequence[Left], on_one_core: Sequence[float]) -> Console:
    """The table."""
    table = Table(title="Two engines at full rate on two cores, and a third program")
    for name in ("tester.nice", "third's share of a core", "its longest wait", "latest wake-up", "engines send"):
        table.add_column(name, justify="right")
    for row in rows:
        table.add_row(
            str(row.nice),
            f"{100 * row.share:.1f} %",
            f"{1e3 * row.longest_wait_s:.1f} ms",
            f"{1e3 * row.latest_awake_s:.1f} ms",
            ", ".join(f"{rate / 1e6:.1f} Mfps" for rate in row.sent_fps),
        )
    console = Console()
    console.print(table)
    first, second = on_one_core
    ratio = f"1 to {second / first:.2f}" if first else "nothing was sent"
    console.print(f"Two engines on one core: {first / 1e6:.2f} and {second / 1e6:.2f} Mfps, {ratio}")
    return console


def main(given: Sequence[str] | None = None) -> int:
    """Exit code 3: the engine failed."""
    parser = argparse.ArgumentParser(prog="python -m bench.guest", description=__doc__)
    parser.add_argument("--seconds", type=float, default=6.0, help="for each nice value, more than 1")
    parser.add_argument("--nice", type=int, nargs="+", default=NICE, choices=range(-20, 20), metavar="-20 to 19")
    parser.add_argument("--output", type=Path, default=Path("build/guest.json"))
    options = parser.parse_args(given)
    if options.seconds <= 1:
        parser.error(f"--seconds: {options.seconds:g} is not allowed: more than 1")
    cores = choose_cores()
    try:
        rows = [left((cores.tester, cores.device), nice, options.seconds) for nice in options.nice]
        on_one_core = shared(cores.tester, TesterConfig().nice, options.seconds / 2)
    except (EngineDied, EngineError) as error:
        print(error, file=sys.stderr)
        return 3
    machine = describe()
    console = show(rows, on_one_core)
    console.print(sentence(machine))
    record: dict[str, Any] = {"machine": machine, "rows": [asdict(row) for row in rows], "on_one_core_fps": on_one_core}
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps(record, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
