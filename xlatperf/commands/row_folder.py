"""The folder of two devices in a row: a campaign in a folder of its own for both, and for each alone (RFC 8219 §4)."""

from __future__ import annotations

import tomllib
from pathlib import Path

from xlatperf.commands.alone import BOTH
from xlatperf.commands.exits import UserError
from xlatperf.config.in_a_row import MADE_OF_TWO
from xlatperf.files.reading import BENCH_BYTES, read_text
from xlatperf.technologies.in_a_row import LEFT_NAMES, RIGHT_NAMES

_BENCH = "bench.toml"
_RESULTS = "results.json"


def is_row(folder: Path) -> bool:
    """Whether it has campaigns of both or of one of them, and is none itself."""
    return not (folder / _BENCH).exists() and bool(folders_of_row(folder))


def refuse_row(folder: Path) -> None:
    """Raises UserError where one campaign is to be, or is looked for."""
    if is_row(folder):
        each = ", ".join(str(one) for one in folders_of_row(folder))
        raise UserError(f"{folder}: this folder is that of two devices in a row, of which each has a campaign: {each}")


def folders_of_row(folder: Path) -> list[Path]:
    """Those that are there: of both, then from left to right."""
    names = (BOTH, *LEFT_NAMES, *RIGHT_NAMES)
    return [one for one in (folder / name.lower() for name in names) if _is_of_row(one)]


def _is_of_row(folder: Path) -> bool:
    """By its bench file: others may have such a name as well."""
    frozen = folder / _BENCH
    try:
        text = read_text(frozen, BENCH_BYTES) if frozen.is_file() else ""
        return MADE_OF_TWO in text.partition("\n")[0] or isinstance(tomllib.loads(text).get("device"), list)
    except (OSError, ValueError):
        return False  # whoever reads it will say why


def measured_of_row(folder: Path) -> list[Path]:
    """Of those the ones that have results."""
    return [one for one in folders_of_row(folder) if (one / _RESULTS).is_file()]


def nothing_yet(folder: Path) -> str:
    """Of a campaign's folder without results, or of a row's, in words."""
    whole = folder.parent if is_row(folder.parent) else folder
    return (
        f"{folder}: nothing of this campaign has been measured yet; xlatperf run with its bench file and "
        f"--folder {whole} goes on"
    )
