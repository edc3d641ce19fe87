"""A campaign through a simulated Tester: all that `xlatperf run` does between opening the folder and the report."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from xlatperf.config.load import parse_bench
from xlatperf.results.results import Results
from xlatperf.results.selftest_records import SelfTest, SelfTestEntry
from xlatperf.run.campaign import run_campaign
from xlatperf.run.folder import CampaignFolder
from xlatperf.run.progress import PlainReporter
from xlatperf.run.tester import Tester


def campaign(
    path: Path,
    tester: Tester,
    text: str,
    *,
    alone: tuple[SelfTestEntry, ...] = (),
    sessions: int = 0,
    from_line: int | None = None,
    say: Console | None = None,
) -> Results:
    """In this folder, which may hold one that was interrupted. `alone`: what is known of the Tester itself."""
    with CampaignFolder(path, parse_bench(text, "bench.toml"), text) as folder:
        reporter = PlainReporter(say or Console(quiet=True))
        return run_campaign(folder, tester, SelfTest(entries=alone), reporter, sessions=sessions, from_line=from_line)
