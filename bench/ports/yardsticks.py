"""What the Tester is compared with on the same ports: `plain-through`, which sends and counts and no more, and
`dpdk-testpmd` in its mode flowgen, which does the same without checksums. Each has one core for all it does.
"""

from __future__ import annotations

import contextlib
import json
import re
import socket
import struct
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from bench.ports.carried import Carried
from bench.ports.case import FLOWS, FRAME_SIZE, SERVER, SOURCES, Case
from bench.speed.yardsticks import TESTPMD, YardstickFailed
from xlatperf.devices.device import Attachment
from xlatperf.lab.link_addresses import DUT_MACS, TESTER_MACS
from xlatperf.lab.namespace import run_command

PLAIN_THROUGH = Path("build/bench/plain-through")
DURATION_S = 0.5
_EAL = ("--no-pci", "--no-telemetry", "--no-huge", "--no-shconf", "-m", "1024", "--log-level", "*:error")
_FLOWGEN_NETWORK, _FLOWGEN_MAC = "10.253.0.0/16", "00:01:02:03:04:01"
"""Where it sends to on both ports, fixed in DPDK 22.11 (app/test-pmd/flowgen.c)."""
_BACK_TABLE = "77"


def plain_through(case: Case, at: Attachment, core: int) -> Carried:
    """Raises YardstickFailed."""
    there = headers("left", SOURCES[case.traffic], SERVER)
    back = headers("right", SERVER, SOURCES[case.traffic]) if case.both else "-"
    command = [*at.command_prefix, str(PLAIN_THROUGH), "-l", str(core), *_EAL, *_ports(at)]
    command += ["--", str(DURATION_S), str(FLOWS), there, back]
    said = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    if said.returncode != 0:
        raise YardstickFailed(f"plain-through: {said.stderr.strip() or said.returncode}")
    result = json.loads(said.stdout.splitlines()[-1])
    return Carried(result["sent"] / result["seconds"], result["sent"], result["received"] - result["wrong"])


def testpmd(at: Attachment, core: int, main_core: int, dut: str) -> Carried:
    """Both directions of forwarding. `dut`: the namespace that forwards,
    which is of no use to others afterwards. Raises YardstickFailed, LabError."""
    _prepare(dut)
    command = [*at.command_prefix, TESTPMD, "-l", f"{main_core},{core}", "--main-lcore", str(main_core), *_EAL]
    command += [
        *_ports(at),
        "--",
        "--interactive",
        "--forward-mode=flowgen",
        "--nb-cores=1",
        "--rxd=2048",
        "--txd=1024",
    ]
    command += [f"--txpkts={FRAME_SIZE}", "--total-num-mbufs=32768", "--auto-start"]  # it counts the FCS
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        if process.stdin is None:
            raise TypeError
        time.sleep(1.5)  # until it sends
        with contextlib.suppress(BrokenPipeError):  # it says why
            process.stdin.write("show port stats all\n")  # rates are those since the last time
            process.stdin.flush()
        time.sleep(DURATION_S)
        try:
            said, _ = process.communicate("show port stats all\nstop\nquit\n", timeout=30)
        except subprocess.TimeoutExpired as expired:
            process.kill()
            raise YardstickFailed("testpmd: it doesn't end") from expired
    rates = [int(rate) for rate in re.findall(r"Tx-pps:\s*([0-9]+)", said)]
    totals = re.search(r"all ports\s*\++\s*RX-packets: (\d+)[^\n]*\n\s*TX-packets: (\d+)", said)
    if len(rates) != 4 or totals is None:
        raise YardstickFailed(f"testpmd: {said[-300:]!r}")
    arrived, sent = int(totals.group(1)), int(totals.group(2))
    # it stops without looking for what is still on its way: up to a burst for each direction
    return Carried(sum(rates[2:]), sent, sent if 0 <= sent - arrived <= 64 else arrived)


def _ports(at: Attachment) -> Sequence[str]:
    return ("--vdev", at.left_port, "--vdev", at.right_port)


def _prepare(dut: str) -> None:
    """What comes from the left goes to the right, and the other way round. It isn't undone."""
    for port, address, tester_mac in (
        ("d0", "192.168.18.2", TESTER_MACS["left"]),
        ("d1", "192.168.19.2", TESTER_MACS["right"]),
    ):
        _ip(dut, f"link set {port} address {_FLOWGEN_MAC}")
        _ip(dut, f"neigh replace {address} dev {port} lladdr {tester_mac} nud permanent")
    _ip(dut, f"route replace {_FLOWGEN_NETWORK} via 192.168.19.2 dev d1")
    _ip(dut, f"route replace {_FLOWGEN_NETWORK} via 192.168.18.2 dev d0 table {_BACK_TABLE}")
    _ip(dut, f"rule add iif d1 to {_FLOWGEN_NETWORK} lookup {_BACK_TABLE}")


def _ip(dut: str, command: str) -> None:
    run_command(("ip", "-n", dut, *command.split()))


def headers(side: str, source: str, destination: str) -> str:
    """Ethernet and IPv4 (RFC 791), in hexadecimal."""
    length = FRAME_SIZE - 4 - 14
    addresses = socket.inet_aton(source) + socket.inet_aton(destination)
    ipv4 = struct.pack(">BBHHHBBH", 0x45, 0, length, 0, 0, 64, 17, 0) + addresses
    total = sum(struct.unpack(">10H", ipv4))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    ipv4 = ipv4[:10] + struct.pack(">H", total ^ 0xFFFF) + ipv4[12:]
    macs = bytes.fromhex((DUT_MACS[side] + TESTER_MACS[side]).replace(":", ""))
    return (macs + b"\x08\x00" + ipv4).hex()
