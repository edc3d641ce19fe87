"""What is not allowed is said in one way, and in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

import xlatperf
from xlatperf.keys.not_allowed import not_allowed, refuse, says_where, toml


@pytest.mark.parametrize(
    ("value", "shown", "written"),
    [
        (None, "nothing", "nothing"),
        (True, "true", "true"),
        (3, "3", "3"),
        (1.0, "1", "1.0"),
        ((1, 2), "[1, 2]", "[1, 2]"),
        (1234567.5, "1234567.5", "1234567.5"),
        (0.1234567, "0.1234567", "0.1234567"),
        (["a", 1.0, False], '["a", 1.0, false]', '["a", 1.0, false]'),
        ({"a": {"b": "c"}}, '{ a = { b = "c" } }', '{ a = { b = "c" } }'),
        ("a\nb", "a b", '"a b"'),
        ("x" * 80, "x" * 80, '"' + "x" * 56 + "..."),
    ],
)
def test_values(value: object, shown: str, written: str) -> None:
    line = not_allowed("measure[0].shares", value, "each once")
    assert line == f"measure[0].shares: {shown} is not allowed: each once"
    assert says_where(line)
    assert toml(value) == written


def test_refused() -> None:
    with pytest.raises(ValueError, match=r"^first: 9 is not allowed: at most last, which is 8$"):
        refuse("first", 9, "at most last, which is 8")


def test_nobody_writes_it_by_hand() -> None:
    sources = Path(xlatperf.__file__).parent.rglob("*.py")
    by_hand = [path.name for path in sources if " is not allowed: " in path.read_text(encoding="utf-8")]
    assert by_hand == ["not_allowed.py"]
