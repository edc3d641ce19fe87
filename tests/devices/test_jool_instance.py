"""What Jool writes."""

from __future__ import annotations

from xlatperf.devices.jool_instance import explained, parse_counters

EXPLAINED = """JSTAT_RECEIVED6: 12
Total IPv6 packets received by the instance so far.

JSTAT_SUCCESS: 0
Successful translations. (Note: 'Successful translation' does not imply delivery.)

JSTAT_POOL6_MISMATCH: 3
Translations cancelled: IPv6 packet's destination address did not match pool6.

"""


def test_what_is_not_0_is_explained() -> None:
    assert explained(EXPLAINED) == [
        "JSTAT_RECEIVED6 12: Total IPv6 packets received by the instance so far.",
        "JSTAT_POOL6_MISMATCH 3: Translations cancelled: IPv6 packet's destination address did not match pool6.",
    ]
    assert explained("") == []


def test_counters() -> None:
    assert parse_counters(EXPLAINED) == {"JSTAT_RECEIVED6": 12, "JSTAT_SUCCESS": 0, "JSTAT_POOL6_MISMATCH": 3}
    assert parse_counters("Error: none") == {}
