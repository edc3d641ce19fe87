"""Keys of `[device]` about a host that is reached over SSH."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from xlatperf.devices.device import DeviceError
from xlatperf.keys.model import key
from xlatperf.keys.not_allowed import not_allowed

HOST_ALLOWED = "user@name, an address, or a name of ~/.ssh/config"
INTERFACE_ALLOWED = "the name of a network interface of device.host, up to 15 characters"

# no option of ssh(1), and nothing that a shell could take for something else
HostName = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.:\[\]][A-Za-z0-9_.:%@\[\]-]*$")]
"""As ssh(1) takes it."""
Interface = Annotated[str, Field(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.:@-]{0,14}$")]
"""Of that host."""
FileName = Annotated[str, Field(min_length=1)]
"""Of a file here."""


def ssh_config() -> Any:
    """The key `ssh_config`."""
    return key(
        None,
        "the file for ssh -F, relative to the bench file; without it that of whoever runs xlatperf: with sudo, root's",
        allowed="a file's name",
    )


def settings_file(name: str | None, folder: Path) -> Path | None:
    """`ssh_config` of a bench file in that folder. Raises DeviceError where there is none."""
    if name is None:
        return None
    file = folder / name
    if not file.is_file():
        raise DeviceError(not_allowed("device.ssh_config", name, "a file"))
    return file
