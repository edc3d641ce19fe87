"""python -m bench.ports [--rounds N] [--document]: what ports on network interfaces carry through this host's kernel,
by the Tester, by a plain DPDK loop and by dpdk-testpmd, on the same ports, one after the other in each round.

Everything happens on one core, the kernel's work too: it is done where a frame is sent. Needs root.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from bench.accuracy.machine import describe, sentence
from bench.accuracy.places import choose_cores
from bench.ports import yardsticks
from bench.ports.case import Case, all_cases
from bench.ports.table import YARDSTICK, Line, Measured, in_markdown, on_screen
from bench.ports.tester import carried
from bench.speed.yardsticks import YardstickFailed, missing
from docs.marked import Marked
from xlatperf.devices.device import DeviceError
from xlatperf.devices.kernel_dut import TESTER_PORTS_FACT
from xlatperf.engine.errors import EngineDied, EngineError
from xlatperf.lab.error import LabError
from xlatperf.run.session import session

ROUNDS = 7
OUTPUT = Path("build/speed/ports.json")
PAGE = Marked(
    Path(__file__).resolve().parents[2] / "docs" / "speed.md",
    "<!-- The table is written by `python -m bench.ports --document`. -->",
    "<!-- end of the table of ports -->",
)


def measure(rounds: int, console: Console) -> list[Line]:
    """Round by round. Raises DeviceError, LabError, EngineError, EngineDied, YardstickFailed."""
    cases = all_cases()
    lines = []
    for case in cases:
        who = ["Tester", YARDSTICK, *(["testpmd"] if case.both else [])]
        lines.append(Line(case.port_driver, case.name, [Measured(one) for one in who]))
    with console.status("") as status:
        for number in range(rounds):
            for case, line in zip(cases, lines, strict=True):
                status.update(f"round {number + 1} of {rounds}: {line.ports}, {line.traffic}")
                _take(case, line)
    return lines


def _take(case: Case, line: Line) -> None:
    cores = choose_cores()
    with session(case.bench(cores.tester)) as running:
        if why := running.device.facts().get(TESTER_PORTS_FACT):
            raise YardstickFailed(why)  # it would be another table
        at = running.device.attachment
        found = [carried(case, running)]
        running.engine.close()
        found.append(yardsticks.plain_through(case, at, cores.tester))
        if case.both:
            dut = at.command_prefix[-1].removesuffix("-tester") + "-dut"
            found.append(yardsticks.testpmd(at, cores.tester, cores.device, dut))
    for measured, one in zip(line.measured, found, strict=True):
        measured.rounds.append(one)


def main(given: Sequence[str] | None = None) -> int:
    """Measures, shows, writes build/speed/ports.json. 1: the Tester lost a frame; 3: it failed."""
    parser = argparse.ArgumentParser(prog="python -m bench.ports", description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--document", action="store_true", help="write the table into docs/speed.md")
    wanted = parser.parse_args(given)
    if wanted.rounds < 1:
        parser.error(f"--rounds: {wanted.rounds} is not allowed: 1 or more")
    console, machine = Console(), describe()
    console.print(sentence(machine), highlight=False)
    try:
        if lacking := missing(yardsticks.PLAIN_THROUGH):
            raise YardstickFailed("missing: " + ", ".join(lacking))
        lines = measure(wanted.rounds, console)
    except (DeviceError, LabError, EngineError, EngineDied, YardstickFailed) as error:
        console.print(f"[red]{error}[/red]", highlight=False)
        return 3
    console.print(on_screen(lines))
    OUTPUT.parent.mkdir(parents=True, exist_ok=True)
    OUTPUT.write_text(json.dumps({"machine": machine, "lines": [line.document() for line in lines]}, indent=1) + "\n")
    console.print(str(OUTPUT), highlight=False)
    if wanted.document:
        PAGE.write(sentence(machine) + "\n\n" + in_markdown(lines))
        console.print(f"{PAGE.path} has this table now", highlight=False)
    lost = sum(one.lost for line in lines for one in line.measured if one.who == "Tester")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
