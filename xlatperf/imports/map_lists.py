"""Lists of MAP rules, as JSON or as comma-separated values: what each row has, and where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from xlatperf.files.reading import parse_json
from xlatperf.imports.found import Found, numbered
from xlatperf.imports.map_names import key_of
from xlatperf.keys.not_allowed import refuse

Row = Mapping[str, Found]
"""By our names of a rule's values."""
_JSONP = re.compile(r"\A\s*[\w$.?]*\s*\((.*)\)\s*;?\s*\Z", re.DOTALL)
_MOST_DEEP = 20
_NUMBERS = ("ea_bits", "psid_offset")


def is_json(text: str) -> bool:
    """Also with a function's call around it, as providers' servers answer."""
    stripped = text.lstrip()
    return stripped.startswith(("{", "[")) or bool(_JSONP.match(text) and "{" in stripped[:200])


def json_rows(text: str) -> Iterator[Row]:
    """Of the first list of objects that are rules, or of one object. Raises ValueError."""
    wrapped = _JSONP.match(text)
    try:
        document = parse_json(wrapped[1] if wrapped else text)
    except ValueError as error:
        raise ValueError(f"not JSON: {' '.join(str(error).split())}") from error
    rules = list(_rules(document))
    if not rules:
        raise ValueError("missing: no object in it has ipv6Prefix and ipv4Prefix")
    for index, rule in enumerate(rules, 1):
        row: dict[str, Found] = {}
        for name, value in rule.items():
            key = key_of(name)
            if isinstance(value, bool):
                value = int(value) if key == "interface_identifier" else None  # noqa: PLW2901 - else it's no value
            if key is not None and isinstance(value, str | int) and value != "":
                row[key] = Found(f"rule {index}, {name}", str(value), 0)
        yield row


def _rules(document: Any, depth: int = 0) -> Iterator[Mapping[str, Any]]:
    if depth > _MOST_DEEP:
        return
    if isinstance(document, list):
        for one in document:
            yield from _rules(one, depth + 1)
    elif isinstance(document, dict):
        if {"ipv6", "ipv4"} <= {key_of(name) for name in document}:
            yield document
        else:
            for one in document.values():
                yield from _rules(one, depth + 1)


def csv_rows(text: str) -> Iterator[Row]:
    """Columns by a first line with their names, as `name=value`, or by what they look like. Raises ValueError."""
    names: list[str | None] | None = None
    for number, line in numbered(text):
        words = [one.strip().strip("\"'") for one in line.partition("#")[0].split(",")]
        if not any(words):
            continue
        if "=" in line:
            yield _named(words, number)
        elif names is None and not any(":" in word or "." in word for word in words):
            names = [key_of(word) for word in words]
            if not {"ipv6", "ipv4"} <= set(names):
                refuse(f"line {number}", line, "the names of columns, among them ipv6, ipv4 and ea_bits")
        elif names is not None:
            if len(words) != len(names):
                refuse(f"line {number}", line, f"{len(names)} values, as the first line has names")
            pairs = zip(names, words, strict=True)
            yield {name: Found(name, word, number) for name, word in pairs if name is not None and word}
        else:
            yield _guessed(words, line, number)


def _named(words: list[str], number: int) -> Row:
    row: dict[str, Found] = {}
    for word in words:
        name, _, value = (one.strip() for one in word.partition("="))
        key = key_of(name)
        if key is not None and value:
            row[key] = Found(name, value, number)
    return row


def _guessed(words: list[str], line: str, number: int) -> Row:
    """A prefix or address is known by its looks; a number behind an address without a slash is its length."""
    row: dict[str, Found] = {}
    numbers = list(_NUMBERS)
    before = ""
    for word in words:
        key = _looks_like(word, before, row, numbers)
        if key is None or key in row:
            refuse(f"line {number}", line, "IPv6 prefix, IPv4 prefix, EA bits, PSID offset, border relay")
        row[key] = Found(key, word, number)
        before = key if "/" not in word and key in ("ipv6", "ipv4") else ""
    return row


def _looks_like(word: str, before: str, row: Row, numbers: list[str]) -> str | None:
    if word.isdecimal():
        return f"{before}_length" if before else numbers.pop(0) if numbers else None
    if ":" in word:
        if "/" in word:
            return "ipv6" if "ipv6" not in row else "dmr"
        return "br" if not row or "ipv6" in row else "ipv6"
    return "ipv4" if "." in word else None


def missing_of(row: Row) -> list[str]:
    """What a rule can't be without."""
    needed = ("ipv6", "ipv4", "ea_bits")
    return [name for name in needed if name not in row]
