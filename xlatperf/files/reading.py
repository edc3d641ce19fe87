"""Reads files that may be anything: a pipe doesn't hang, a device doesn't fill the memory, deep JSON breaks nothing."""

from __future__ import annotations

import errno
import json
import math
import os
import stat
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

BENCH_BYTES = 1 << 20
"""A bench file of all procedures with all their keys has a hundredth of that."""
MEGABYTE = 1_000_000
CAMPAIGN_BYTES = 512 * MEGABYTE
"""Of results.json, or of a histogram: of 100,000 trials."""


def read_text(path: Path, most_bytes: int = CAMPAIGN_BYTES) -> str:
    """The text of a regular file, also behind a symbolic link. Raises OSError and UnicodeDecodeError."""
    return read_bytes(path, most_bytes).decode("utf-8")


def read_bytes(path: Path, most_bytes: int = CAMPAIGN_BYTES) -> bytes:
    """The same, as it is. Raises OSError."""
    with open_regular(path) as file:
        content = file.read(most_bytes + 1)
    if len(content) > most_bytes:
        raise OSError(errno.EFBIG, f"it has more than the {most_bytes / MEGABYTE:.3g} MB that are allowed", str(path))
    return content


def open_regular(path: Path) -> BinaryIO:
    """A regular file, to be read in binary. Raises OSError, of a pipe or a device at once."""
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            folder = stat.S_ISDIR(os.fstat(handle).st_mode)
            raise OSError(errno.EINVAL, "it is a folder" if folder else "it isn't a regular file", str(path))
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def parse_json(text: str) -> Any:
    """The document. Raises ValueError, also for what is nested too deep, for numbers too long, and for Infinity."""
    try:
        return json.loads(text, parse_constant=_refuse, parse_float=_finite)
    except RecursionError as error:
        raise ValueError("it is nested too deep") from error
    except ValueError as error:
        if str(error).startswith("Exceeds the limit"):  # so says int()
            raise ValueError("it has an integer with thousands of digits") from error
        raise


def why(error: OSError | UnicodeDecodeError) -> str:
    """Why a file can't be read, in words."""
    return error.strerror if isinstance(error, OSError) and error.strerror else "not UTF-8 text"


def _finite(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise ValueError(f"{text[:40]} is more than a floating-point number can be")
    return value


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number in JSON")
