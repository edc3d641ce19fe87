"""NAT44, NAT64 and DS-Lite's AFTR as VPP's plugins have them: set up, emptied, counted."""

from __future__ import annotations

import ipaddress
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from xlatperf.devices.vpp.command import Command, command, refusal
from xlatperf.devices.vpp.links import Interfaces
from xlatperf.lab.error import LabError

Ask = Callable[[str], str]


@dataclass(frozen=True)
class Nat(ABC):
    """`sessions`: how many there is room for, where that can be said. `plugin`: what is enabled; empty: nothing is."""

    plugin: ClassVar[str] = ""

    technology: Mapping[str, Any]
    interfaces: Interfaces
    sessions: int

    @abstractmethod
    def set_up(self) -> Iterator[Command]:
        """All that makes it work."""

    def anew(self) -> Iterator[Command]:
        """Taken away, with all that it was told, and set up."""
        yield command(f"{self.plugin} plugin disable")
        yield from self.set_up()

    def empty(self) -> Iterator[Command] | None:
        """All connections are forgotten; None: only by a restart."""
        return self.anew() if self.plugin else None

    @abstractmethod
    def count(self, ask: Ask) -> int:
        """Connections now. Raises LabError."""

    def _pool(self) -> str:
        """Its addresses: `198.19.0.1 - 198.19.0.4`."""
        pool = self.technology["pool"]
        first = ipaddress.IPv4Address(pool["first"])
        return str(first) if pool["addresses"] == 1 else f"{first} - {first + (pool['addresses'] - 1)}"


class Nat44Ed(Nat):
    """Endpoint-dependent NAT44 (RFC 4787 §4.1: address and port-dependent mapping)."""

    plugin = "nat44"

    def set_up(self) -> Iterator[Command]:
        """Inside is left."""
        yield command(f"nat44 plugin enable sessions {self.sessions}", "nat44 plugin disable")
        yield command(f"nat44 add address {self._pool()}")
        yield command(f"set interface nat44 in {self.interfaces.left} out {self.interfaces.right}")

    def empty(self) -> Iterator[Command]:
        """By one command."""
        yield command("clear nat44 sessions")

    def count(self, ask: Ask) -> int:
        """As VPP sums up."""
        return _number("show nat44 summary", r"(?m)^total sessions: (\d+)$", ask)


class Nat44Ei(Nat):
    """Endpoint-independent NAT44. Its own command to clear sessions doesn't give their ports back."""

    plugin = "nat44 ei"

    def set_up(self) -> Iterator[Command]:
        """A user, which is an inside address, may have all sessions that there are: VPP's own limit is lower."""
        sizes = f"sessions {self.sessions} user-sessions {self.sessions}"
        yield command(f"nat44 ei plugin enable {sizes}", "nat44 ei plugin disable")
        yield command(f"nat44 ei add address {self._pool()}")
        yield command(f"set interface nat44 ei in {self.interfaces.left} out {self.interfaces.right}")

    def count(self, ask: Ask) -> int:
        """Of all users."""
        return _sum("show nat44 ei sessions", r"(\d+) dynamic translations", ask)


class Nat64(Nat):
    """Stateful NAT64 (RFC 6146). It has no command to clear its table."""

    plugin = "nat64"

    def set_up(self) -> Iterator[Command]:
        """IPv6 is left."""
        yield command("nat64 plugin enable", "nat64 plugin disable")
        yield command(f"nat64 add prefix {self.technology['prefix']}")
        yield command(f"nat64 add pool address {self._pool()}")
        yield command(f"set interface nat64 in {self.interfaces.left}")
        yield command(f"set interface nat64 out {self.interfaces.right}")

    def count(self, ask: Ask) -> int:
        """Lines of the session table, of which each is one."""
        lines = _answer("show nat64 session table udp", ask).splitlines()
        return sum(line.startswith(" ") for line in lines)


class Aftr(Nat):
    """DS-Lite's AFTR (RFC 6333)."""

    def set_up(self) -> Iterator[Command]:
        """The tunnel's end mustn't be an interface's address."""
        yield command(f"dslite add pool address {self._pool()}", f"dslite add pool address {self._pool()} del")
        yield command(f"dslite set aftr-tunnel-endpoint-address {self.technology['aftr']}")

    def count(self, ask: Ask) -> int:
        """Of all B4s."""
        return _sum("show dslite sessions", r"(?m)^B4 \S+ (\d+) sessions$", ask)


def nat_of(
    technology: Mapping[str, Any], interfaces: Interfaces, sessions: int, *, endpoint_dependent: bool
) -> Nat | None:
    """None: the technology has none."""
    if technology["name"] == "nat44":
        return (Nat44Ed if endpoint_dependent else Nat44Ei)(technology, interfaces, sessions)
    model = {"nat64": Nat64, "dslite": Aftr}.get(technology["name"])
    return None if model is None else model(technology, interfaces, sessions)


def _number(text: str, pattern: str, ask: Ask) -> int:
    answer = _answer(text, ask)
    found = re.search(pattern, answer)
    if found is None:
        raise LabError(f"VPP's answer to `{text}` has no number of sessions: {' '.join(answer.split())[:80]!r}")
    return int(found[1])


def _sum(text: str, pattern: str, ask: Ask) -> int:
    return sum(int(number) for number in re.findall(pattern, _answer(text, ask)))


def _answer(text: str, ask: Ask) -> str:
    """What isn't told isn't 0."""
    answer = ask(text)
    if "unknown input" in answer:
        raise LabError(refusal(text, answer))
    return answer
