"""Counters of the kernel that explain why packets were lost, each in words."""

from __future__ import annotations

from collections.abc import Mapping

from xlatperf.lab.error import LabError
from xlatperf.lab.transport import Transport

# RFC 4293 names them; the kernel shows them in /proc/net/snmp (IPv4) and /proc/net/snmp6 (IPv6).
_MEANING = {
    "InHdrErrors": "wrong headers or a hop limit that ran out",
    "InAddrErrors": "destinations that it can't take or forward",
    "InNoRoutes": "destinations without a route",
    "OutNoRoutes": "destinations without a route",
    "InTruncatedPkts": "packets shorter than their headers say",
    "InTooBigErrors": "packets too big for the link they go to",
    "FragFails": "packets too big for the link they go to",
    "InDiscards": "packets that it had no room for",
}


def read(device: Transport) -> dict[str, int]:
    """The device's counters, named "IPv4 InNoRoutes" for instance."""
    try:
        snmp, netstat, snmp6 = (device.proc_net(name) for name in ("snmp", "netstat", "snmp6"))
    except LabError:
        return {}
    return {**parse_snmp(snmp), **parse_snmp(netstat, "IpExt"), **parse_snmp6(snmp6)}


def remarks(device: Transport, before: Mapping[str, int]) -> list[str]:
    """One line for each counter of lost packets that has grown."""
    return explain({name: count - before.get(name, 0) for name, count in read(device).items()})


def explain(counters: dict[str, int]) -> list[str]:
    """Counters in words."""
    lines = []
    for name, count in counters.items():
        meaning = _MEANING.get(name.partition(" ")[2])
        if meaning is not None and count:
            lines.append(f"the DUT's kernel dropped {count} packets ({name}): {meaning}")
    return lines


def parse_snmp(text: str, group: str = "Ip") -> dict[str, int]:
    """/proc/net/snmp and netstat: pairs of lines, names and values; of them one group."""
    lines = [line.split() for line in text.splitlines() if line.startswith(f"{group}:")]
    if len(lines) != 2:
        return {}
    return {f"IPv4 {name}": int(value) for name, value in zip(lines[0][1:], lines[1][1:], strict=True)}


def parse_snmp6(text: str) -> dict[str, int]:
    """/proc/net/snmp6: a name and a value per line; of them the group Ip6."""
    found = {}
    for line in text.splitlines():
        name, _, value = line.partition(" ")
        if name.startswith("Ip6") and value.strip().isdigit():
            found[f"IPv6 {name[3:].strip()}"] = int(value)
    return found


def backlog_drops(device: Transport) -> int:
    """Frames dropped because a core's input queue was full, by its whole kernel (proc(5), softnet_stat column 2)."""
    try:
        return parse_softnet(device.proc_net("softnet_stat"))
    except LabError:
        return 0


def parse_softnet(text: str) -> int:
    """The sum of the second column, in hexadecimal, one line per core."""
    return sum(int(line.split()[1], 16) for line in text.splitlines() if line.strip())
