"""The one line about a value that can't be: where it stands, what it is, what is allowed."""

from __future__ import annotations

from typing import NoReturn

from xlatperf.keys.in_words import shortened

_SAID = " is not allowed: "


def not_allowed(place: str, value: object, allowed: str) -> str:
    """`measure[0].shares: [1.0, 1.0] is not allowed: each share once`.

    `value`: None is said as nothing, text as it is: `toml` writes it as the bench file has it.
    """
    return f"{place}: {_shown(value)}{_SAID}{allowed}"


def refuse(place: str, value: object, allowed: str) -> NoReturn:
    """Raises ValueError with that line."""
    raise ValueError(not_allowed(place, value, allowed))


def says_where(message: str) -> bool:
    """Whether it is such a line already, or says that something is missing."""
    return _SAID in message or ": missing: " in message


def toml(value: object) -> str:
    """A value as the file has it, on one line, not too long."""
    written = f'"{value}"' if isinstance(value, str) else repr(value) if isinstance(value, float) else _shown(value)
    return shortened(" ".join(written.split()), 60)


def _shown(value: object) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return exact(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml, value))}]"
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{name} = {toml(one)}' for name, one in value.items())} }}"
    return " ".join(str(value).split())


def exact(value: float) -> str:
    """With all digits that the bench file has, and no more."""
    return repr(value).removesuffix(".0")
