"""Which cores of this host a DUT works on."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Annotated

from pydantic import Field

from xlatperf.devices.device import DeviceError
from xlatperf.keys.model import Whole
from xlatperf.keys.not_allowed import not_allowed

Cores = tuple[Annotated[Whole, Field(ge=0)], ...]
"""Numbers of cores in the bench file."""
CORES_ALLOWED = "a list of core numbers of this host, such as [0]"


def of_this_host(name: str, wanted: Sequence[int], available: Iterable[int] | None = None) -> tuple[int, ...]:
    """The cores of a key of `[device]`. Raises DeviceError if this process may not use them all."""
    there = available_cores() if available is None else set(available)
    if not set(wanted) <= there:
        allowed = ", ".join(map(str, sorted(there)))
        raise DeviceError(not_allowed(f"device.{name}", wanted, f"a list of {allowed}"))
    return tuple(wanted)


def available_cores() -> set[int]:
    """The cores that this process may use."""
    return os.sched_getaffinity(0)


def beside(taken: Iterable[int], available: Iterable[int] | None = None) -> tuple[int, ...]:
    """The cores for a DUT on this host: all but the Tester's, whose workers take precedence; all if none is left."""
    there = available_cores() if available is None else set(available)
    return tuple(sorted(there - set(taken) or there))


def chosen(count: int, taken: Iterable[int], available: Iterable[int] | None = None) -> tuple[int, ...]:
    """`count` cores for a DUT on this host: those that the Tester leaves free come first."""
    there = available_cores() if available is None else set(available)
    busy = set(taken)
    if not 1 <= count <= len(there):
        raise DeviceError(not_allowed("device_cores", count, f"1 to {len(there)}, the cores that the DUT may use"))
    return tuple(sorted(sorted(there, key=lambda core: (core in busy, core))[:count]))
