"""The Tester's two ports of memif, joined to each other: what it can do by itself."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from xlatperf.devices import memif_port
from xlatperf.devices.assembled import explained
from xlatperf.devices.device import Attachment
from xlatperf.lab.runtime_folder import RuntimeFolder


@contextlib.contextmanager
def memif_cable(mtu: int, asked_fps: float) -> Iterator[Attachment]:
    """As long as it lasts. Raises DeviceError."""
    with explained():
        folder = RuntimeFolder()
    try:
        yield Attachment(*memif_port.of_cable(folder.path, mtu, asked_fps))
    finally:
        folder.remove()
