"""A datagram in three fragments, and what came of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from xlatperf.conformance.came import Came
from xlatperf.conformance.differences import Field, differences
from xlatperf.conformance.ends import Ends
from xlatperf.conformance.packet import UDP, Ipv4, Packet, fragment_header
from xlatperf.conformance.probe import Probe
from xlatperf.conformance.reassembly import reassembled
from xlatperf.conformance.rule import Finding, Rule, Verdict

CUT = 48
"""Bytes of each but the last."""
DATA = 2 * CUT + 8
IN_ORDER, LAST_FIRST = (0, 1, 2), (2, 1, 0)
ORDERS = ((IN_ORDER, ""), (LAST_FIRST, ", the last first"))
CHOSEN = frozenset({Field.DONT_FRAGMENT, Field.IDENTIFICATION, Field.FRAGMENT_HEADER})
"""By a device that puts them together."""


def cuts(payload: bytes) -> list[tuple[int, bytes, bool]]:
    """Where each part begins, the part, and whether more follow."""
    at = range(0, len(payload), CUT)
    return [(one, payload[one : one + CUT], one != at[-1]) for one in at]


def fragments(ends: Ends, whole: Packet) -> list[Packet]:
    """Three of a datagram with `DATA` bytes."""
    identification = int.from_bytes(ends.mark[:2], "big")
    parts = cuts(whole.payload)
    if isinstance(whole, Ipv4):
        return [
            ends.packet(UDP, part, offset=at, more_fragments=more, identification=identification)
            for at, part, more in parts
        ]
    return [
        ends.packet(UDP, part, extensions=(fragment_header(at, more=more, identification=identification),))
        for at, part, more in parts
    ]


def come_through(ends: Ends, rule: Rule, order: Sequence[int], but: Collection[Field] = CHOSEN) -> Probe:
    """Three fragments of a datagram in this order, which must come out as they are or put together."""
    whole = ends.udp(DATA)
    parts = fragments(ends, whole)

    def judge(came: Came) -> Iterable[Finding]:
        if not came.far:
            yield Finding(rule, Verdict.NOT_KEPT, came.instead())
        elif wrong := fault(came.far, ends.translated(whole), but):
            yield Finding(rule, Verdict.NOT_KEPT, wrong)
        else:
            yield Finding(rule, Verdict.KEPT, "put together" if len(came.far) == 1 else "as fragments")

    return Probe(tuple(parts[at] for at in order), (rule,), judge)


def fault(came: Sequence[Packet], expected: Packet | None, but: Collection[Field] = CHOSEN) -> str:
    """What is wrong, but for these fields; empty: it came, whole or in fragments."""
    if not came:
        return "dropped"
    whole = reassembled(came)
    if whole is None or expected is None:
        return f"{len(came)} packets came, which don't join"
    return "; ".join(text for about, text in differences(expected, whole).items() if about not in but)
