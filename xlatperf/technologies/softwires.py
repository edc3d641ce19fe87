"""The binding table of Lw4o6 (RFC 7596 §6.1): `technology.softwires`. The engine makes or reads its rows."""

from __future__ import annotations

import ipaddress
from pathlib import Path
from typing import Any, Self

from pydantic import PrivateAttr, model_validator

from xlatperf.keys.addresses import IPv6, NetworkIPv4, NetworkIPv6
from xlatperf.keys.limits import MOST_SUBSCRIBERS
from xlatperf.keys.located import Located
from xlatperf.keys.model import Whole, key
from xlatperf.keys.not_allowed import refuse
from xlatperf.technologies.mapping_negative import RuleBits
from xlatperf.technologies.own_softwires import Shape
from xlatperf.technologies.softwire_rows import RowsSeen, rows_seen

USUAL_COUNT = 1000
USUAL_SOFTWIRES = {
    "ipv6": "2001:2:0:2000::/51",
    "ipv4": "198.18.0.0/24",
    "psid_length": 5,
    "lwaftr": "2001:2:0:c000::1",
}
"""RFC 2544 App. C.2.2, RFC 5180 §5.2.1: 256 addresses that up to 31 lwB4s share each, beside links and background."""
_GENERATED = ("ipv6", "ipv4", "psid_length", "lwaftr")
_SYSTEM_PORTS = 1024


