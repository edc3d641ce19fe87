"""Text in tables for people: a spreadsheet would run some of it as a formula."""

from __future__ import annotations

from xlatperf.files.visible import visible

_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")


def harmless(value: object) -> object:
    """A text that a spreadsheet takes for a formula gets an apostrophe, as spreadsheets write it; numbers stay.

    After OWASP's "CSV injection". Control characters, which would command a terminal, are shown as such.
    """
    if not isinstance(value, str):
        return value
    text = visible(value)
    return f"'{text}" if value.startswith(_STARTS) and not _is_number(value) else text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
