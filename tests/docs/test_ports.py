"""docs/ports.md: what it says to type is what a bench file takes, and no argument that is taken is left out."""

from __future__ import annotations

import re

import pytest

from tests.system.command import REPOSITORY
from xlatperf.config.load import parse_bench
from xlatperf.keys.port_arguments import ARGUMENTS

PAGE = (REPOSITORY / "docs" / "ports.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("block", BLOCKS)
def test_a_bench_file_takes_it(block: str) -> None:
    ports = re.findall(r'"(.*)"', block)
    bench = parse_bench(f'technology.name = "siit"\ndevice.driver = "manual"\n{block}', "b.toml")
    assert list(dict.fromkeys(bench.tester.ports)) == ports


def test_every_argument_of_memif() -> None:
    documented = set(re.findall(r"`([a-z-]+)`", PAGE))
    assert set(ARGUMENTS["net_memif"]) - {"owner-uid", "owner-gid"} <= documented
    assert len(BLOCKS) == 5
