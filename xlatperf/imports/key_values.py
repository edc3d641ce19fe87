"""Lines `Key value # comment`, as the configurations of siitperf and Maptperf have them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address

from xlatperf.imports.bench_text import BenchText
from xlatperf.imports.found import Found, numbered


@dataclass
class KeyValues:
    """What stands in the file; what was asked for is remembered, so that the rest can be told.

    `before`: of keys that stand there again, what stood there before.
    """

    values: dict[str, Found]
    before: list[Found] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)

    @classmethod
    def read(cls, text: str, also: Mapping[str, str] | None = None) -> KeyValues:
        """`also`: other names of keys, in small letters. Of a key that stands there twice the last one counts.

        Raises ValueError for a key without value.
        """
        values: dict[str, Found] = {}
        before: list[Found] = []
        for number, line in numbered(text):
            words = line.partition("#")[0].split()
            if not words:
                continue
            if len(words) != 2:
                raise ValueError(f"line {number}: {words[0]}: missing: one value behind the key, then a # or nothing")
            name = (also or {}).get(words[0].lower(), words[0])
            if name in values:
                before.append(values[name])
            values[name] = Found(words[0], words[1], number)
        return cls(values, before)

    def get(self, name: str) -> Found | None:
        """None: it isn't there."""
        self.asked.add(name)
        return self.values.get(name)

    def need(self, name: str) -> Found:
        """Raises ValueError."""
        found = self.get(name)
        if found is None:
            raise ValueError(f"{name}: missing: the file has no line with it")
        return found

    def whole(self, name: str, default: int, low: int, high: int) -> int:
        """A number, or what it is without one. Raises ValueError."""
        found = self.get(name)
        return default if found is None else found.whole(low, high)

    def ipv4(self, name: str) -> IPv4Address | None:
        """None also for 0.0.0.0, which stands for an unused one. Raises ValueError."""
        found = self.get(name)
        address = None if found is None else found.ipv4()
        return None if address is None or address.is_unspecified else address

    def ipv6(self, name: str) -> IPv6Address | None:
        """None also for ::, which stands for an unused one. Raises ValueError."""
        found = self.get(name)
        address = None if found is None else found.ipv6()
        return None if address is None or address.is_unspecified else address

    def origin(self, *names: str) -> str:
        """`line 12: IPv6-L-Real, line 13: IPv6-R-Real`; those that are there."""
        return ", ".join(self.values[name].origin for name in names if name in self.values)

    def say_unused(self, bench: BenchText, not_needed: Collection[str], not_used: Collection[str]) -> None:
        """What nobody asked for. `not_needed`: what xlatperf finds out; `not_used`: what doesn't count here."""
        for found in self.before:
            bench.leave_out(
                f"{found.origin} {found.text}", "the key stands there again, the last one counts", matters=False
            )
        for name, found in self.values.items():
            if name in self.asked:
                continue
            if name in not_needed:
                bench.leave_out(found.origin, "xlatperf needs no such key", matters=False)
            elif name in not_used:
                bench.leave_out(found.origin, "it says nothing about this traffic", matters=False)
            else:
                bench.leave_out(found.origin, "a key that xlatperf doesn't know")
