"""`xlatperf run` of two devices in a row: three campaigns, each alone and both together, and which device limits."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import typer

from xlatperf.commands.alone import BOTH, heading
from xlatperf.commands.exits import UserError
from xlatperf.commands.screen import lines_to, screen
from xlatperf.config.bench import Bench
from xlatperf.failures import Exit
from xlatperf.run.session import refuse_early

COMPARISON = "comparison.html"


def in_a_row(bench: Bench, text: str, path: Path, campaign: Callable[[Bench, str, Path], int]) -> int:
    """Both first, then from left to right, each in a folder of its own; the worst exit code. Raises KnownFailure."""
    all_three = {BOTH: (bench, text), **{name: (one.bench, one.text) for name, one in bench.alone.items()}}
    for one, _ in all_three.values():
        refuse_early(one)
    if (path / "bench.toml").exists():
        raise UserError(f"{path}: this folder is that of one campaign, not of three; give another one by --folder")
    say, worst, done = lines_to(screen()), Exit.DONE, []
    for name, (one, its_text) in all_three.items():
        if not one.measure:
            say(f"{heading(name)}: none of these measures is one of a device without connections")
            continue
        say(heading(name))
        done.append(path / name.lower())
        worst = max(worst, Exit(campaign(one, its_text, done[-1])))
    if len(done) > 1:
        _compare(done, path / COMPARISON)
    return worst


def _compare(folders: list[Path], output: Path) -> None:
    from xlatperf.commands.compare import compare_campaigns

    try:
        compare_campaigns(folders, output)
    except OSError as error:
        raise UserError(f"{error.filename or output}: can't be written: {error.strerror}") from error
    typer.echo(f"comparison: {output}")
