"""What the Tester is compared with: `plain-loop`, which does the least that a Tester can, and DPDK's `dpdk-testpmd`.

Both get a core of their own and one port, as the Tester does.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

PLAIN_LOOP = Path("build/bench/plain-loop")
TESTPMD = "dpdk-testpmd"
FRAMES = 12_000_000
"""Of `plain-loop`: a quarter of a second."""
TESTPMD_S = 0.4
MEMORY_MB = 512


class YardstickFailed(Exception):
    """It ran and didn't end as it should."""


@dataclass(frozen=True)
class Yardstick:
    """`role`: what it does with the frames of `port`."""

    name: str
    role: str
    port: str


PLAIN_SEND = Yardstick("plain-loop", "send", "net_null0,no-rx=1")
PLAIN_LOOPBACK = Yardstick("plain-loop", "loop", "net_ring0")
TESTPMD_SEND = Yardstick("testpmd", "txonly", "net_null0,no-rx=1")
TESTPMD_RECEIVE = Yardstick("testpmd", "rxonly", "net_null0,size=80")
TESTPMD_LOOPBACK = Yardstick("testpmd", "flowgen", "net_ring0")


def missing(plain: Path = PLAIN_LOOP) -> list[str]:
    """Of `plain`, which is built, and testpmd: those that aren't there, and how they get there."""
    found = []
    if not plain.is_file():
        found.append(f"{plain} (ninja -C build bench/{plain.name})")
    if shutil.which(TESTPMD) is None:
        found.append(f"{TESTPMD} (Debian: apt-get install dpdk-dev)")
    return found


def cycles_per_frame(yardstick: Yardstick, core: int, main_core: int, hugepages: bool) -> float:
    """One run. `core` does the work. Raises YardstickFailed."""
    memory = ["--in-memory"] if hugepages else ["--no-huge", "--no-shconf"]
    eal = ["--no-pci", "--no-telemetry", "-m", str(MEMORY_MB), *memory, "--vdev", yardstick.port]
    if yardstick.name == "plain-loop":
        return _plain_loop(yardstick, ["-l", str(core), *eal])
    return _testpmd(yardstick, ["-l", f"{main_core},{core}", "--main-lcore", str(main_core), *eal])


def _plain_loop(yardstick: Yardstick, eal: Sequence[str]) -> float:
    command = [str(PLAIN_LOOP), *eal, "--", yardstick.role, str(FRAMES)]
    said = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    lines = said.stdout.splitlines()
    if said.returncode != 0 or not lines:
        raise YardstickFailed(f"{yardstick.name} {yardstick.role}: {_last_line(said.stderr)}")
    result = json.loads(lines[-1])
    if result["wrong"] or (yardstick.role == "loop" and result["received"] != result["sent"]):
        raise YardstickFailed(f"{yardstick.name} {yardstick.role}: {lines[-1]}")
    return float(result["cycles_per_frame"])


def _testpmd(yardstick: Yardstick, eal: Sequence[str]) -> float:
    """It counts the cycles of its worker itself. 80 bytes, many flows, as the Tester sends."""
    traffic = {"txonly": ["--txpkts=80", "--txonly-multi-flow"], "flowgen": ["--txpkts=80"]}.get(yardstick.role, [])
    command = [TESTPMD, *eal, "--", "--interactive", f"--forward-mode={yardstick.role}", "--nb-cores=1", *traffic,
               "--record-core-cycles", "--auto-start"]  # fmt: skip
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        time.sleep(0.8)  # until it forwards
        time.sleep(TESTPMD_S)
        try:
            said, _ = process.communicate("stop\nquit\n", timeout=30)
        except subprocess.TimeoutExpired as expired:
            process.kill()
            raise YardstickFailed(f"{yardstick.name} {yardstick.role}: it doesn't end") from expired
    found = re.search(r"CPU cycles/packet=([0-9.]+)", said)
    if found is None:
        raise YardstickFailed(f"{yardstick.name} {yardstick.role}: {_last_line(said)}")
    return float(found.group(1))


def _last_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "it says nothing"
