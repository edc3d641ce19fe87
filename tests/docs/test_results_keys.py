"""What a version of results.json promises (docs/results.md) is kept, and its list of keys is up to date."""

from __future__ import annotations

import copy

import pytest

from docs.results_keys import PAGE, Schema, broken
from xlatperf.results.file import results_schema

WRITTEN = PAGE.read_text(encoding="utf-8").splitlines()
TRIAL, DIRECTION = ("$defs", "Trial", "properties"), ("$defs", "Direction", "properties")


def changed(where: tuple[str, ...], key: str, value: object = None) -> Schema:
    """The schema with another value of a key, or without it."""
    schema = copy.deepcopy(results_schema())
    place = schema
    for step in where:
        place = place[step]
    del place[key]
    if value is not None:
        place[key] = value
    return Schema(schema)


def test_up_to_date() -> None:
    """Else: python -m docs.results_keys. It refuses what needs another version."""
    now = Schema(results_schema())
    assert broken(WRITTEN, now) == []
    assert now.lines() == WRITTEN


def test_a_key_that_goes_needs_another_version() -> None:
    assert broken(WRITTEN, changed(TRIAL, "run")) == ["trials[].run: string"]
    assert "trials[].forward.loss: integer" in broken(WRITTEN, changed(DIRECTION, "loss"))
    assert broken(WRITTEN, changed(("properties",), "seed", {"type": "string"})) == ["seed: integer"]


def test_a_word_that_goes_needs_another_version() -> None:
    bound = ("$defs", "Derived", "properties", "bound")
    assert broken(WRITTEN, changed(bound, "enum", ["", "<=", "~"])) == ['measurements[].derived[].bound = ">="']
    assert broken(WRITTEN, changed(bound, "enum", ["", ">=", "<=", "~", "?"])) == []


@pytest.mark.parametrize("where", [(), ("$defs", "Trial"), ("$defs", "SelfTestEntry")])
def test_what_comes_needs_none(where: tuple[str, ...]) -> None:
    """Wherever it stands: what has its keys from there on is the same document."""
    schema = results_schema()
    place = schema
    for step in where:
        place = place[step]
    place["properties"] = {"more": {"$ref": "#/$defs/Delay"}, **place["properties"]}
    assert broken(WRITTEN, Schema(schema)) == []
    assert Schema(schema).lines() != WRITTEN


def test_another_version_promises_nothing_of_this_one() -> None:
    schema = results_schema()
    schema["properties"] = {"schema_version": {"const": 99}}
    assert broken(WRITTEN, Schema(schema)) == []
