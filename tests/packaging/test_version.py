"""One version, wherever it stands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import xlatperf

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("pyproject.toml", r'^version = "(.*)"$'),
        ("meson.build", r"^project\('xlatperf', 'cpp', version: '([^']*)'"),
        ("CITATION.cff", r"^version: (.*)$"),
        ("CHANGELOG.md", r"^## \[(\d[^\]]*)\]"),
    ],
)
def test_version(name: str, pattern: str) -> None:
    found = re.search(pattern, (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE)
    assert found is not None
    assert found[1] == xlatperf.__version__
