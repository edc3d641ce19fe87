"""python -m bench.subscribers [--subscribers N ...] [--rules N ...] [--rounds N]: what CEs,
lwB4s and B4s cost the Tester, beside SIIT, without a DUT.

Each round takes every case once, in turn, so that what else the machine does meets all of them alike; the best of a
case's rounds counts. The Tester is asked for more than it can send, in both directions over two ports in memory, and
verifies every frame.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from bench.accuracy.machine import describe, sentence
from bench.accuracy.places import LOOPBACK, choose_cores
from bench.resident_memory import resident_mb
from bench.speed.case import TECHNOLOGIES
from bench.speed.tester import establish
from bench.subscribers.rules import EA_BITS, rule_set
from xlatperf.config.bench import Bench
from xlatperf.config.load import parse_bench
from xlatperf.config.request import ALL_FOREGROUND, configure_message, open_message
from xlatperf.engine.client import Engine
from xlatperf.engine.errors import EngineDied, EngineError

COUNTS = (1_000, 1_000_000, 16_000_000)
ASKED_FPS = 40_000_000.0
DURATION_S = 0.1
WAIT_S = 0.02
MOST_OF_FILE = 4_000_000
"""Softwires that a binding table is read with: 270 MB of text."""
SHARING = ("map-e", "map-t", "lw4o6", "nat44", "dslite")
"""Gateways between many and the addresses that they share."""
OF_CONNECTIONS = ("nat44", "dslite")
"""With so many of them: each subscriber has one; of NAT44, which has none, the same number."""
ALONE = ("siit", "dslite-b4")
"""Without subscribers."""
MOST_CONNECTIONS = 4_000_000
ESTABLISH_FPS = 1_000_000.0
ONE_EACH = "[traffic.connections]\nclient_ports = { first = 10000, last = 10000 }\n"
RULES = (64, 4096)
CES_OF_RULES = (4096, 409_600, 4_096_000)
HOSTS = "[traffic.right.hosts]\nprefix = '198.19.0.0/24'\nnetworks = 128\n"


@dataclass(frozen=True)
class Case:
    """One technology with so many subscribers; None: it has none. `table`: the file that they are read from. `rules`:
    of MAP, that these are of.
    """

    technology: str
    subscribers: int | None
    table: Path | None = None
    rules: int = 1

    @property
    def name(self) -> str:
        """For people."""
        if self.subscribers is None:
            return self.technology
        of = " connections" if self.technology == "nat44" else " from a file" if self.table else ""
        of_rules = f" of {self.rules:,} rules" if self.rules > 1 else ""
        return f"{self.technology}, {self.subscribers:,}{of}{of_rules}"


@dataclass
class Cost:
    """`begin_s`: `configure` and a trial of 0.1 s, beyond its sending and waiting. Memory: resident set."""

    name: str
    cycles_per_frame: float = float("inf")
    begin_s: float = float("inf")
    memory_mb: float = 0.0
    verified: bool = True


def bench_of(case: Case, core: int) -> Bench:
    """As a user would write it; the far end has 128 networks in each case."""
    text = f'[tester]\ncores = [{core}]\nidle = "poll"\n[technology]\nname = "{case.technology}"\n'
    own = TECHNOLOGIES[case.technology] if case.table is None else f'softwires = {{ table = "{case.table}" }}\n'
    if case.rules > 1 and case.subscribers is not None:
        own = rule_set(case.technology, case.rules, case.subscribers)
    traffic = {"nat44": "[traffic.connections]\n", "dslite": ONE_EACH}.get(case.technology, HOSTS)
    return parse_bench(text + own + traffic, case.name)


def write_table(case: Case) -> None:
    """The same softwires as a file. Raises EngineError, EngineDied."""
    if case.table is None or case.table.is_file():
        return
    with Engine() as engine:
        generated = bench_of(Case(case.technology, None), 0)
        engine.configure(configure_message(generated, ALL_FOREGROUND, subscribers=case.subscribers))
        engine.softwires(case.table)


def trial(case: Case, rate_fps: float, timeout_s: float, **more: Any) -> dict[str, Any]:
    """The engine's request, of a patient Tester; 104 bytes are those of the side with the larger frames."""
    return {
        "request": "trial",
        "number": 1,
        "frame_size": 104,
        "frame_size_of": "ipv4" if case.technology == "nat44" else "ipv6",
        "rate_fps": rate_fps,
        "timeout_s": timeout_s,
        "schedule": {"late_us": 1e6, "late_share": 1, "overrun": 1},
        **more,
    }


