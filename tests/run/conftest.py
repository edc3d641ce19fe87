"""The fake engine as the engine that xlatperf starts."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests import fake_engine as fake


@pytest.fixture
def fake_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until the test ends; its FAKE_... variables are the test's own."""
    program = tmp_path / "engine"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{fake.__file__}"\n')
    program.chmod(0o755)
    monkeypatch.setenv("XLATPERF_ENGINE", str(program))
