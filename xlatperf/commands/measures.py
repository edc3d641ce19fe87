"""The bench file of a campaign: there must be something to measure."""

from __future__ import annotations

from pathlib import Path

from xlatperf.commands.exits import UserError
from xlatperf.config.bench import Bench
from xlatperf.config.load import load_bench
from xlatperf.procedures.registry import NAMES


def load_measures(bench_file: Path) -> Bench:
    """A bench that has some. Raises BenchError, UserError."""
    bench = load_bench(bench_file)
    if not bench.measure:
        raise UserError(f"{bench_file}: measure: missing: [[measure]] with procedure = {NAMES}")
    return bench
