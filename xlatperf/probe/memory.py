"""Hugepages: DPDK is faster with them, and a NIC needs them; virtual ports do without."""

from __future__ import annotations

from xlatperf.probe.observation import Observation
from xlatperf.probe.tree import Tree

_WANTED_MB = 512
_POOLS = "sys/kernel/mm/hugepages"


def survey(tree: Tree) -> list[Observation]:
    """One line: how much is free in which size."""
    free_mb = 0
    texts = []
    for pool in tree.find(f"{_POOLS}/hugepages-*kB"):
        size_kb = int(pool.name.removeprefix("hugepages-").removesuffix("kB"))
        total = tree.number(f"{_POOLS}/{pool.name}/nr_hugepages") or 0
        free = tree.number(f"{_POOLS}/{pool.name}/free_hugepages") or 0
        free_mb += free * size_kb // 1024
        if total:
            texts.append(f"{free} of {total} pages of {size_kb // 1024} MB free")
    if free_mb >= _WANTED_MB:
        return [Observation("ok", "hugepages", ", ".join(texts))]
    text = ", ".join(texts) if texts else "none reserved"
    return [
        Observation(
            "limited",
            "hugepages",
            f"{text}: virtual ports work without, NICs don't",
            f"sysctl vm.nr_hugepages={_WANTED_MB // 2}",
        )
    ]
