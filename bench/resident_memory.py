"""How much memory a process has."""

from __future__ import annotations

from pathlib import Path


def resident_mb(pid: int) -> float:
    """VmRSS of /proc/PID/status."""
    for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return float(line.split()[1]) / 1024
    return 0.0
