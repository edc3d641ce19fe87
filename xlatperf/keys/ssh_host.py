"""Keys about a host that OpenSSH's client reaches."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field

from xlatperf.keys.located import Located
from xlatperf.keys.model import key
from xlatperf.keys.not_allowed import not_allowed

HOST_ALLOWED = "user@name, an address, or a name of ~/.ssh/config"

# no option of ssh(1), a name behind the user, and nothing that a shell could take for something else
HostName = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.:\[\]]([A-Za-z0-9_.:%@\[\]-]*[A-Za-z0-9_.:\]-])?$")]
"""As ssh(1) takes it."""
FileName = Annotated[str, Field(min_length=1)]
"""Of a file here."""


class SshSettings(Located):
    """A table with such a host: with the user's own settings of OpenSSH's client or with those of a file."""

    ssh_config: FileName | None = key(
        None,
        "the file for ssh -F, relative to the bench file; without it that of whoever runs xlatperf: with sudo, root's",
        allowed="a file's name",
    )

    def ssh_file(self, table: str) -> Path | None:
        """What a table of this name names; None: the user's own settings. Raises ValueError: there is no such file."""
        if self.ssh_config is None:
            return None
        file = self._folder / self.ssh_config
        if not file.is_file():
            raise ValueError(not_allowed(f"{table}.ssh_config", self.ssh_config, "a file"))
        return file
