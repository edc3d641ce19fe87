"""Text from others (a folder's name, a device's command, a title) that commands no terminal and breaks no document."""

from __future__ import annotations

import re

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def visible(text: str) -> str:
    """With control characters shown as `\\x1b`, but for line breaks and tabs."""
    return _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)
