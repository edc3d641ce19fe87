"""Files that are anything but a text: one line each, at once, and no memory."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from xlatperf.files.reading import parse_json, read_bytes, read_text, why


def test_a_text(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("añb", encoding="utf-8")
    (tmp_path / "link").symlink_to("a")
    assert read_text(tmp_path / "a") == read_text(tmp_path / "link") == "añb"


def said(path: Path, most_bytes: int = 100) -> str:
    with pytest.raises((OSError, UnicodeDecodeError)) as failed:
        read_text(path, most_bytes)
    assert isinstance(failed.value, OSError | UnicodeDecodeError)
    return why(failed.value)


def test_what_is_none(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "to-zeros").symlink_to("/dev/zero")
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    (tmp_path / "round").symlink_to("round")
    assert (
        said(tmp_path / "pipe") == said(tmp_path / "to-zeros") == said(Path("/dev/zero")) == "it isn't a regular file"
    )
    assert said(tmp_path) == "it is a folder"
    assert said(tmp_path / "binary") == "not UTF-8 text"
    assert said(tmp_path / "none") == "No such file or directory"
    assert said(tmp_path / "round") == "Too many levels of symbolic links"


def test_no_more_than_is_allowed(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x" * 101)
    assert said(tmp_path / "a") == "it has more than the 0.0001 MB that are allowed"
    assert len(read_bytes(tmp_path / "a", 101)) == 101
    with (tmp_path / "sparse").open("wb") as file:
        file.truncate(1 << 40)
    assert "more than" in said(tmp_path / "sparse")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[" * 100_000, "nested too deep"),
        ('{"a":' * 100_000, "nested too deep"),
        ("[" + "9" * 5000 + "]", "an integer with thousands of digits"),
        ('{"a": Infinity}', "Infinity is no number in JSON"),
        ('{"a": NaN}', "NaN is no number in JSON"),
        ('{"a": -1e999}', "-1e999 is more than a floating-point number can be"),
        ("{", "Expecting property name"),
    ],
)
def test_json_that_can_not_be(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        parse_json(text)


def test_json() -> None:
    assert parse_json('{"a": [1, 2.5e300, null]}') == {"a": [1, 2.5e300, None]}
