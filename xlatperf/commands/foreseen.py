"""What can be told of a bench's device before anything is made, with the name of the bench file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from xlatperf.commands.exits import UserError
from xlatperf.config.bench import Bench
from xlatperf.devices.device import DeviceError
from xlatperf.engine.errors import EngineError
from xlatperf.run.session import foreseen

_OF_KEY = re.compile(r"(?:device|technology|tester|traffic|measure)(?:\[\d+\])?[.:]")


@contextmanager
def of_file(bench_file: Path) -> Iterator[None]:
    """What a device says against a key of the bench file has its name. Raises UserError."""
    try:
        yield
    except DeviceError as error:
        if _OF_KEY.match(str(error)) is None:
            raise
        raise UserError(f"{bench_file}: " + "\n".join(error.told)) from error


def foreseen_of(bench: Bench, bench_file: Path) -> list[str]:
    """What the device does otherwise than its standard, a line each. Raises UserError for what can't be, EngineDied."""
    try:
        return foreseen(bench)
    except DeviceError as error:
        raise UserError(f"{bench_file}: {error}") from error
    except EngineError as error:
        if error.of_bench_file is None:
            raise
        raise UserError(f"{bench_file}: {error.of_bench_file}") from error
