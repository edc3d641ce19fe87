"""The one error of the lab."""

from __future__ import annotations


class LabError(Exception):
    """The testbed can't be made; the message is one line for the user."""
