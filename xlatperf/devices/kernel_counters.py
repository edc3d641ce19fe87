"""Counters of the kernel that explain why packets were lost, each in words."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from xlatperf.lab.namespace import Namespace

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


def read(namespace: Namespace) -> dict[str, int]:
    """The namespace's counters, named "IPv4 InNoRoutes" for instance."""
    try:
        snmp = namespace.inside(lambda: _of_this_thread("snmp"))
        netstat = namespace.inside(lambda: _of_this_thread("netstat"))
        snmp6 = namespace.inside(lambda: _of_this_thread("snmp6"))
    except OSError:
        return {}
    return {**parse_snmp(snmp), **parse_snmp(netstat, "IpExt"), **parse_snmp6(snmp6)}


def remarks(namespace: Namespace, before: Mapping[str, int]) -> list[str]:
    """One line for each counter of lost packets in the namespace that has grown."""
    return explain({name: count - before.get(name, 0) for name, count in read(namespace).items()})


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


def backlog_drops() -> int:
    """Frames dropped because a core's input queue was full, on the whole host (proc(5), softnet_stat column 2)."""
    try:
        text = Path("/proc/net/softnet_stat").read_text(encoding="ascii")
    except OSError:
        return 0
    return parse_softnet(text)


def parse_softnet(text: str) -> int:
    """The sum of the second column, in hexadecimal, one line per core."""
    return sum(int(line.split()[1], 16) for line in text.splitlines() if line.strip())


def host_sysctl(name: str) -> str | None:
    """A kernel parameter that the whole host shares; None where there is none."""
    try:
        return Path("/proc/sys", *name.split(".")).read_text(encoding="ascii").strip()
    except OSError:
        return None


def _of_this_thread(name: str) -> str:
    # /proc/net is /proc/self/net, which is the main thread's namespace
    return Path("/proc/thread-self/net", name).read_text(encoding="ascii")
