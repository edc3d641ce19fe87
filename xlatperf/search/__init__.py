"""Searches: they know numbers and verdicts, nothing of frames."""
