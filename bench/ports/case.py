"""What crosses the ports, and what is between them: this host's kernel, in a network namespace."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from xlatperf.config.bench import Bench
from xlatperf.config.load import parse_bench
from xlatperf.engine.message import DirectionName

Traffic = Literal["forwarding", "NAT44"]
PortDriver = Literal["af_packet", "af_xdp"]
FLOWS = 4096
"""Pairs of UDP ports, or connections."""
FRAME_SIZE = 84

_NAMES = {"forwarding": ("native", "linux"), "NAT44": ("nat44", "nft-nat44")}
_MORE = {"forwarding": 'family = "ipv4"\n', "NAT44": 'pool = { first = "198.19.0.1" }\n[traffic.connections]\n'}
SOURCES: dict[Traffic, str] = {"forwarding": "198.18.0.2", "NAT44": "10.0.0.2"}
SERVER = "198.19.0.2"


@dataclass(frozen=True)
class Case:
    """`both`: directions; else from left to right only."""

    port_driver: PortDriver
    traffic: Traffic
    both: bool

    @property
    def name(self) -> str:
        """For people."""
        return f"{self.traffic}, {'both directions' if self.both else 'one direction'}"

    @property
    def directions(self) -> list[DirectionName]:
        """In which frames are sent."""
        return ["forward", "reverse"] if self.both else ["forward"]

    def bench(self, core: int) -> Bench:
        """As a user would write it."""
        technology, driver = _NAMES[self.traffic]
        return parse_bench(
            f'tester = {{ cores = [{core}], port_driver = "{self.port_driver}" }}\n'
            f'device = {{ driver = "{driver}", static_neighbours = true }}\n'
            f'[technology]\nname = "{technology}"\n{_MORE[self.traffic]}',
            self.name,
        )


def all_cases() -> list[Case]:
    """NAT44 in one direction only: nobody but the Tester knows what to send to a NAT from outside."""
    kinds: tuple[tuple[Traffic, bool], ...] = (("forwarding", False), ("forwarding", True), ("NAT44", False))
    drivers: tuple[PortDriver, ...] = ("af_packet", "af_xdp")
    return [Case(driver, traffic, both) for driver in drivers for traffic, both in kinds]
