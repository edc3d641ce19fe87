"""What a failure says of itself: the lines for its user, and the exit code of the command that it ended."""

from __future__ import annotations

from enum import IntEnum
from typing import ClassVar


class Exit(IntEnum):
    """What a command's exit code says."""

    DONE = 0
    MEASUREMENT_FAILED = 1
    USER = 2
    TESTER = 3


class KnownFailure(Exception):
    """A failure that is told in lines, without a traceback. Most are the user's to mend."""

    exit_code: ClassVar[Exit] = Exit.USER

    @property
    def told(self) -> list[str]:
        """Its lines."""
        return str(self).splitlines()
