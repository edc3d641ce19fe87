"""Writes all keys of results.json, by its schema: python -m docs.results_keys. What breaks its promise is refused."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from xlatperf.results.file import results_schema

PAGE = Path(__file__).parent / "results-keys.txt"
_VERSION = "schema_version = "
_STEP = re.compile(r"\.\*|\[\]|\[\d+\]|[^.\[]+")


class Key(NamedTuple):
    """A place in the document. `words`: all that it may be, if they are few. `model`: the schema's name of its keys."""

    place: str
    kind: str
    words: tuple[Any, ...]
    model: str | None
    members: Mapping[str, Any]

    def lines(self) -> Iterator[str]:
        """`place: kind`, and a line for each word."""
        yield f"{self.place}: {self.kind}"
        yield from (f"{self.place} = {json.dumps(word)}" for word in self.words)


class Schema:
    """Of results.json."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self._root = schema

    def lines(self) -> list[str]:
        """All keys. One that has the same keys as a place before it names that."""
        return list(self._below("", self._root, {}))

    def _below(self, place: str, item: Mapping[str, Any], places: dict[str, str]) -> Iterator[str]:
        for step, member in _steps(item):
            key = self._key(f"{place}{step}".removeprefix("."), member)
            if key.model in places:
                yield f"{key.place}: as {places[key.model]}"
                continue
            if key.model is not None:
                places[key.model] = key.place
            yield from key.lines()
            yield from self._below(key.place, key.members, places)

    def _key(self, place: str, item: Mapping[str, Any]) -> Key:
        kinds = [kind for kind in item.get("anyOf", [item]) if kind.get("type") != "null"]
        empty = " or null" if len(kinds) < len(item.get("anyOf", [item])) else ""
        models = [kind["$ref"].rsplit("/", 1)[1] if "$ref" in kind else None for kind in kinds]
        known = [
            kind if model is None else self._root["$defs"][model] for kind, model in zip(kinds, models, strict=True)
        ]
        words = tuple(word for one in known for word in one.get("enum", [one["const"]] if "const" in one else []))
        names = dict.fromkeys("word" if "enum" in one or "const" in one else one.get("type", "any") for one in known)
        model, members = (models[0], known[0]) if len(known) == 1 else (None, {})
        return Key(place, " or ".join(names) + empty, words, model, members)

    def at(self, place: str) -> Key | None:
        """What stands there; None: nothing does."""
        item: Mapping[str, Any] = self._root
        key: Key | None = None
        for step in _STEP.findall(place):
            member = dict(_steps(item)).get(step if step[0] in ".[" else f".{step}")
            if member is None:
                return None
            key = self._key(place, member)
            item = key.members
        return key


def _steps(item: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    yield from ((f".{name}", member) for name, member in item.get("properties", {}).items())
    if isinstance(item.get("items"), dict):
        yield "[]", item["items"]
    if isinstance(item.get("additionalProperties"), dict):
        yield ".*", item["additionalProperties"]
    yield from ((f"[{number}]", each) for number, each in enumerate(item.get("prefixItems", ())))


def broken(before: Sequence[str], now: Schema) -> list[str]:
    """Lines of the same version that aren't true any more."""
    if not any(line.startswith(_VERSION) and line in now.lines() for line in before):
        return []
    return [line for line in before if not _true(line, now)]


def _true(line: str, now: Schema) -> bool:
    place, _, word = line.partition(" = ")
    if word:
        key = now.at(place)
        return key is not None and json.loads(word) in key.words
    place, _, kind = line.partition(": ")
    key = now.at(place)
    if key is None or not kind.startswith("as "):
        return key is not None and key.kind == kind
    other = now.at(kind.removeprefix("as "))
    return other is not None and key.members == other.members


def main() -> int:
    """Exit code 1 if a key is gone, or has another type."""
    schema = Schema(results_schema())
    gone = broken(PAGE.read_text(encoding="utf-8").splitlines() if PAGE.is_file() else [], schema)
    if gone:
        print(f"raise SCHEMA_VERSION in xlatperf/results/results.py, as this changed: {'; '.join(gone)}")
        return 1
    PAGE.write_text("\n".join(schema.lines()) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
