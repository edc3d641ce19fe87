"""What VPP can't be told is refused, what it does otherwise is said, before anything is sent."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.devices.vpp import fake
from tests.devices.vpp.prepared import plan_of, prepared
from xlatperf.devices.device import DeviceError
from xlatperf.devices.vpp import limits

RULE = 'ipv4 = "198.18.0.0/24", ces = 2'


def said(text: str, tmp_path: Path, sessions: int = 1_048_576) -> list[str]:
    return limits.said(plan_of(text, tmp_path)[1], sessions)


def map_t(rule: str, dmr: str = "2001:2:0:c000::/64") -> str:
    domain = f'{{ {RULE}, ea_bits = 13, psid_offset = 6, ipv6 = "{rule}", dmr = "{dmr}" }}'
    return f'technology = {{ name = "map-t", role = "br", domains = [{domain}] }}'


@pytest.mark.parametrize(("length", "loses"), [(48, False), (51, True), (40, False), (50, True)])
def test_rule_prefixes(length: int, loses: bool, tmp_path: Path) -> None:
    """RFC 7599 §5: of MAP-T alone."""
    lines = said(map_t(f"2001:db8::/{length}"), tmp_path)
    lost = f"VPP: it loses packets from CEs whose rule prefix (2001:db8::/{length}) isn't a multiple of 8 bits long"
    assert lines == ([lost] if loses else [])
    domain = f'{{ {RULE}, ea_bits = 13, psid_offset = 6, ipv6 = "2001:db8::/{length}", br = "2001:2:1::1" }}'
    assert said(f'technology = {{ name = "map-e", role = "br", domains = [{domain}] }}', tmp_path) == []


@pytest.mark.parametrize(
    ("length", "known"), [(32, False), (40, False), (48, False), (56, False), (64, True), (96, True)]
)
def test_default_mapping_rules(length: int, known: bool, tmp_path: Path) -> None:
    """RFC 7599 §5.1."""
    lines = said(map_t("2001:2:1::/48", f"2001:db8::/{length}"), tmp_path)
    assert lines == (
        []
        if length >= 64
        else [
            "VPP: it knows default mapping rules of 64 and 96 bits, not 2001:db8::/"
            f"{length} (RFC 7599 §5.1 has all of RFC 6052 §2.2)"
        ]
    )


def test_interface_identifiers_of_the_draft(tmp_path: Path) -> None:
    domain = f'{{ {RULE}, ea_bits = 13, psid_offset = 4, ipv6 = "2001:2:1::/48", br = "2001:2:2::1", '
    domain += 'interface_identifier = "draft-03" }'
    (line,) = said(f'technology = {{ name = "map-e", role = "br", domains = [{domain}] }}', tmp_path)
    assert line == "VPP: it makes the interface identifiers of RFC 7597, not those of draft-03"


def test_sessions_of_a_b4(tmp_path: Path) -> None:
    """RFC 6333: 1,000 for each."""
    bench = """
        technology = { name = "dslite", b4s.count = 2 }
        [[measure]]
        procedure = "throughput"
        connections = [%d]
        establish_fps = 1000
        """
    ttl = "VPP: it doesn't decrement the inner TTL"
    assert said(bench % 2000, tmp_path) == [ttl]
    kept = "VPP: it keeps 1,000 sessions per B4, 2,000 of 2 B4s: with 2,001 connections it forgets some"
    assert said(bench % 2001, tmp_path) == [kept, ttl]


def test_sessions_of_nat44(tmp_path: Path) -> None:
    bench = """
        technology.name = "nat44"
        [[measure]]
        procedure = "capacity"
        safe_connections = 100
        maximum_connections = 5000
        """
    assert said(bench, tmp_path, 5000) == []
    full = "VPP: it has room for 4,999 sessions (device.table_size): with 5,000 connections it forgets some"
    assert said(bench, tmp_path, 4999) == [full]


def test_ports_of_a_pool(tmp_path: Path) -> None:
    (line,) = said('technology = { name = "nat44", pool.first_port = 2048 }', tmp_path)
    assert (
        line == "VPP: it takes ports 1024 to 65535 of the pool: others than technology.pool's 2048 to 65535 are wrong"
    )


def test_they_are_said_before_anything_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And again where `check` fails, with what VPP counted since it was told all; before that it counted for others."""
    log = fake.on_the_path(tmp_path, monkeypatch)
    bench = 'technology.name = "nat64"'
    driver, plan = plan_of(bench, tmp_path)
    driver.planned(plan)
    foreseen = driver.limits(plan)
    assert not log.exists()
    with prepared(bench, tmp_path) as device:
        told = device.diagnose()
    limit = "VPP: it translates what has another prefix of its length as well, and swallows native IPv6"
    assert foreseen == [limit]
    assert told == [
        limit,
        "VPP's memif102/0: drops: 2",
        "VPP's memif101/0: drops: 1",
        "VPP's map-e: bad protocol: 30",
    ]


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ('technology.name = "siit"', r'technology\.name: "siit" is not allowed: with the driver vpp native, map-e, .*'),
        (
            'technology = { name = "map-e", role = "ce" }',
            r'technology\.role: "ce" is not allowed: br: VPP is no other part of map-e',
        ),
        (
            'technology = { name = "lw4o6", role = "lwb4" }',
            r'technology\.role: "lwb4" is not allowed: lwaftr: VPP is no other part of lw4o6',
        ),
        (
            'technology = { name = "nat44", double_translation = true }',
            r"technology\.double_translation: true is not allowed: false: VPP is one device",
        ),
        (
            'technology = { name = "nat44", pool = { first_port = 0, last_port = 65535, psid_length = 4, psid = 3 } }',
            r"technology\.pool\.psid_length: 4 is not allowed: 0: VPP's pools have whole addresses",
        ),
        (
            map_t("2001:2:0:2000::/56"),
            r"technology\.domains\[0\]\.ea_bits: 13 is not allowed: 0 to 8: VPP takes EA bits from the first 64 .*",
        ),
    ],
)
def test_what_vpp_cannot_be_told(text: str, refused: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake.on_the_path(tmp_path, monkeypatch)
    with pytest.raises(DeviceError, match=refused) as error, prepared(text, tmp_path):
        pass
    assert "\n" not in str(error.value)
