"""make bench, or python -m bench.speed [--rounds N] [--before FILE] [--document] [ROW ...]: what a frame costs, in
cycles of one core, beside a plain DPDK loop and dpdk-testpmd in the same run.

Each round takes every row once, in turn, so that what else the machine does meets all of them alike. Traffic goes
nowhere (net_null) or through memory (net_ring) back to the Tester, which verifies every frame.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from bench.accuracy.machine import describe, sentence
from bench.accuracy.places import choose_cores
from bench.speed import hugepages
from bench.speed.case import Case
from bench.speed.document import PAGE, part
from bench.speed.measured import Measured, as_document
from bench.speed.rows import Row, chosen
from bench.speed.table import on_screen
from bench.speed.tester import speed, ticks_per_second
from bench.speed.yardsticks import YardstickFailed, cycles_per_frame, missing
from xlatperf.engine.errors import EngineDied, EngineError

ROUNDS = 7
OUTPUT = Path("build/speed/speed.json")


def measure(rows: Sequence[Row], rounds: int, console: Console) -> list[Measured]:
    """Row by row, round by round. Raises EngineError, EngineDied, YardstickFailed."""
    cores = choose_cores()
    found = [Measured(row) for row in rows]
    huge = hugepages.free() >= hugepages.WANTED
    with console.status("") as status:
        for number in range(rounds):
            for measured in found:
                row = measured.row
                status.update(f"round {number + 1} of {rounds}: {row.name}")
                takes_part = (huge or not row.hugepages) and (row.rounds is None or number < row.rounds)
                measured.cycles.append(_take(measured, cores.tester, cores.device) if takes_part else None)
    return found


def _take(measured: Measured, core: int, other_core: int) -> float:
    row = measured.row
    if not isinstance(row.what, Case):
        return cycles_per_frame(row.what, core, other_core, row.hugepages)
    found = speed(row.what, core)
    measured.verified &= found.verified
    return found.cycles_per_frame


def load(path: Path) -> Mapping[str, Mapping[str, Any]]:
    """Rows of an earlier run by name; none if there was none. Raises ValueError if it isn't one."""
    if not path.is_file():
        return {}
    try:
        return {row["name"]: row for row in json.loads(path.read_text(encoding="utf-8"))["rows"]}
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{path}: it isn't what `make bench` writes") from error


def main(given: Sequence[str] | None = None) -> int:
    """Measures, shows, writes build/speed/speed.json. 1: a target was missed or a frame was wrong; 3: it failed."""
    parser = argparse.ArgumentParser(prog="python -m bench.speed", description=__doc__)
    parser.add_argument("rows", nargs="*", metavar="ROW", help="part of a row's name; all rows without")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--before", type=Path, default=OUTPUT, help="an earlier run to compare with")
    parser.add_argument("--document", action="store_true", help="write the table into docs/speed.md")
    wanted = parser.parse_args(given)
    if wanted.document and wanted.rows:
        parser.error("--document: not with some rows alone")
    if wanted.rounds < 1:
        parser.error(f"--rounds: {wanted.rounds} is not allowed: 1 or more")
    console = Console()
    if not console.is_terminal:
        console = Console(width=160)
    rows, machine = chosen(wanted.rows), describe()
    if not rows:
        console.print("no row has such a name", highlight=False)
        return 2
    console.print(sentence(machine), highlight=False)
    lacking = missing()
    try:
        before = load(wanted.before)
        if lacking:
            raise YardstickFailed("missing: " + ", ".join(lacking))
        with hugepages.reserved() as enough:
            if not enough:
                few = f"Fewer than {hugepages.WANTED} free hugepages, and they can't be reserved"
                console.print(f"{few}: rows with them aren't measured", highlight=False)
            found = measure(rows, wanted.rounds, console)
            hz = ticks_per_second(choose_cores().tester)
    except (EngineError, EngineDied, YardstickFailed, ValueError) as error:
        console.print(f"[red]{error}[/red]", highlight=False)
        return 3
    by_name = {one.row.name: one for one in found}
    documents = [as_document(one, by_name) for one in found]
    console.print(on_screen(documents, hz, before))
    OUTPUT.parent.mkdir(parents=True, exist_ok=True)
    OUTPUT.write_text(json.dumps({"machine": machine, "hz": hz, "rows": documents}, indent=1) + "\n")
    console.print(str(OUTPUT), highlight=False)
    if wanted.document:
        PAGE.write(part(sentence(machine), documents, hz))
        console.print(f"{PAGE.path} has this table now", highlight=False)
    return 1 if any(one["within"] is False or not one["verified"] for one in documents) else 0


if __name__ == "__main__":
    sys.exit(main())
