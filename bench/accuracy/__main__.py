"""python -m bench.accuracy [--quick] [--output FOLDER] [--document]."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from bench.accuracy import document, screen
from bench.accuracy.extent import FULL, QUICK
from bench.accuracy.machine import describe, sentence
from bench.accuracy.markdown import page
from bench.accuracy.row import VERDICTS, Row
from bench.accuracy.taken import REASONS
from bench.accuracy.whole import measure
from xlatperf.devices.device import DeviceError
from xlatperf.engine.errors import EngineDied, EngineError
from xlatperf.run.signals import Interrupted, signals_as_exceptions

SCHEMA = 1
FAILED, TESTER = 1, 3
"""Exit codes: a row is outside its bound, or a row could not be measured; the Tester failed."""


def arguments(given: Sequence[str] | None) -> argparse.Namespace:
    """What was asked."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.accuracy", description="Shows what is known against what xlatperf measures."
    )
    parser.add_argument("--quick", action="store_true", help="short trials: shows that it works, measures nothing")
    parser.add_argument(
        "--output", type=Path, default=Path("build/accuracy"), help="folder of accuracy.json and accuracy.md"
    )
    parser.add_argument("--document", action="store_true", help="write the table into docs/accuracy.md")
    parsed = parser.parse_args(given)
    if parsed.quick and parsed.document:
        parser.error("--document: not with --quick, which measures nothing")
    return parsed


def main(given: Sequence[str] | None = None) -> int:
    """Measures, shows, writes. Returns the exit code."""
    wanted = arguments(given)
    extent = QUICK if wanted.quick else FULL
    console = Console(width=None if sys.stdout.isatty() else 190)
    machine, began = describe(), time.monotonic()
    console.print(sentence(machine), highlight=False)
    try:
        with signals_as_exceptions():
            rows = measure(extent, lambda text: console.print(text, style="dim", highlight=False))
    except (EngineError, EngineDied, DeviceError) as error:
        console.print(f"[red]{error}[/red]", highlight=False)
        return TESTER
    except Interrupted as interrupted:
        return 128 + interrupted.number
    machine["took_s"] = round(time.monotonic() - began, 1)
    screen.show(rows, console)
    _write(rows, machine, extent.name, wanted.output)
    console.print(f"{wanted.output}/accuracy.json and accuracy.md, after {machine['took_s']:.0f} s", highlight=False)
    if wanted.document:
        document.update(page(rows, machine, extent.name))
        console.print(f"{document.PAGE} has this table now", highlight=False)
    return _summary(rows, console)


def _write(rows: Sequence[Row], machine: dict[str, object], extent: str, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    record = {
        "schema": SCHEMA,
        "extent": extent,
        "machine": machine,
        "verdicts": VERDICTS,
        "reasons": REASONS,
        "rows": [row.record() for row in rows],
    }
    (folder / "accuracy.json").write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    (folder / "accuracy.md").write_text(page(rows, machine, extent), encoding="utf-8")


def _summary(rows: Sequence[Row], console: Console) -> int:
    """What the verdicts amount to, and why trials were refused."""
    verdicts = Counter(row.verdict for row in rows)
    console.print(", ".join(f"{verdicts[name]} {name}" for name in VERDICTS), highlight=False)
    for reason in sorted({reason for row in rows for reason in row.reasons}):
        console.print(f"  {reason}: {REASONS.get(reason, 'see docs/protocol.md')}", style="dim", highlight=False)
    return FAILED if verdicts["outside"] or verdicts["refused"] else 0


if __name__ == "__main__":
    sys.exit(main())
