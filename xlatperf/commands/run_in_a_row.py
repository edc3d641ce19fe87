"""`xlatperf run` of two devices in a row: three campaigns, each alone and both together, and which device limits."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from xlatperf.commands.alone import BOTH, each_of, heading, nothing_to_measure
from xlatperf.commands.exits import UserError
from xlatperf.commands.foreseen import foreseen_of
from xlatperf.commands.row_folder import measured_of_row
from xlatperf.commands.screen import lines_to, screen
from xlatperf.config.bench import Bench
from xlatperf.failures import Exit


def in_a_row(
    bench: Bench,
    bench_file: Path,
    text: str,
    path: Path,
    campaign: Callable[[Bench, str, Path], int],
    only: str | None = None,
) -> int:
    """Both first, then from left to right, each in a folder of its own; the worst exit code. Raises KnownFailure.

    `only`: this device alone.
    """
    chosen = each_of(bench, only)
    for one in chosen.values():
        foreseen_of(one, bench_file)
    if (path / "bench.toml").exists():
        raise UserError(f"{path}: this folder is that of one campaign, not of three; give another one by --folder")
    say, worst = lines_to(screen()), Exit.DONE
    for name, one in chosen.items():
        if not one.measure:
            say(nothing_to_measure(name))
            continue
        say(heading(name))
        worst = max(worst, Exit(campaign(one, text if name == BOTH else bench.alone[name].text, path / name.lower())))
    from xlatperf.commands.row_comparison import compare_row

    compare_row(path, measured_of_row(path))
    return worst
