"""The frequency of the time stamp counter by the reference device: other code, the same CLOCK_MONOTONIC_RAW."""

from __future__ import annotations

import json
import subprocess

from bench.accuracy.places import NOWHERE
from xlatperf.devices.reference import find_program

UNCERTAINTY_PPM = 1.0
"""It calibrates for 100 ms; each reading is good for some 50 ns."""
_TIMEOUT_S = 15.0


def measure_hz(core: int) -> float | None:
    """Starts the device with ports that go nowhere, and ends it when it has said its frequency; None if it doesn't."""
    configuration = {
        "left": {"port": NOWHERE[0], "ipv4": "192.168.18.1/30"},
        "right": {"port": NOWHERE[1], "ipv4": "192.168.19.1/30"},
        "technology": {"name": "native"},
        "core": core,
    }
    lines = json.dumps(configuration) + '\n{"request": "quit"}\n'
    try:
        ended = subprocess.run(
            [str(find_program())], input=lines, capture_output=True, text=True, timeout=_TIMEOUT_S, check=False
        )
    except subprocess.TimeoutExpired:
        return None
    for line in ended.stdout.splitlines():
        if line.startswith("{"):
            found = json.loads(line).get("clock_hz")
            if found is not None:
                return float(found)
    return None
