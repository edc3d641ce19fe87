"""What VPP counts, from the answers of its command line. Pure: no I/O."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

# `show errors`: count, node, reason, and in newer versions severity and index; node and reason are centred in columns.
_ERROR = re.compile(
    r"\s*(?P<count>\d+)\s+(?P<node>\S+)\s+(?P<reason>\S.*?)(?:\s{2,}(?P<severity>error|warn|info|log))?(?:\s{2,}\d+)?\s*"
)
# `show interface`: name, index, state and MTUs, then counters, the first in the same line.
_INTERFACE = re.compile(r"(?P<name>\S+)\s+\d+\s+(?P<state>up|down)\s+(?P<mtu>\d+)\S*(?P<rest>.*)")
_COUNTER = re.compile(r"\s+(?P<name>\S.*?)\s+(?P<count>\d+)\s*")
# `show runtime`: `Thread 1 vpp_wk_0 (lcore 2)`, which a VPP without workers doesn't write; then nodes.
_THREAD = re.compile(r"Thread \d+ (?P<name>\S+)(?: \(lcore (?P<core>\d+)\))?")
_NODE = re.compile(
    r"(?P<name>\S+)\s+(?P<state>active|polling|interrupt wait|any wait|event wait|time wait|suspended|disabled|done)"
    r"\s+(?P<calls>\d+)\s+(?P<vectors>\d+)\s+\d+\s+\S+\s+\S+\s*"
)
_MAIN = "vpp_main"
_HEADS = {
    "show errors": re.compile(r"Count\s+Node\s+Reason"),
    "show runtime": re.compile(r"Name\s+State\s+Calls\s+Vectors"),
}
"""Of the tables that VPP writes, whether they have rows or not."""
TABLES = tuple(_HEADS)
"""The commands that write one which is read here, beside `show interface`."""


class Error(NamedTuple):
    """Packets that a node counted for a reason: not all reasons are errors."""

    node: str
    reason: str
    packets: int
    severity: str


class Interface(NamedTuple):
    """Its counters by VPP's names for them: `rx packets`, `drops`, `tx-error`. `mtu`: of packets."""

    name: str
    up: bool
    mtu: int
    counts: dict[str, int]


class Vectors(NamedTuple):
    """Of the nodes that work on packets: how often they were called, and with how many packets in all."""

    calls: int
    packets: int


def understood(command: str, answer: str) -> bool:
    """Whether it's the table that is read here."""
    return _HEADS[command].search(answer) is not None


def errors(answer: str) -> list[Error]:
    """Of `show errors`; of several threads each reason once, with all their counts."""
    found: dict[tuple[str, str, str], int] = {}
    for line in answer.splitlines():
        if (one := _ERROR.fullmatch(line)) is not None:
            place = one["node"], one["reason"], one["severity"] or ""
            found[place] = found.get(place, 0) + int(one["count"])
    return [Error(node, reason, count, severity) for (node, reason, severity), count in found.items()]


def interfaces(answer: str) -> list[Interface]:
    """Of `show interface`."""
    found: list[Interface] = []
    for line in answer.splitlines():
        counter = line
        if (one := _INTERFACE.fullmatch(line)) is not None:
            found.append(Interface(one["name"], one["state"] == "up", int(one["mtu"]), {}))
            counter = one["rest"]
        if found and (count := _COUNTER.fullmatch(counter)) is not None:
            found[-1].counts[count["name"]] = int(count["count"])
    return found


def vectors(answer: str) -> dict[str, Vectors]:
    """Of `show runtime`, by thread: `vpp_wk_0 core 2`. Nodes that wait or poll for work aren't counted.

    The more there is to do, the more packets a node gets at once, up to 256: of a program that polls, whose processor
    is always busy, that is the load.
    """
    found: dict[str, Vectors] = {}
    thread = _MAIN
    for line, states in _lines(answer):
        if states is None:
            thread = line
            continue
        calls, packets = states
        one = found.get(thread, Vectors(0, 0))
        found[thread] = Vectors(one.calls + calls, one.packets + packets)
    return found


def _lines(answer: str) -> Iterator[tuple[str, tuple[int, int] | None]]:
    """Threads, and of their nodes those that work."""
    for line in answer.splitlines():
        if (thread := _THREAD.match(line)) is not None:
            yield f"{thread['name']} core {thread['core']}" if thread["core"] else thread["name"], None
        elif (node := _NODE.fullmatch(line)) is not None and node["state"] == "active":
            yield "", (int(node["calls"]), int(node["vectors"]))
