"""Tests of the real engine need it built: `make build`, or XLATPERF_ENGINE names another one."""

from __future__ import annotations

import pytest

from tests.engine_system.engine_process import ENGINE


@pytest.fixture(autouse=True, scope="session")
def built_engine() -> None:
    """Skips with the reason where there is no engine."""
    if not ENGINE.exists():
        pytest.skip(f"{ENGINE} is not built")
