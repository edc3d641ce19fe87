"""All of the survey, in the order in which it is shown."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from xlatperf.probe import dpdk, kernel, memory, nics, ports, processor, programs, rights
from xlatperf.probe.observation import Observation
from xlatperf.probe.tree import Tree

_PROJECT = Path(__file__).resolve().parents[2]
_BINARIES = {
    "engine": ("XLATPERF_ENGINE", "build/engine/xlatperf-engine"),
    "reference device": ("XLATPERF_REFERENCE", "build/reference/xlatperf-reference"),
}


def main(wanted_ports: Sequence[str] = ()) -> list[Observation]:
    """What this host can do; with ports, what those can do."""
    if wanted_ports:
        return ports.survey(wanted_ports)
    tree = Tree()
    return [
        *programs.survey(tree, {name: _executable(*where) for name, where in _BINARIES.items()}),
        *dpdk.survey(tree),
        *rights.survey(tree, rights.opens_socket),
        *kernel.survey(tree),
        *memory.survey(tree),
        *processor.survey(tree),
        *nics.survey(tree),
    ]


def _executable(variable: str, path: str) -> bool:
    return os.access(os.environ.get(variable) or _PROJECT / path, os.X_OK)
