"""Lists that pages keep as JavaScript: an object or array as JSON has it, with what JavaScript allows beyond that."""

from __future__ import annotations

import re
from collections.abc import Iterator

_TOKEN = re.compile(
    r"""
    (?P<string> "(?:[^"\\\n]|\\.)*+" | '(?:[^'\\\n]|\\.)*+' )
    | (?P<comment> //[^\n]*+ | /\*.*?(?:\*/|\Z) )
    | (?P<space> \s++ )
    | (?P<name> [\w$.+-]++ )
    | (?P<sign> . )
    """,
    re.DOTALL | re.VERBOSE,
)
_BEFORE = re.compile(
    r"(?:export\s+default|module\.exports\s*=|(?:(?:export\s+)?(?:const|let|var)\s+)?[\w$.]+\s*=)?\s*(?:[\w$.?]*\s*\()?"
)
"""What may stand before the object or array: an assignment, or a function's call as providers' servers answer."""
_NAME = re.compile(r"[A-Za-z_$][\w$]*+")
_LOOKED_AT = 4000


def is_javascript(text: str) -> bool:
    """Whether it looks like an object or array, maybe with an assignment or a function's call around it."""
    plain = "".join(_tokens(text[:_LOOKED_AT])).lstrip()
    before = _BEFORE.match(plain)
    return before is not None and plain[before.end() :].lstrip()[:1] in ("{", "[")


def json_of(text: str) -> str:
    """The same as JSON: one value, without comments, with names and strings in double quotes. Lines stay."""
    plain = "".join(_tokens(text)).strip(" \t\r")
    before = _BEFORE.match(plain.lstrip())
    if before is None:
        return plain
    start = len(plain) - len(plain.lstrip()) + before.end()
    inside = plain[start:].rstrip().removesuffix(";").rstrip()
    if before[0].endswith("("):
        inside = inside.removesuffix(")")
    return "\n" * plain[:start].count("\n") + inside


def _tokens(text: str) -> Iterator[str]:
    """As JSON has them. A name is what a colon follows; a comma before a bracket is none."""
    held, space = "", ""
    for found in _TOKEN.finditer(text):
        word = found[0]
        if found["space"] or found["comment"]:
            space += word if found["space"] else "\n" * word.count("\n")
            continue
        if held == "," and word in ("}", "]"):
            held = ""
        elif word == ":" and _NAME.fullmatch(held):
            held = f'"{held}"'
        yield held + space
        held, space = _string(word) if found["string"] else word, ""
    yield held + space


def _string(word: str) -> str:
    if word.startswith('"'):
        return word
    return '"' + word[1:-1].replace("\\'", "'").replace('"', '\\"') + '"'
