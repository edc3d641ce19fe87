"""Files that a command makes where none is: what is there is left as it is."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from xlatperf.commands.exits import UserError


def write_new(files: Mapping[Path, str]) -> None:
    """All of them, or none if one is there. Raises UserError."""
    for path in files:
        if os.path.lexists(path):
            raise UserError(f"{path}: exists already; it is left as it is")
    for path, text in files.items():
        try:
            with path.open("x", encoding="utf-8") as file:
                file.write(text)
        except FileExistsError:
            raise UserError(f"{path}: exists already; it is left as it is") from None
        except OSError as error:
            raise UserError(f"{path}: can't be written: {error.strerror}") from error
