"""Checks the keys of `[device]` that are the driver's own."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Mapping
from typing import Any

from xlatperf.devices.device import DeviceError


def check_names(driver: str, options: Mapping[str, Any], known: Iterable[str]) -> None:
    """Refuses a key that the driver doesn't know, and names the nearest that it knows."""
    names = sorted(known)
    for name in options:
        if name not in names:
            nearest = difflib.get_close_matches(name, names, 1)
            hint = f"; did you mean {nearest[0]}?" if nearest else f"; known are {', '.join(names) or 'none'}"
            raise DeviceError(f"device.{name}: the driver {driver} has no such key{hint}")


def integer(options: Mapping[str, Any], name: str, default: int, allowed: range) -> int:
    """A whole number within `allowed`."""
    value = options.get(name, default)
    if not isinstance(value, int) or isinstance(value, bool) or value not in allowed:
        raise DeviceError(f"device.{name}: {value!r} is not allowed: {allowed.start} to {allowed.stop - 1}")
    return value


def truth(options: Mapping[str, Any], name: str, default: bool) -> bool:
    """true or false."""
    value = options.get(name, default)
    if not isinstance(value, bool):
        raise DeviceError(f"device.{name}: {value!r} is not allowed: true or false")
    return value


def text(options: Mapping[str, Any], name: str) -> str | None:
    """A text that isn't empty; None if the key is absent."""
    value = options.get(name)
    if value is not None and (not isinstance(value, str) or not value):
        raise DeviceError(f"device.{name}: {value!r} is not allowed: a text")
    return value


def cores(options: Mapping[str, Any], name: str, available: Iterable[int]) -> tuple[int, ...]:
    """A list of core numbers of this host; empty if the key is absent."""
    value = options.get(name, [])
    there = sorted(available)
    if not isinstance(value, list | tuple) or any(core not in there or isinstance(core, bool) for core in value):
        raise DeviceError(f"device.{name}: {value!r} is not allowed: a list of {', '.join(map(str, there))}")
    return tuple(value)


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
        raise DeviceError(f"device_cores: {count} is not allowed: 1 to {len(there)}, the cores that the DUT may use")
    return tuple(sorted(sorted(there, key=lambda core: (core in busy, core))[:count]))
