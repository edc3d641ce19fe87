"""python -m bench.connections [--connections N ...] [--rate FPS]: memory and time of connections, without a DUT."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from bench.accuracy.machine import describe, sentence
from bench.accuracy.places import choose_cores
from bench.resident_memory import resident_mb
from xlatperf.engine.client import Engine
from xlatperf.engine.errors import EngineDied, EngineError
from xlatperf.engine.trial_answer import TrialAnswer

COUNTS = (1_000_000, 16_000_000, 256_000_000)
LINK = {"ipv4": {"address": "192.168.18.2", "gateway": "192.168.18.1"}}


@dataclass(frozen=True)
class Cost:
    """Of one number of connections. `begin_s`: a trial's time beyond sending. Memory is the process's resident set."""

    connections: int
    memory_mb: float
    bytes_per_connection: float
    begin_s: float
    establish_fps: float
    established: bool
    survey_s: float
    validate_fps: float
    validated: bool
    steady_fps: float
    steady: bool


def configure() -> dict[str, Any]:
    """NAT44 in loopback: one client, one server, all ports."""
    return {
        "request": "configure",
        "loopback": True,
        "technology": {"name": "nat44", "pool": {"first": "198.18.0.1"}},
        "left": LINK,
        "right": LINK,
        "traffic": {"connections": {"clients": {"first": "10.0.0.2"}, "servers": {"first": "198.19.0.2"}}},
    }


def trial(
    engine: Engine, number: int, rate_fps: float, phase: str, count: int, **more: Any
) -> tuple[TrialAnswer, float]:
    """The answer, and how long it took beyond sending, in s."""
    directions = {"establish": ["forward"], "each_once": ["reverse"]}.get(phase, ["forward", "reverse"])
    began = time.monotonic()
    answer = engine.trial(
        {
            "request": "trial",
            "number": number,
            "frame_size": 64,
            "frame_size_of": "ipv4",
            "rate_fps": rate_fps,
            "timeout_s": 0.05,
            "directions": directions,
            "connections": {"count": count, "phase": phase},
            "schedule": {"late_us": 1e6},
            **more,
        }
    )
    sending_s = more.get("duration_s", count / rate_fps)
    return answer, time.monotonic() - began - sending_s


def complete(answer: TrialAnswer | None) -> bool:
    """It took place and is valid, and every frame was right."""
    if answer is None or not answer.valid:
        return False
    return all(way.foreground.expected == way.intended for way in answer.directions.values())


def measure(count: int, rate_fps: float) -> Cost:
    """One engine for each number. Raises EngineError, EngineDied."""
    with Engine() as engine:
        engine.configure(configure())
        engine.open(
            {
                "request": "open",
                "cores": [choose_cores().tester],
                "idle": "poll",
                "left": {"port": "net_ring0"},
                "right": {"port": "net_ring1"},
            }
        )
        before = resident_mb(engine.pid)
        first, begin_s = trial(engine, 1, rate_fps, "establish", count)
        memory = resident_mb(engine.pid) - before
        survey_s = float("nan")
        second: TrialAnswer | None = None
        third: TrialAnswer | None = None
        if complete(first):
            began = time.monotonic()
            engine.mappings(count)
            survey_s = time.monotonic() - began
            second = trial(engine, 2, rate_fps, "each_once", count)[0]
            third = trial(engine, 3, rate_fps / 2, "steady", count, duration_s=5.0)[0]
        return Cost(
            count, memory, memory * 1024 * 1024 / count, begin_s, rate_fps, complete(first), survey_s,
            rate_fps, complete(second), rate_fps / 2, complete(third),
        )  # fmt: skip


def main(given: Sequence[str] | None = None) -> int:
    """Measures, shows, writes build/connections.json."""
    parser = argparse.ArgumentParser(prog="python -m bench.connections", description=__doc__)
    parser.add_argument("--connections", type=int, nargs="+", default=list(COUNTS))
    parser.add_argument("--rate", type=float, default=2e6, help="frames per second")
    wanted = parser.parse_args(given)
    console, machine = Console(), describe()
    console.print(sentence(machine), highlight=False)
    table = Table(
        "connections", "memory", "each", "beyond sending", "phase 1", "survey", "validation", "phase 2, each way"
    )
    costs: list[Cost] = []
    try:
        for count in wanted.connections:
            cost = measure(count, wanted.rate)
            costs.append(cost)
            table.add_row(
                f"{cost.connections:,}",
                f"{cost.memory_mb:,.0f} MB",
                f"{cost.bytes_per_connection:.2f} B",
                f"{cost.begin_s:.2f} s",
                _rate(cost.establish_fps, cost.established),
                f"{cost.survey_s:.1f} s",
                _rate(cost.validate_fps, cost.validated),
                _rate(cost.steady_fps, cost.steady),
            )
    except (EngineError, EngineDied) as error:
        console.print(f"[red]{error}[/red]", highlight=False)
        return 3
    console.print(table)
    output = Path("build/connections.json")
    output.parent.mkdir(exist_ok=True)
    output.write_text(json.dumps({"machine": machine, "costs": [asdict(cost) for cost in costs]}, indent=1) + "\n")
    console.print(str(output), highlight=False)
    return 0 if all(cost.established and cost.validated and cost.steady for cost in costs) else 1


def _rate(fps: float, done: bool) -> str:
    return f"{fps:,.0f} fps, {'all right' if done else 'not all right'}"


if __name__ == "__main__":
    sys.exit(main())
