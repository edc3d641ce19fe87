"""What environment.json knows of the DUT's connection tracking table: rows that depend on the implementation (§6)."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from xlatperf.report.evidence import Evidence
from xlatperf.results.results import Measurement

_SYSCTL = "net.netfilter.nf_conntrack_"
_POLICIES = {
    "refuse": "new connections are refused",
    "least_recently_used": "the entry that was used longest ago is replaced",
}


@dataclass(frozen=True)
class StateTable:
    """As configured when the campaign began. `entries`: its size; `buckets`: of the hash table; None: not known.

    `entries_name`, `buckets_name`: as the implementation calls them. `when_full`: what it is told to do then.
    """

    entries: int | None = None
    entries_name: str = "table size"
    buckets: int | None = None
    buckets_name: str = "hashsize"
    when_full: str | None = None

    def of(self, item: Measurement) -> StateTable:
        """As it was for this measurement: a column may have set its sizes."""
        return replace(
            self,
            entries=self.entries if item.table_size is None else item.table_size,
            buckets=self.buckets if item.hash_size is None else item.hash_size,
        )


def state_table(evidence: Evidence) -> StateTable:
    """From the driver's facts."""
    facts = evidence.part("device")
    entries, buckets = _number(facts.get(f"{_SYSCTL}max")), _number(facts.get(f"{_SYSCTL}buckets"))
    if entries is not None or buckets is not None:
        return StateTable(entries, "nf_conntrack_max", buckets, "hashsize")
    entries, buckets = _number(facts.get("table_size")), _number(facts.get("hash_size"))
    if entries is not None or buckets is not None:  # as facts_command of a manual device says it
        return StateTable(entries, "table_size", buckets, "hash_size")
    try:
        state = json.loads(str(facts.get("reference.configuration")))["technology"]["state"]
        entries = _number(state.get("entries"))
        when_full = str(state.get("when_full") or "")
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return StateTable()
    said = _POLICIES.get(when_full)
    if when_full == "collect":
        said = f"the {state.get('collect')} entries that were used longest ago go at once"
    return StateTable(entries, "state.entries", when_full=said)


def _number(value: object) -> int | None:
    text = str(value)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else None
