"""What the Tester is asked to do in one row: technology, traffic and where the frames go."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from bench.accuracy.places import LOOPBACK, NOWHERE
from xlatperf.config.bench import Bench
from xlatperf.config.load import parse_bench
from xlatperf.config.request import ALL_FOREGROUND
from xlatperf.engine.message import DirectionName
from xlatperf.technologies.registry import BY_NAME

Place = Literal["sending", "loopback"]
PORTS: dict[Place, tuple[str, str]] = {"sending": NOWHERE, "loopback": LOOPBACK}

ADDRESSES = 'ipv6 = "2001:db8::/36"\nipv4 = "10.0.0.0/12"\n'
RULE = ADDRESSES + "ea_bits = 26\n"
ONE_CE = RULE + "ea = 0x254\n"
SOFTWIRES = f'[technology.softwires]\n{ADDRESSES}psid_length = 6\nlwaftr = "2001:2:0:c000::1"\n'
TECHNOLOGIES = {
    "siit": "",
    "map-e": f'[[technology.domains]]\n{RULE}br = "2001:2:0:c000::1"\n',
    "map-t": f'[[technology.domains]]\n{RULE}dmr = "2001:2:0:c000::/64"\n',
    "lw4o6": SOFTWIRES,
    "dslite-b4": "",
    "dslite": 'b4s.first = "2001:db8::2"\n',
    "nat44": "",
    "nat64": "",
    "nat66": "",
    "map-e-ce": f'[[technology.domains]]\n{ONE_CE}br = "2001:2:0:c000::1"\n',
    "map-t-ce": f'[[technology.domains]]\n{ONE_CE}dmr = "2001:2:0:c000::/64"\n',
    "lw4o6-b4": SOFTWIRES + "number = 0x254\n",
    "native": 'family = "ipv6"\n',
}
IPV4_ALONE = ("nat44",)


@dataclass(frozen=True)
class Case:
    """`subscribers`: of MAP, Lw4o6 and DS-Lite; None: it has none. `connections`: of stateful gateways, in phase 2."""

    technology: str
    place: Place = "loopback"
    ports: Literal["pseudorandom", "fixed"] = "pseudorandom"
    flows: int | None = None
    """So many in all, in place of ports drawn for each frame."""
    networks: int = 1
    subscribers: int | None = None
    connections: int | None = None
    mesh: bool = False
    """Of a MAP CE: to other CEs, where each connection has a MAP address of its own on the far end."""
    both_directions: bool = False
    mix: tuple[int, int] = ALL_FOREGROUND
    """So many of so many frames are foreground, the others native IPv6 (RFC 8219 §5.3)."""
    stamped: bool = False
    """Each frame has an arrival time of its own, as NICs stamp them."""
    tags: int | None = None
    """So many frames are tagged: their delays are kept exactly (RFC 8219 §7.2)."""
    frame_size: int = 84
    """Over IPv6; over IPv4 alone 20 less, with the same in it."""
    hugepages: bool = True

    @property
    def directions(self) -> list[DirectionName]:
        """One suffices where no gateway has to be taught."""
        return ["forward", "reverse"] if self.both_directions else ["forward"]

    @property
    def ipv4_alone(self) -> bool:
        """No side has IPv6 frames."""
        return self.technology in IPV4_ALONE

    def without_hugepages(self) -> Case:
        """The same."""
        return replace(self, hugepages=False)

    def bench(self, core: int) -> Bench:
        """As a user would write it."""
        huge = "" if self.hugepages else 'hugepages = "never"\n'
        text = f'[tester]\ncores = [{core}]\nidle = "poll"\n{huge}[technology]\nname = "{self.technology}"\n'
        text += "mesh = true\n" if self.mesh else ""
        return parse_bench(text + TECHNOLOGIES[self.technology] + self._traffic(), self.technology)

    def _traffic(self) -> str:
        if BY_NAME[self.technology].stateful:
            return "[traffic.connections]\n"
        text = ""
        if self.ports == "fixed":
            ways = [f"traffic.{way}.{end}_ports" for way in ("forward", "reverse") for end in ("source", "destination")]
            text += "".join(f'[{way}]\norder = "fixed"\n' for way in ways)
        if self.flows is not None:
            text += f"[traffic.forward]\nflows = {self.flows}\n"
        if self.networks > 1:
            text += f"[traffic.right.hosts]\nprefix = '198.19.0.0/24'\nnetworks = {self.networks}\n"
        return text
