"""UDP ports of the test frames, as siitperf and Maptperf have them (RFC 4814 §4.5)."""

from __future__ import annotations

from xlatperf.imports.bench_text import BenchText
from xlatperf.imports.key_values import KeyValues

ORDERS = ("fixed", "increasing", "decreasing", "pseudorandom")
"""By the numbers 0 to 3, which both programs have for them."""
FIXED_SOURCE, FIXED_DESTINATION = 0xC020, 7
"""RFC 2544 App. C.2.6.4: theirs where ports don't vary."""


def udp_ports(bench: BenchText, keys: KeyValues, table: str, names: tuple[str, str, str]) -> None:
    """`table`: of the bench file; `names`: the keys of order, lowest and highest port. Raises ValueError."""
    order = keys.whole(names[0], 0, 0, len(ORDERS) - 1)
    limits = [keys.get(name) for name in names[1:]]
    bench.table(table)
    bench.key("order", ORDERS[order], keys.origin(names[0]) or f"not in the file: without {names[0]} they are fixed")
    if not order:
        fixed = FIXED_SOURCE if table.endswith("source_ports") else FIXED_DESTINATION
        bench.key("first", fixed, "not in the file: RFC 2544 App. C.2.6.4")
        return
    for found, key in zip(limits, ("first", "last"), strict=True):
        if found is not None:
            bench.key(key, found.whole(0, 65535), found.origin)
