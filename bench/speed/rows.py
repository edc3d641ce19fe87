"""What `make bench` measures, what each row is compared with, and what it may cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bench.speed.case import Case
from bench.speed.yardsticks import (
    PLAIN_LOOPBACK,
    PLAIN_SEND,
    TESTPMD_LOOPBACK,
    TESTPMD_RECEIVE,
    TESTPMD_SEND,
    Yardstick,
)

SENDING = "plain loop, sending"
LOOPBACK = "plain loop, loopback"
TESTPMD_SENDING = "testpmd, txonly"
TESTPMD_LOOP = "testpmd, flowgen"
SIIT = "SIIT, loopback"
SIIT_BOTH = "SIIT, loopback, both directions"
SIIT_SENDING = "SIIT, sending"
OFF_THE_MAIN_ROAD = 1.2
"""Times as much as frames of one class without stamps: mixes, tags, and what a NIC has stamped, go the same way."""
WITHOUT_HUGEPAGES = 1.5
"""Times as much as with them."""


@dataclass(frozen=True)
class Row:
    """`of`: the row that its target is about; `at_most`: so many times that one's cycles, if there is a target.
    `rounds`: it takes part in so many at most."""

    name: str
    what: Case | Yardstick
    of: str | None = None
    at_most: float | None = None
    rounds: int | None = None

    @property
    def hugepages(self) -> bool:
        """Whether it needs them."""
        return not isinstance(self.what, Case) or self.what.hugepages

    @property
    def plain_loop(self) -> str | None:
        """The row of the plain loop that does the same; itself has none."""
        if self.name in (SENDING, LOOPBACK):
            return None
        return SENDING if self._sends_only else LOOPBACK

    @property
    def testpmd(self) -> str | None:
        """The row of testpmd that does the same; the yardsticks have none."""
        if not isinstance(self.what, Case):
            return None
        return TESTPMD_SENDING if self._sends_only else TESTPMD_LOOP

    @property
    def compared_with(self) -> list[str]:
        """Rows."""
        return [name for name in dict.fromkeys((self.of, self.plain_loop, self.testpmd)) if name is not None]

    @property
    def _sends_only(self) -> bool:
        return self.what.place == "sending" if isinstance(self.what, Case) else self.what.role in ("send", "txonly")


def all_rows() -> list[Row]:
    """Each behind those that it's compared with."""
    rows = [
        Row(SENDING, PLAIN_SEND),
        Row(TESTPMD_SENDING, TESTPMD_SEND, SENDING),
        Row(SIIT_SENDING, Case("siit", "sending"), SENDING, 1.15),
        Row("SIIT, sending, half of it native", Case("siit", "sending", mix=(1, 2)), SIIT_SENDING, OFF_THE_MAIN_ROAD),
        Row("SIIT, sending, fixed ports", Case("siit", "sending", ports="fixed"), SENDING),
        Row("SIIT, sending, 256 networks", Case("siit", "sending", networks=256), SENDING),
        Row("MAP-E, sending, 1 M CEs", Case("map-e", "sending", subscribers=1_000_000, frame_size=104), SENDING),
        Row("Lw4o6, sending, 1 M softwires", Case("lw4o6", "sending", subscribers=1_000_000, frame_size=104), SENDING),
        Row("DS-Lite B4, sending", Case("dslite-b4", "sending", frame_size=104), SENDING),
        Row("MAP-T, sending, 1 M CEs", Case("map-t", "sending", subscribers=1_000_000, frame_size=104), SENDING),
        Row("testpmd, rxonly", TESTPMD_RECEIVE, LOOPBACK),
        Row(LOOPBACK, PLAIN_LOOPBACK),
        Row(TESTPMD_LOOP, TESTPMD_LOOPBACK, LOOPBACK),
        Row(SIIT, Case("siit"), LOOPBACK, 1.6),
        Row("SIIT, loopback, half of it native", Case("siit", mix=(1, 2)), SIIT, OFF_THE_MAIN_ROAD),
        Row("SIIT, loopback, stamped arrivals", Case("siit", stamped=True), SIIT, OFF_THE_MAIN_ROAD),
        Row("SIIT, loopback, 10,000 tags", Case("siit", tags=10_000), SIIT, OFF_THE_MAIN_ROAD),
        Row("SIIT, loopback, fixed ports", Case("siit", ports="fixed"), LOOPBACK),
        Row("SIIT, loopback, 1 M flows", Case("siit", flows=1_000_000), SIIT),
        Row("SIIT, loopback, 256 networks", Case("siit", networks=256), LOOPBACK),
        Row("SIIT, loopback, 1518 bytes", Case("siit", frame_size=1518), LOOPBACK),
        Row(SIIT_BOTH, Case("siit", both_directions=True), LOOPBACK),
        Row("native IPv6, loopback", Case("native"), LOOPBACK),
        Row("DS-Lite B4, loopback", Case("dslite-b4", frame_size=104), SIIT),
    ]
    for technology, name in (("map-e", "MAP-E"), ("map-t", "MAP-T"), ("lw4o6", "Lw4o6")):
        of = "softwires" if technology == "lw4o6" else "CEs"
        target = {"map-e": 1.5, "lw4o6": 1.3}.get(technology)
        for count, words in ((1_000, "1 k"), (1_000_000, "1 M")):
            case = Case(technology, subscribers=count, frame_size=104)
            rows.append(Row(f"{name}, loopback, {words} {of}", case, SIIT, target if count == 1_000_000 else None))
    for count, words in ((1_000, "1 k"), (1_000_000, "1 M"), (16_000_000, "16 M"), (64_000_000, "64 M")):
        case = Case("nat44", connections=count, both_directions=True)
        target, rounds = (2.0 if count == 16_000_000 else None), (None if count <= 1_000_000 else 3)
        rows.append(Row(f"NAT44, phase 2, {words} connections", case, SIIT_BOTH, target, rounds))
    for technology, name, count, words, size in (
        ("nat64", "NAT64", 1_000_000, "1 M", 84),
        ("nat66", "NAT66", 1_000_000, "1 M", 84),
        ("dslite", "DS-Lite", 1_000_000, "1 M", 104),
        ("lw4o6-b4", "lwB4", 20_000, "20 k", 104),
        ("map-e-ce", "MAP-E CE", 20_000, "20 k", 104),
        ("map-t-ce", "MAP-T CE", 20_000, "20 k", 104),
    ):
        case = Case(technology, connections=count, both_directions=True, frame_size=size)
        target = 1.5 if technology == "nat66" else None
        rows.append(Row(f"{name}, phase 2, {words} connections", case, SIIT_BOTH, target))
        if technology in ("map-e-ce", "map-t-ce"):
            meshed = replace(case, mesh=True)
            rows.append(Row(f"{name} in a mesh, phase 2, {words} connections", meshed, SIIT_BOTH))
    return rows + [_without_hugepages(row) for row in rows if row.at_most is not None]


def _without_hugepages(row: Row) -> Row:
    """Compared with the same row as it is with them."""
    if not isinstance(row.what, Case) or row.at_most is None:
        raise TypeError(row.name)
    what = row.what.without_hugepages()
    return Row(f"{row.name}, no hugepages", what, row.of, row.at_most * WITHOUT_HUGEPAGES, row.rounds)


def chosen(names: Sequence[str]) -> list[Row]:
    """Those whose names have one of these in them, and what they're compared with; all, if there are none."""
    rows = all_rows()
    wanted = {row.name for row in rows if not names or any(name.lower() in row.name.lower() for name in names)}
    needed = set(wanted)
    while more := {name for row in rows if row.name in needed for name in row.compared_with} - needed:
        needed |= more
    return [row for row in rows if row.name in needed]
