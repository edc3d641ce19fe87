"""A measure for what siitperf and Maptperf have on their command lines, and the directions of their configurations."""

from __future__ import annotations

from xlatperf.imports.bench_text import BenchText
from xlatperf.imports.key_values import KeyValues


def command_line(bench: BenchText, procedure: str, program: str, searches: str = "") -> None:
    """Begins a measure. `searches`: for which argument a script around the program does."""
    remark = f"# {program}'s rate is that of each direction, as here: both together have twice as many frames."
    if remark not in bench.lines:
        bench.lines += ["", remark]
    bench.measure(procedure, f"{program}-tp and a script that searches{searches}")
    bench.key("timeout_s", 2, f"{program}'s fourth argument, there in ms; RFC 2544 §23(d)")


def directions(bench: BenchText, keys: KeyValues, program: str, names: tuple[str, str]) -> None:
    """Which are active, for how long. `names`: the keys of our forward and reverse direction. Raises ValueError."""
    forward, reverse = (keys.whole(name, 1, 0, 1) for name in names)
    if not forward and not reverse:
        raise ValueError(f"{', '.join(sorted(names))}: missing: at least one of the two must be 1")
    direction = "bidirectional" if forward and reverse else "forward" if forward else "reverse"
    bench.key("direction", direction, keys.origin(*sorted(names)) or "not in the file")
    bench.key("duration_s", 60, f"{program}'s third argument; RFC 2544 §24")
