"""A translator of headers alone, which refuses nothing and draws no errors: as an engine's other end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from ipaddress import IPv4Address, IPv6Address
from typing import Any

from tests.conformance.other_end import OtherEnd
from xlatperf.conformance.ends import Ends
from xlatperf.conformance.exchange import Exchanges, Way
from xlatperf.conformance.packet import FRAGMENT, Ipv6, Packet
from xlatperf.conformance.rfc7915.rules import findings
from xlatperf.conformance.rule import Finding
from xlatperf.conformance.translate import Pairs
from xlatperf.engine.message import SideName
from xlatperf.engine.messages import ExchangeAnswer

LEFT4, LEFT6 = IPv4Address("198.18.0.2"), IPv6Address("2001:2::2")
RIGHT4, RIGHT6 = IPv4Address("198.19.0.2"), IPv6Address("2001:2:0:6464::c613:2")
PAIRS = Pairs({LEFT4: LEFT6, RIGHT4: RIGHT6})
_MAC = bytes(6)
FROM_IPV4 = Way(Ends(RIGHT4, LEFT4, (7, 1025), PAIRS, hops=1), "right", "left", _MAC, _MAC)
FROM_IPV6 = Way(Ends(LEFT6, RIGHT6, (1025, 7), PAIRS, hops=1), "left", "right", _MAC, _MAC)
Mutate = Callable[[Packet], Packet | None]


class Translator(OtherEnd):
    """`mutate`: what it makes of each packet on its way out; `loses`: which exchange is lost, by its number."""

    def __init__(self, mutate: Mutate = lambda packet: packet, loses: Callable[[int], bool] = lambda _: False) -> None:
        self._mutate = mutate
        self._loses = loses
        self.exchanges = 0

    def exchange(self, frames: Sequence[tuple[SideName, bytes]], **how: Any) -> ExchangeAnswer:
        """As Engine does."""
        self.exchanges += 1
        answer = super().exchange(frames, **how)
        return ExchangeAnswer(sent=answer.sent) if self._loses(self.exchanges) else answer

    def out(self, side: SideName, sent: Packet) -> Iterator[tuple[SideName, Packet]]:
        """As OtherEnd has it."""
        for packet in self._out(side, sent):
            yield "right" if side == "left" else "left", packet

    def _out(self, side: SideName, sent: Packet) -> Iterator[Packet]:
        ends = (FROM_IPV6 if side == "left" else FROM_IPV4).ends
        if isinstance(sent, Ipv6):
            sent = replace(sent, extensions=tuple(one for one in sent.extensions if one.kind == FRAGMENT))
        made = ends.translated(sent)
        made = None if made is None else self._mutate(made)
        if made is not None:
            yield made


def broken(translator: Translator) -> dict[str, Finding]:
    """The rules that it doesn't keep, by name; waits are none."""
    exchanges = Exchanges(translator, sleep=lambda _: None)  # type: ignore[arg-type]
    return {one.rule.name: one for one in findings(exchanges, FROM_IPV4, FROM_IPV6) if one.verdict == "not kept"}