class Softwires(Located):
    """Who the lwB4s are: generated from `ipv6`, `ipv4` and `psid_length`, or read from a file."""

    _part: Shape | None = PrivateAttr(default=None)

    table: str | None = key(
        None,
        "a file with all softwires, in place of the keys that generate them: comma-separated values, a row for each, "
        "the first line ipv6,ipv4,psid_offset,psid_length,psid,lwaftr; relative to the bench file",
        allowed="a file's name such as softwires.csv",
        source="RFC 7596 §6.1",
    )
    ipv6: NetworkIPv6 | None = key(
        None,
        "the prefix in which each lwB4 has one: behind it the IPv4 address's suffix and the PSID, at most 64 bits in "
        "all",
        allowed="an IPv6 network such as 2001:db8::/51",
        source="RFC 7596 §5.1",
    )
    ipv4: NetworkIPv4 | None = key(
        None, "the public addresses", allowed="an IPv4 network such as 192.0.2.0/24", source="RFC 7596 §5.1"
    )
    psid_length: Whole | None = key(
        None,
        "bits of the PSID: 2^length lwB4s share an address, but PSIDs with ports below 1024 are nobody's; with table, "
        "only its softwires with so many",
        ge=0,
        le=16,
        allowed="a whole number, 0 to 16",
        source="RFC 7596 §5.1",
    )
    psid_offset: Whole | None = key(
        None,
        "bits before the PSID in a port, 0 if not set; with table, only its softwires with so many",
        ge=0,
        le=15,
        allowed="a whole number, 0 to 15",
        source="RFC 7596 §5.1: SHOULD be 0",
    )
    lwaftr: IPv6 | None = key(
        None,
        "the lwAFTR's end of the tunnels",
        allowed="an IPv6 address such as 2001:db8:ffff::1",
        source="RFC 7596 §5.1",
    )
    count: Whole | None = key(
        None,
        "how many softwires there are, drawn without repetition; not set: 1000 or all, of a table all, with number 1",
        ge=1,
        le=MOST_SUBSCRIBERS,
        allowed=f"a whole number, 1 to {MOST_SUBSCRIBERS}",
        source="RFC 8219 §10.2",
    )
    number: Whole | None = key(
        None,
        "only this softwire: the bits of the IPv4 address's suffix and of the PSID, or a row of the table, counted "
        "from 0; with role = lwb4, the DUT",
        ge=0,
        le=2**48 - 1,
        allowed="a whole number, 0 to 2^48 - 1",
    )

    @model_validator(mode="after")
    def _generated_or_read(self) -> Softwires:
        for name in _GENERATED:
            given = getattr(self, name)
            if self.table is None and given is None:
                raise ValueError(f"{name}: missing: one of {', '.join(_GENERATED)}, or table in their place")
            if self.table is not None and given is not None and name != "psid_length":
                refuse(name, given, "nothing with table, which has it")
        if self.number is not None and self.count not in (None, 1):
            refuse("count", self.count, "1 with number")
        if self.table is None:
            self._check_rule()
        return self

    def _check_rule(self) -> None:
        bits = self.bits
        if bits.psid_offset + bits.psid > 16:
            refuse("psid_offset", bits.psid_offset, "with psid_length at most 16")
        if bits.ipv6_prefix + bits.ea > 64:
            refuse(
                "ipv6",
                self.ipv6,
                f"a prefix of at most {64 - bits.ea} bits, so that each of the {2**bits.ea} lwB4s has "
                "one of at most 64",
            )
        if self.count is not None and self.count > self.possible[-1]:
            refuse("count", self.count, f"1 to {self.possible[-1]}, with these prefixes")
        if self.number is not None and self.number >= 2**bits.ea:
            refuse("number", self.number, f"0 to {2**bits.ea - 1}, with these prefixes")

    @property
    def bits(self) -> RuleBits:
        """Where bits are, as in MAP: the softwire's number in place of the EA bits. Of a table, those of ports."""
        if self.table is not None:
            return RuleBits(0, 32, self.psid_length or 0, self.psid_offset or 0)
        ipv4 = ipaddress.ip_network(str(self.ipv4)).prefixlen
        length = self.psid_length or 0
        ipv6 = ipaddress.ip_network(str(self.ipv6)).prefixlen
        return RuleBits(ipv6, ipv4, 32 - ipv4 + length, self.psid_offset or 0)

    def named(self, *keys: str) -> dict[str, str]:
        """Those that are given, by their place in the bench file."""
        return {f"technology.softwires.{key}": value for key in keys if (value := getattr(self, key)) is not None}

    @property
    def nobodys_psids(self) -> int:
        """How many PSIDs are nobody's, as they have ports below 1024 (RFC 7596 §5.1: RECOMMENDED)."""
        if self.table is not None or not self.psid_length or self.psid_offset:
            return 0
        return -(-_SYSTEM_PORTS // (1 << (16 - self.psid_length)))

    @property
    def possible(self) -> range:
        """Possible values of `count`; how many rows a table has is the engine's to find out."""
        if self.table is not None:
            return range(1, MOST_SUBSCRIBERS + 1)
        bits = self.bits
        all_of_them = 2 ** (bits.ea - bits.psid) * (2**bits.psid - self.nobodys_psids)
        return range(1, min(MOST_SUBSCRIBERS, all_of_them) + 1)

    @property
    def file(self) -> Path | None:
        """Where the table is."""
        return None if self.table is None else self._folder / self.table

    @property
    def rows(self) -> RowsSeen:
        """What is known of the file's rows."""
        return RowsSeen() if self.file is None else rows_seen(self.file, self.number)

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """Of their port sets: one, or those of the table's file, sorted. A file that isn't right has none."""
        if self.file is None:
            return ((self.psid_offset or 0, self.psid_length or 0),)
        wanted = (self.psid_offset, self.psid_length)
        return tuple(
            one for one in self.rows.shapes if all(want in (None, has) for want, has in zip(wanted, one, strict=True))
        )

    def of_shape(self, index: int) -> Self:
        """Of those that are simulated the ones with one of `shapes`."""
        copy = self.model_copy()
        copy._part = self.shapes[index]  # noqa: SLF001 - it is one of these
        return copy

    def message(self) -> dict[str, Any]:
        """`technology.softwires` of the engine's `configure`."""
        message = self.model_dump(mode="json", exclude_none=True)
        if self._part is not None:
            message["part"] = dict(zip(("psid_offset", "psid_length"), self._part, strict=True))
        return message if self.file is None else {**message, "table": str(self.file.resolve())}


def usual(table: dict[str, Any], *, number: int | None) -> None:
    """Fills the table of the bench file: the benchmarking ranges, and how many."""
    softwires = table.setdefault("softwires", {})
    if not isinstance(softwires, dict):
        return
    if not any(name in softwires for name in ("table", *_GENERATED)):
        own = {} if number is None else {"number": number}
        softwires.update({**USUAL_SOFTWIRES, **own, **softwires})
    if "count" in softwires:
        return
    if "number" in softwires:
        softwires["count"] = 1
    elif "table" not in softwires:
        try:
            possible = Softwires.model_validate(softwires).possible
        except ValueError:  # which is told when the file is checked
            return
        softwires["count"] = min(USUAL_COUNT, possible[-1])
