"""The machine that the table was measured on."""

from __future__ import annotations

import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import xlatperf
from bench.accuracy.places import choose_cores
from xlatperf.run.environment import host


def describe() -> dict[str, Any]:
    """Before anything is measured: the load is the others'."""
    facts, cores = host(), choose_cores()
    return {
        "measured": datetime.now(UTC).isoformat(timespec="seconds"),
        "cpu": facts["cpu"],
        "cpu_count": facts["cpu_count"],
        "hypervisor": facts["hypervisor"],
        "kernel": facts["kernel"],
        "memory": facts["memory"],
        "hugepages_free": facts["hugepages_free"],
        "load_before": round(os.getloadavg()[0], 2),
        "tester_core": cores.tester,
        "device_core": cores.device,
        "xlatperf": xlatperf.__version__,
        "commit": _commit(),
    }


def _commit() -> str:
    """Short, with a + if the tree differs from it."""
    try:
        said = subprocess.run(
            ["git", "describe", "--always", "--dirty=+", "--abbrev=9"],
            cwd=Path(__file__).parent,
            capture_output=True,
            text=True,
            timeout=10,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return said.stdout.strip()


def sentence(machine: dict[str, Any]) -> str:
    """For people."""
    virtual = " (a virtual machine)" if machine["hypervisor"] else ""
    return (
        f"Measured {machine['measured']} with xlatperf {machine['xlatperf']} ({machine['commit']}) on "
        f"{machine['cpu_count']} cores of {machine['cpu']}{virtual}, Linux {machine['kernel']}; the load before was "
        f"{machine['load_before']:.2f}. The Tester's worker had core {machine['tester_core']}, the reference device "
        f"core {machine['device_core']}."
    )
