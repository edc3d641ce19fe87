"""Campaigns on a machine that Tester, device and others share: what a held-up host took away is measured again."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from tests.retries import attempts
from tests.system.command import xlatperf
from xlatperf.results.file import read_results
from xlatperf.results.results import Results

ATTEMPTS = 4


def _nothing(_: dict[str, Any]) -> list[float]:
    return []


@dataclass(frozen=True)
class Campaign:
    """Its folder, and what was on the screen."""

    folder: Path
    output: str

    @cached_property
    def results(self) -> dict[str, Any]:
        """results.json, as it is."""
        found: dict[str, Any] = json.loads(self._text)
        return found

    @cached_property
    def model(self) -> Results:
        """The same, as its model."""
        return read_results(self._text)

    @property
    def _text(self) -> str:
        return (self.folder / "results.json").read_text(encoding="utf-8")


def campaign(
    folder: Path,
    bench: str,
    *,
    worse: Callable[[dict[str, Any]], list[float]] = _nothing,
    wrong: bool = False,
    timeout_s: float = 150,
) -> Campaign:
    """A complete campaign in `folder`/c, its self-test left out; no frame is wrong, unless `wrong` is ordered.

    A host that holds the device up only takes frames away: what lost too many for a result, or is `worse` than the
    device, or came too late, may be so by chance and is tried again; a frame that is wrong never is.
    """
    (folder / "bench.toml").write_text(bench, encoding="utf-8")
    found: list[object] = []
    for _ in attempts(ATTEMPTS):
        shutil.rmtree(folder / "c", ignore_errors=True)
        ended = xlatperf("run", "bench.toml", "--folder", "c", "--skip-selftest", folder=folder, timeout_s=timeout_s)
        if "another run" in ended.output:  # the size of the kernel's table is one value for the whole host
            pytest.skip(ended.output)
        assert ended.code in (0, 1), ended.output
        made = Campaign(folder / "c", ended.output)
        assert made.results["complete"] is True
        errors = {one["reason"] for one in made.results["findings"] if one["kind"] == "error"}
        assert wrong or errors <= {"after_wait"}, ended.output
        late = ["frames came after the wait"] if errors and not wrong else []
        found.append(late or worse(made.results) if ended.code == 0 else ended.output)
        if not found[-1]:
            return made
    pytest.fail(f"worse than the device, in each of {ATTEMPTS} campaigns: {found}")
