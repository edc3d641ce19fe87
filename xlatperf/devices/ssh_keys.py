"""Keys of `[device]` about a host that is reached over SSH."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field

from xlatperf.devices.device import DeviceError
from xlatperf.devices.driver import Driver
from xlatperf.keys.ssh_host import SshSettings

INTERFACE_ALLOWED = "the name of a network interface of device.host, up to 15 characters"
Interface = Annotated[str, Field(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.:@-]{0,14}$")]
"""Of that host."""


class SshConfig(SshSettings, Driver):
    """Drivers that reach a host."""

    @property
    def ssh_settings(self) -> Path | None:
        """The file; None: the user's own. Raises DeviceError where it isn't."""
        try:
            return self.ssh_file("device")
        except ValueError as error:
            raise DeviceError(str(error)) from error
