"""What can go wrong between the control and the engine."""

from __future__ import annotations


class EngineError(Exception):
    """The engine refused a request; it is still up. The message is the engine's one line."""


class EngineDied(Exception):
    """The engine is gone, does not answer in time or answers nonsense (exit code 3: the Tester's fault)."""
