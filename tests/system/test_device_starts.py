"""The reference device starts while the Tester opens its ports: either may be first, and what it refuses is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.system.command import REPOSITORY, xlatperf
from xlatperf.devices.reference import find_program

BENCH = REPOSITORY / "examples" / "reference-siit.toml"


def starts_by(tmp_path: Path, lines: str) -> dict[str, str]:
    """The environment in which a script starts the device, or doesn't."""
    script = tmp_path / "device"
    script.write_text(f"#!/bin/sh\n{lines.format(program=find_program())}\n")
    script.chmod(0o755)
    return {"XLATPERF_REFERENCE": str(script)}


@pytest.mark.parametrize("late_s", [0.3, 1.5])
def test_a_device_that_starts_late(tmp_path: Path, late_s: float) -> None:
    """The Tester's ports wait for it: first there is no socket, then nobody who answers."""
    ended = xlatperf(
        "check", BENCH, folder=tmp_path, environment=starts_by(tmp_path, f'sleep {late_s}; exec "{{program}}" "$@"')
    )
    assert ended.code == 0, ended.output


def test_a_device_that_refuses(tmp_path: Path) -> None:
    """What it says is told, not that a port has nobody at its end."""
    says = """echo '{{"error": "delay: 7 is not allowed today"}}'; exit 2"""
    ended = xlatperf("check", BENCH, folder=tmp_path, environment=starts_by(tmp_path, says))
    assert ended.code != 0
    assert "device: delay: 7 is not allowed today" in ended.output
    assert "memif" not in ended.output
    assert len(ended.output.strip().splitlines()) == 2, "that it starts, and what it says"
