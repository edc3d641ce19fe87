"""What stands in a siitperf.conf: by our sides and directions, also where its Initiator is on the right."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from xlatperf.imports.key_values import KeyValues
from xlatperf.imports.varying import MOST_NETWORKS, Address, Varying
from xlatperf.keys.not_allowed import not_allowed

Side = Literal["left", "right"]
Direction = Literal["forward", "reverse"]
Family = Literal[4, 6]
SIDES: tuple[Side, Side] = ("left", "right")


@dataclass(frozen=True)
class SiitperfFile:
    """With the keys of all versions of siitperf that are in public."""

    keys: KeyValues

    @cached_property
    def stateful(self) -> int:
        """0: not; 1: the Initiator is on the left; 2: on the right. Raises ValueError."""
        return self.keys.whole("Stateful", 0, 0, 2)

    def letter(self, side: Side) -> str:
        """Their name of our side: the Initiator is on our left."""
        return "L" if (side == "left") != (self.stateful == 2) else "R"

    def is_forward(self, direction: Direction) -> bool:
        """Whether it's their forward."""
        return (direction == "forward") != (self.stateful == 2)

    def version(self, side: Side) -> Family:
        """Of the foreground. Raises ValueError."""
        found = self.keys.need(f"IP-{self.letter(side)}-Vers")
        match found.text:
            case "4":
                return 4
            case "6":
                return 6
        raise ValueError(not_allowed(found.origin, found.text, "4 or 6"))

    def name(self, family: Family, side: Side, kind: Literal["Real", "Virt"]) -> str:
        """`IPv6-L-Real`."""
        return f"IPv{family}-{self.letter(side)}-{kind}"

    def find(self, family: Family, side: Side, kind: Literal["Real", "Virt"]) -> Address | None:
        """None where it's unused. Raises ValueError."""
        name = self.name(family, side, kind)
        return self.keys.ipv4(name) if family == 4 else self.keys.ipv6(name)

    def need(self, family: Family, side: Side, kind: Literal["Real", "Virt"]) -> Address:
        """Raises ValueError where it's unused."""
        found = self.find(family, side, kind)
        if found is None:
            raise ValueError(f"{self.name(family, side, kind)}: missing: this traffic has that address")
        return found

    def varying(self, side: Side, base: Address) -> Varying:
        """`IP-L-var` (16 bits at an offset) or `Num-L-Nets` (byte 2 of IPv4, byte 7 of IPv6). Raises ValueError."""
        letter = self.letter(side)
        if self.keys.whole(f"IP-{letter}-var", 0, 0, 3):
            low = self.keys.whole(f"IP-{letter}-min", 0, 0, 65535)
            high = self.keys.whole(f"IP-{letter}-max", 65535, low, 65535)
            if base.version == 4:
                shift = 8 * (2 - self.keys.whole(f"IPv4-{letter}-offset", 2, 1, 2))
            else:
                shift = 8 * (14 - self.keys.whole(f"IPv6-{letter}-offset", 14, 6, 14))
            return Varying(base, high - low + 1, 16, shift, low)
        networks = self.keys.whole(f"Num-{letter}-Nets", 1, 1, MOST_NETWORKS)
        return Varying(base, networks, 8, 8 if base.version == 4 else 64) if networks > 1 else Varying(base)

    def origin_of_varying(self, side: Side) -> str:
        """The lines that say how many there are."""
        letter = self.letter(side)
        names = (f"IP-{letter}-var", f"IP-{letter}-min", f"IP-{letter}-max", f"Num-{letter}-Nets")
        varies = self.keys.whole(names[0], 0, 0, 3) > 0
        return self.keys.origin(*(names[1:3] if varies else names[3:]))
