"""What every technology says of itself. `[technology]` of the bench file is a subclass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Self

from xlatperf.engine.message import DirectionName
from xlatperf.keys.does import Does
from xlatperf.keys.model import ConfigModel
from xlatperf.procedures.negative import NegativeTest
from xlatperf.technologies.in_a_row import InARow
from xlatperf.technologies.softwires import Softwires

Side = str
"""`left`, `right`."""
OF_464XLAT = Literal["clat", "plat", "both"]
_MIDDLE = (128, 256, 512, 768, 1024, 1280)
_SMALLEST, _LARGEST = 64, 1518


@dataclass(frozen=True)
class AddressPlan:
    """Defaults that follow from the technology: the first network of hosts by side, or of clients and servers.

    `servers`: how many there are from the first on. `client_ports`: how many of them are used; None: those of the bench
    file's key. `server_ports`: ranges that servers can have, the first one being the default; none: any.
    """

    frame_size_of: str
    hosts: Mapping[Side, str] = field(default_factory=dict)
    client: str | None = None
    server: str | None = None
    servers: int = 1
    client_ports: int | None = None
    server_ports: Sequence[range] = ()


class TechnologyModel(ConfigModel):
    """The base. The class methods take the table as it stands in a file or in results: it may not have been checked."""

    title: ClassVar[str]
    """In the report: `SIIT`."""
    verb: ClassVar[str] = "translated"
    """What the DUT does with frames."""
    templates: ClassVar[Mapping[str, Mapping[str, Any]]]
    """Names of `xlatperf init`, and what the bench file of each begins with."""
    stateful: ClassVar[bool] = False
    """It has a connection tracking table (RFC 9693): `traffic.connections` takes the place of hosts."""
    growth: ClassVar[int] = 20
    """Bytes that a packet has more on the IPv6 side than on the IPv4 side."""

    hops: ClassVar[int | Literal["learn"]] = 1
    """How often the DUT decrements TTL and hop limit, where the bench file doesn't say."""
    most_options: ClassVar[int] = 0
    """Bytes of extension headers that a DUT may put in front of what it sends."""

    name: str

    @classmethod
    def families_of(cls, table: Mapping[str, Any]) -> tuple[int, int]:
        """IP versions of the foreground's frames on the wire, left and right."""
        raise NotImplementedError

    @classmethod
    def plan(cls, table: Mapping[str, Any]) -> AddressPlan:
        """The address plan."""
        raise NotImplementedError

    @classmethod
    def fill(cls, table: dict[str, Any]) -> None:
        """Sets defaults that depend on other keys of the table. Wrong content is left for the model to refuse."""

    @classmethod
    def in_words(cls, table: Mapping[str, Any]) -> str:
        """As the report names it."""
        return cls.title

    @classmethod
    def of_464xlat(cls, table: Mapping[str, Any]) -> OF_464XLAT | None:
        """Which part of 464XLAT (RFC 6877) such a DUT can be."""
        return None

    def in_a_row(self) -> InARow | None:
        """Of two devices in a row of which one does this: what each does; None: it takes no part in such a pair."""
        return None

    @classmethod
    def frame_sizes(cls, table: Mapping[str, Any], of: str) -> list[int]:
        """Frame sizes of `of` (`ipv4`, `ipv6`, `sender`), that fit an MTU of 1500 on all segments (RFC 8219 §5.1.1)."""
        mixed = len(set(cls.families_of(table))) > 1
        growth = cls.growth if mixed and of != "ipv6" else cls.growth_between(table)
        return [cls.smallest_frame(of), *_MIDDLE, _LARGEST - growth]

    @classmethod
    def growth_between(cls, table: Mapping[str, Any]) -> int:
        """Bytes that a packet has more between two devices in a row, the DUT, than on either side."""
        return 0

    @classmethod
    def smallest_frame(cls, of: str) -> int:
        """RFC 8219 §5.1.1: 64 bytes as IPv4, and what these are as IPv6; of those that both sides can send: as IPv6."""
        return _SMALLEST if of == "ipv4" else _SMALLEST + cls.growth

    @property
    def families(self) -> tuple[int, int]:
        """IP versions of the foreground's frames on the wire, left and right."""
        return self.families_of(self.model_dump())

    def on_segments(self, left: float, right: float, tags: tuple[int, int]) -> Sequence[float]:
        """Bytes of a frame on all segments, from those on the Tester's (RFC 8219 §5.1); `tags`: of VLANs in them."""
        growth = self.growth_between(self.model_dump())
        return (left, right, max(left - tags[0], right - tags[1]) + growth) if growth else (left, right)

    @property
    def option_bytes(self) -> int:
        """Of what the Tester writes behind the outer header of its frames, which counts in no frame size."""
        return 0

    def without_options(self) -> Self:
        """The same without what `option_bytes` counts."""
        return self

    @property
    def hairpins(self) -> bool:
        """Frames go from left to left: forward, and no others beside them."""
        return False

    @property
    def directions(self) -> tuple[DirectionName, ...]:
        """In which frames can be sent."""
        return ("forward",) if self.hairpins else ("forward", "reverse")

    @property
    def hosts(self) -> Mapping[Side, int]:
        """Sides whose hosts `traffic.<side>.hosts` names, and the IP version that it names them by."""
        left, right = self.families
        return {} if self.stateful else {"left": left, "right": right}

    @property
    def instead_of_hosts(self) -> Mapping[Side, str]:
        """The keys that say it on the other sides."""
        return {}

    @property
    def inside(self) -> Mapping[str, str]:
        """Prefixes in which nobody on the right can be, by the place that says so."""
        return {}

    @property
    def way_out(self) -> Mapping[str, str]:
        """IPv6 prefixes that stand for IPv4 addresses, and ends of tunnels but the subscribers', by their keys."""
        return {} if self.translation_prefix is None else {"technology.prefix": self.translation_prefix}

    @property
    def subscriber_prefixes(self) -> Mapping[str, str]:
        """IPv6 prefixes of the subscribers' ends of tunnels or translation, by their keys, on whichever side."""
        return {}

    @property
    def mapped(self) -> Mapping[str, str]:
        """Prefixes of which each address stands for a subscriber or a host, by their keys: no link has any of them."""
        return {}

    @property
    def translation_prefix(self) -> str | None:
        """The prefix of IPv4 addresses in IPv6 (RFC 6052), if it has one."""
        return None

    @property
    def does(self) -> Does:
        """What the DUT does to packets."""
        return "translates"

    @property
    def remakes_ipv4(self) -> bool:
        """IPv4 headers get their identification and DF from the DUT (RFC 7915 §5.1)."""
        return False

    @property
    def binding_table(self) -> Softwires | None:
        """What stands in the DUT's binding table (RFC 7596 §6.1), if it has one."""
        return None

    def with_binding_table(self, softwires: Softwires) -> Self:
        """The technology with another one."""
        raise NotImplementedError

    @property
    def subscribers(self) -> int | None:
        """How many the table says; None: all that there are, or it has none."""
        return None

    @property
    def possible_subscribers(self) -> range | None:
        """How many subscribers can be simulated; None: it has none whose number can be chosen."""
        return None

    def with_subscribers(self, count: int) -> Self:
        """The technology with so many, of the possible ones."""
        raise NotImplementedError

    def negative_tests(self) -> Sequence[NegativeTest]:
        """What a DUT must refuse."""
        return ()

    def part(self, part: int) -> Self:
        """The technology with this part of it alone, as negative tests count them."""
        raise NotImplementedError

    @property
    def encapsulated(self) -> DirectionName | None:
        """The direction in which the DUT encapsulates; None: it doesn't."""
        return None

    @property
    def dut_hop_limit(self) -> int | Literal["learn"] | None:
        """Outer hop limit that it must write then; None: none."""
        return None

    def with_dut_hop_limit(self, hop_limit: int) -> Self:
        """The technology with that outer hop limit."""
        raise NotImplementedError

    def message(self) -> dict[str, Any]:
        """`technology` of the engine's `configure`, which the reference device reads as well."""
        return self.model_dump(mode="json", exclude_none=True)

    def traffic_message(self) -> dict[str, Any]:
        """What of the table belongs to `traffic` of `configure`."""
        return {}
