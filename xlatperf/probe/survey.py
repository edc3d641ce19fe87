"""All of the survey, in the order in which it is shown."""

from __future__ import annotations

from collections.abc import Sequence

from xlatperf.files.own_programs import ENGINE, REFERENCE, OwnProgram
from xlatperf.probe import dpdk, kernel, memory, nics, ports, processor, programs, rights
from xlatperf.probe.observation import Observation
from xlatperf.probe.tree import Tree

_BINARIES = {"engine": ENGINE, "reference device": REFERENCE}


def main(wanted_ports: Sequence[str] = ()) -> list[Observation]:
    """What this host can do; with ports, what those can do."""
    if wanted_ports:
        return ports.survey(wanted_ports)
    tree = Tree()
    return [
        *programs.survey(tree, {name: _there(program) for name, program in _BINARIES.items()}),
        *dpdk.survey(tree),
        *rights.survey(tree, rights.opens_socket),
        *kernel.survey(tree),
        *memory.survey(tree),
        *processor.survey(tree),
        *nics.survey(tree),
    ]


def _there(program: OwnProgram) -> bool:
    try:
        program.find()
    except ValueError:
        return False
    return True