def take(engine: Engine, bench: Bench, case: Case, cost: Cost, hz: float) -> None:
    """One trial; what is better than before is kept. Raises EngineError, EngineDied."""
    began = time.monotonic()
    subscribers = None if case.technology == "nat44" else case.subscribers
    engine.configure(configure_message(bench, ALL_FOREGROUND, loopback=True, subscribers=subscribers))
    directions: dict[str, Any] = {"duration_s": DURATION_S, "directions": ["forward", "reverse"]}
    if case.technology in OF_CONNECTIONS and case.subscribers is not None:
        establishing = time.monotonic()
        establish(engine, case.subscribers, trial(case, ESTABLISH_FPS, 0.1))
        began += time.monotonic() - establishing
        directions["connections"] = {"count": case.subscribers, "phase": "steady"}
    answer = engine.trial(trial(case, ASKED_FPS, WAIT_S, **directions))
    beyond = time.monotonic() - began - 2 * DURATION_S - WAIT_S  # it sends for as long again, and stops
    ways = list(answer.directions.values())
    cost.verified &= all(way.foreground.expected == way.foreground.sent for way in ways)
    cost.cycles_per_frame = min(cost.cycles_per_frame, hz / sum(way.offered_fps for way in ways))
    cost.begin_s = min(cost.begin_s, max(0.0, beyond))
    cost.memory_mb = resident_mb(engine.pid)


def measure(cases: Sequence[Case], rounds: int) -> list[Cost]:
    """An engine for each case and round. Raises EngineError, EngineDied."""
    core = choose_cores().tester
    costs = [Cost(case.name) for case in cases]
    benches = [bench_of(case, core) for case in cases]
    for _ in range(rounds):
        for case, bench, cost in zip(cases, benches, costs, strict=True):
            with Engine() as engine:
                engine.configure(configure_message(bench, ALL_FOREGROUND, loopback=True))
                opened = engine.open(open_message(bench, *LOOPBACK))
                take(engine, bench, case, cost, opened.clock.hz if opened.clock is not None else float("nan"))
    return costs


def main(given: Sequence[str] | None = None) -> int:
    """Measures, shows, writes build/subscribers.json."""
    parser = argparse.ArgumentParser(prog="python -m bench.subscribers", description=__doc__)
    parser.add_argument("--subscribers", type=int, nargs="+", default=list(COUNTS))
    parser.add_argument("--rules", type=int, nargs="*", default=list(RULES))
    parser.add_argument("--rounds", type=int, default=10)
    wanted = parser.parse_args(given)
    console, machine = Console(), describe()
    console.print(sentence(machine), highlight=False)
    cases = [Case(name, None) for name in ALONE]
    for name in SHARING:
        most = MOST_CONNECTIONS if name in OF_CONNECTIONS else max(wanted.subscribers)
        cases += [Case(name, n) for n in wanted.subscribers if n <= most]
    for rules in wanted.rules:
        most = rules << EA_BITS
        cases += [Case(name, n, rules=rules) for name in ("map-e", "map-t") for n in CES_OF_RULES if rules <= n <= most]
    try:
        with tempfile.TemporaryDirectory(prefix="xlatperf-") as folder:
            for count in wanted.subscribers:
                cases.append(Case("lw4o6", min(count, MOST_OF_FILE), Path(folder) / f"{count}.csv"))
                write_table(cases[-1])
            costs = measure(cases, wanted.rounds)
    except (EngineError, EngineDied) as error:
        console.print(f"[red]{error}[/red]", highlight=False)
        return 3
    siit = costs[0].cycles_per_frame
    table = Table("technology", "cycles per frame", "of SIIT's", "set up in", "memory", "frames")
    for cost in costs:
        table.add_row(
            cost.name,
            f"{cost.cycles_per_frame:.0f}",
            f"{cost.cycles_per_frame / siit:.2f}",
            f"{cost.begin_s * 1e3:,.0f} ms",
            f"{cost.memory_mb:,.0f} MB",
            "all verified" if cost.verified else "not all right",
        )
    console.print(table)
    output = Path("build/subscribers.json")
    output.parent.mkdir(exist_ok=True)
    document: dict[str, Any] = {"machine": machine, "costs": [asdict(cost) for cost in costs]}
    output.write_text(json.dumps(document, indent=1) + "\n")
    console.print(str(output), highlight=False)
    return 0 if all(cost.verified for cost in costs) else 1


if __name__ == "__main__":
    sys.exit(main())
