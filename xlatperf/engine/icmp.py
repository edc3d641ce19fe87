"""ICMP errors by name."""

from __future__ import annotations


def icmp_name(version: int, kind: int, code: int) -> str:
    """`ICMPv6 1/0`, `ICMP 3/4`."""
    return f"{'ICMPv6' if version == 6 else 'ICMP'} {kind}/{code}"
