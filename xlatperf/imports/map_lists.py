"""Lists of MAP rules, as JSON or as comma-separated values: what each row has, and where it stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from xlatperf.files.reading import parse_json
from xlatperf.imports.found import Found, numbered
from xlatperf.imports.javascript import json_of
from xlatperf.imports.map_names import key_of
from xlatperf.keys.not_allowed import refuse

Row = Mapping[str, Found]
"""By our names of a rule's values."""
_MOST_DEEP = 20
_NUMBERS = ("ea_bits", "psid_offset")
_OF_ALL = ("br", "dmr", "interface_identifier", "psid_offset", "type")
UNKNOWN = "unknown "
"""Before names of a row that aren't ours."""


def json_rows(text: str) -> Iterator[Row]:
    """Of the first list of objects that are rules, or of one object. Raises ValueError."""
    try:
        document = parse_json(json_of(text))
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
            if isinstance(value, str | int) and value != "":
                _put(row, Found(f"rule {index}, {name}", str(value), 0), key, name)
        yield row


def _put(row: dict[str, Found], found: Found, key: str | None, name: str) -> None:
    """What has none of our names is kept under its own. Raises ValueError for a second value.

    A DMR that is an address is MAP-E's: the border relay's (RFC 7597 §5), as providers' servers call it.
    """
    if key == "dmr" and ":" in found.text and "/" not in found.text:
        key = "br"
    if key is None:
        row.setdefault(f"{UNKNOWN}{name}", found)
    elif key in row and row[key].text != found.text:
        refuse(found.origin, found.text, f"{row[key].text}, as {row[key].origin} has it")
    else:
        row[key] = found


def _rules(document: Any, depth: int = 0, around: Mapping[str, Any] | None = None) -> Iterator[Mapping[str, Any]]:
    """`around`: what the objects around it say of all rules in them, such as the border relay's address."""
    if depth > _MOST_DEEP:
        return
    around = around or {}
    if isinstance(document, list):
        for one in document:
            yield from _rules(one, depth + 1, around)
    elif isinstance(document, dict):
        own = {key_of(name) for name in document}
        if {"ipv6", "ipv4"} <= own:
            yield {**{name: value for name, value in around.items() if key_of(name) not in own}, **document}
        else:
            said = {name: value for name, value in document.items() if key_of(name) in _OF_ALL}
            for one in document.values():
                yield from _rules(one, depth + 1, {**around, **said})


def csv_rows(text: str) -> Iterator[Row]:
    """Columns by a first line with their names, as `name=value`, or by what they look like. Raises ValueError."""
    names: list[str] | None = None
    for number, line in numbered(text):
        words = [one.strip().strip("\"'") for one in line.partition("#")[0].split(",")]
        if not any(words):
            continue
        if "=" in line:
            yield _named(words, number)
        elif names is None and not any(":" in word or "." in word for word in words):
            names = words
            if not {"ipv6", "ipv4"} <= {key_of(name) for name in names}:
                refuse(f"line {number}", line, "the names of columns, among them ipv6, ipv4 and ea_bits")
        elif names is not None:
            if len(words) != len(names):
                refuse(f"line {number}", line, f"{len(names)} values, as the first line has names")
            row: dict[str, Found] = {}
            for name, word in zip(names, words, strict=True):
                if word:
                    _put(row, Found(key_of(name) or name, word, number), key_of(name), name)
            yield row
        else:
            yield _guessed(words, line, number)


def _named(words: list[str], number: int) -> Row:
    row: dict[str, Found] = {}
    for word in words:
        name, _, value = (one.strip() for one in word.partition("="))
        if value:
            _put(row, Found(name, value, number), key_of(name), name)
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
