"""Values of an imported file, with the place where they stand; what they can't be is said with it."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator
from dataclasses import dataclass

from xlatperf.keys.addresses import mac_address
from xlatperf.keys.not_allowed import refuse

_WHOLE = re.compile(r"[0-9]{1,20}|0[xX][0-9a-fA-F]{1,16}")


def numbered(text: str) -> Iterator[tuple[int, str]]:
    """Lines as editors count them: Python's own splitting has more ends of lines."""
    return ((number, line.rstrip("\r")) for number, line in enumerate(text.split("\n"), 1))


@dataclass(frozen=True)
class Found:
    """A value as it stands there. `name`: its key in that file. `line`: 0 where the name says all."""

    name: str
    text: str
    line: int

    @property
    def origin(self) -> str:
        """`line 12: IPv6-L-Real`."""
        return f"line {self.line}: {self.name}" if self.line else self.name

    def whole(self, low: int, high: int) -> int:
        """A number, also with 0x. Raises ValueError."""
        number = int(self.text, 0 if self.text[:2] in ("0x", "0X") else 10) if _WHOLE.fullmatch(self.text) else None
        if number is None or not low <= number <= high:
            refuse(self.origin, self.text, f"a whole number, {low} to {high}")
        return number

    def ipv4(self) -> ipaddress.IPv4Address:
        """Raises ValueError."""
        try:
            return ipaddress.IPv4Address(self.text)
        except ValueError:
            refuse(self.origin, self.text, "an IPv4 address")

    def ipv6(self) -> ipaddress.IPv6Address:
        """Raises ValueError."""
        try:
            address = ipaddress.IPv6Address(self.text)
        except ValueError:
            refuse(self.origin, self.text, "an IPv6 address")
        if address.scope_id is not None:
            refuse(self.origin, self.text, "an IPv6 address without a zone")
        return address

    def mac(self) -> str:
        """Raises ValueError."""
        try:
            return mac_address(self.text)
        except ValueError as error:
            refuse(self.origin, self.text, str(error))

    def network_ipv4(self, length: int | None = None) -> ipaddress.IPv4Network:
        """With `length`, of an address; else with its own. Bits beyond it are dropped. Raises ValueError."""
        text = self.text if length is None else f"{self.text}/{length}"
        try:
            return ipaddress.IPv4Network(text, strict=False)
        except ValueError:
            refuse(self.origin, text, "an IPv4 network")

    def network_ipv6(self, length: int | None = None) -> ipaddress.IPv6Network:
        """The same. Raises ValueError."""
        text = self.text if length is None else f"{self.text}/{length}"
        try:
            return ipaddress.IPv6Network(text, strict=False)
        except ValueError:
            refuse(self.origin, text, "an IPv6 network")
