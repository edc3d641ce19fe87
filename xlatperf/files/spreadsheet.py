"""Text in tables for people: a spreadsheet would run some of it as a formula."""

from __future__ import annotations

_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")


def harmless(value: object) -> object:
    """A text that a spreadsheet takes for a formula gets an apostrophe, as spreadsheets write it; numbers stay.

    After OWASP's "CSV injection".
    """
    return f"'{value}" if isinstance(value, str) and value.startswith(_STARTS) and not _is_number(value) else value


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
