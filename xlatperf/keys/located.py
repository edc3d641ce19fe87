"""Tables that name files or folders of the user's."""

from __future__ import annotations

from pathlib import Path
from typing import Self

from pydantic import PrivateAttr

from xlatperf.keys.model import ConfigModel


class Located(ConfigModel):
    """A table with a name that is relative to the bench file."""

    _folder: Path = PrivateAttr(default=Path())

    def located(self, folder: Path) -> Self:
        """The same, what it names being found from there."""
        copy = self.model_copy()
        copy._folder = folder  # noqa: SLF001 - it is one of these
        return copy
