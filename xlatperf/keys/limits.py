"""How many of a thing the engine takes."""

from __future__ import annotations

MOST_SUBSCRIBERS = 2**24
MOST_CONNECTIONS = 2**32 - 1
"""Of one trial (docs/protocol.md)."""
