"""MAP-E, MAP-T and Lw4o6 in both roles: the engine against the reference device, over memif.

Both are written from RFC 7596, RFC 7597 and RFC 7599, and share nothing but how bytes are stored.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.system.faults import DURATION_S, EVERY, FAULTS, HIT, RATE_FPS, SENT, Fault, corrupt, hit_and_counted
from tests.system.gateway import OF_SUBSCRIBERS, SIDES, Gateway, gateway
from tests.system.trials import clean, counters, quiet_port
from xlatperf.commands.check_negative import check_negative

TUNNELS = [name for name in OF_SUBSCRIBERS if not name.startswith("map-t")]
OUTER_FAULTS = {
    "outer_address": corrupt("outer_address", "wrong_address"),
    "outer_source_address": corrupt("outer_source_address", "wrong_address"),
    "outer_traffic_class": corrupt("outer_traffic_class", "traffic_class"),
    "outer_hop_limit": corrupt("outer_hop_limit", "hop_limit"),
}
SHARED = """domains = [{ ipv6 = "2001:db8::/40", ipv4 = "192.0.2.0/24", ea_bits = 16, %s }]"""
PREFIXES = """domains = [{ ipv6 = "2001:db8::/40", ipv4 = "198.51.0.0/16", ea_bits = 12, %s }]"""
FULL = """domains = [{ ipv6 = "2001:db8::/51", ipv4 = "203.0.113.0/24", ea_bits = 8, psid_offset = 0, %s }]"""
PROVISIONED = (
    """domains = [{ ipv6 = "2001:db8:12:3400::/56", ipv4 = "192.0.2.18/32", ea_bits = 0, """
    """psid = 52, psid_length = 8, %s }]"""
)
SEVERAL = """domains = [{ ipv6 = "2001:db8:ce::/51", ipv4 = "192.0.2.0/24", ea_bits = 13, psid_offset = 0, %s },
 { ipv6 = "2001:db8:100::/40", ipv4 = "203.0.113.0/24", ea_bits = 14, psid_offset = 4, %s }]"""
DRAFT_03 = """domains = [
 { ipv6 = "2001:db8::/40", ipv4 = "192.0.2.0/24", ea_bits = 16, interface_identifier = "draft-03", %s },
 { ipv6 = "2001:db8:100::/40", ipv4 = "198.51.0.0/16", ea_bits = 12, interface_identifier = "draft-03", %s }]"""
RULES = {
    "shared": SHARED,
    "prefixes": PREFIXES,
    "full": FULL,
    "provisioned": PROVISIONED,
    "several": SEVERAL,
    "draft-03": DRAFT_03,
}
BEYOND = {
    "map-e": ('br = "2001:db8:ffff::1"', 'br = "2001:db8:ffff::2"'),
    "map-t": ('dmr = "2001:db8:ffff::/64"', 'dmr = "2001:db8:fe00::/96"'),
}


@pytest.fixture(scope="module", params=OF_SUBSCRIBERS)
def device(request: pytest.FixtureRequest) -> Iterator[Gateway]:
    with gateway(request.param) as made:
        yield made


def test_no_fault(device: Gateway) -> None:
    """R8219-5.3-1: frames of all sizes are as expected, up to the MTU of the IPv6 side."""
    device.impair()
    for frame_size in (104, 512, 1518):
        seen = device.trial(frame_size=frame_size, rate_fps=RATE_FPS, duration_s=DURATION_S)
        for name, (_, arrival) in SIDES.items():
            assert counters(seen.answer[name]["foreground"]) == clean(SENT)
            assert seen.device[name]["translated"] == SENT
            quiet_port(seen.answer[arrival], received=SENT)


@pytest.mark.parametrize("share", [10, 50, 90])
def test_background(device: Gateway, share: int) -> None:
    """R8219-5.3-3: native IPv6 goes by the tunnel, in any proportion."""
    device.impair()
    device.mix(100 - share, 100)
    try:
        seen = device.trial(frame_size=128, rate_fps=RATE_FPS, duration_s=DURATION_S)
    finally:
        device.mix(1, 1)
    for name, (_, arrival) in SIDES.items():
        assert counters(seen.answer[name]["foreground"]) == clean(SENT * (100 - share) // 100)
        assert counters(seen.answer[name]["background"]) == clean(SENT * share // 100)
        assert seen.device[name]["native"] == SENT * share // 100
        quiet_port(seen.answer[arrival], received=SENT)


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_each_fault_in_its_own_counter(device: Gateway, fault: Fault) -> None:
    """Each fault of the packet itself, in a tunnel or not, with exactly the number that the device reports."""
    hit_and_counted(device, fault, tuple(SIDES), 128)


@pytest.mark.parametrize("fault", OUTER_FAULTS.values(), ids=OUTER_FAULTS)
@pytest.mark.parametrize("device", TUNNELS, indirect=True)
def test_each_fault_of_the_outer_header(device: Gateway, fault: Fault) -> None:
    """RFC 2473 §6: what arrives in a tunnel is verified from its outer header on."""
    directions = tuple(name for name in SIDES if device.output_family(name) == "ipv6")
    assert len(directions) == 1
    hit_and_counted(device, fault, directions, 128)


def test_untranslated(device: Gateway) -> None:
    """A frame that comes out as it went in: still in its tunnel, or without one."""
    order = {"untranslated": {"every": EVERY}}
    device.impair(forward=order, reverse=order)
    seen = device.trial(frame_size=128, rate_fps=RATE_FPS, duration_s=DURATION_S)
    for name in SIDES:
        assert seen.device[name]["impairments"]["untranslated"] == HIT
        assert counters(seen.answer[name]["foreground"]) == clean(SENT, expected=SENT - HIT, untranslated=HIT)


@pytest.mark.parametrize("role", ["br", "ce"])
@pytest.mark.parametrize("name", ["map-e", "map-t"])
@pytest.mark.parametrize("rule", RULES)
def test_rules_of_all_kinds(name: str, role: str, rule: str) -> None:
    """R7597-5: shared addresses, full ones, prefixes, a provisioned PSID, several domains (standards.md §4.5)."""
    ends = BEYOND[name][: RULES[rule].count("%s")]
    if role == "ce":
        ends = tuple(f"{end}, ea = {0 if rule == 'provisioned' else number + 5}" for number, end in enumerate(ends))
    with gateway(f"{name} {role}", technology=RULES[rule] % ends) as device:
        for frame_size in (104, 1280):
            seen = device.trial(frame_size=frame_size, rate_fps=RATE_FPS, duration_s=DURATION_S)
            for direction in SIDES:
                assert counters(seen.answer[direction]["foreground"]) == clean(SENT)
                assert seen.device[direction]["refused"] == {}


def test_outer_header_as_configured() -> None:
    """R2473-6.3, R2473-6.4: hop limit and traffic class of the tunnel are the device's choice, and then required."""
    tunnel = "tunnel = { hop_limit = 3, dut_hop_limit = 9, dut_traffic_class = 32 }"
    same = "device.hop_limit = 9\ndevice.traffic_class = 32"
    with gateway("map-e br", same, technology=tunnel) as device:
        seen = device.trial(frame_size=128, rate_fps=RATE_FPS, duration_s=DURATION_S)
        for direction in SIDES:
            assert counters(seen.answer[direction]["foreground"]) == clean(SENT)
    with gateway("map-e br", "device.traffic_class = 32", technology=tunnel) as device:
        seen = device.trial(frame_size=128, rate_fps=RATE_FPS, duration_s=DURATION_S)
        assert counters(seen.answer["forward"]["foreground"]) == clean(SENT)
        assert counters(seen.answer["reverse"]["foreground"]) == clean(SENT, expected=0, hop_limit=SENT)


@pytest.mark.parametrize("name", TUNNELS)
def test_tunnel_encapsulation_limit(name: str) -> None:
    """RFC 2473 §5.1: 8 bytes more behind the outer header, of all sizes, are recognised, and a remark on each frame."""
    encapsulated = "reverse" if name in ("map-e br", "lw4o6 lwaftr") else "forward"
    with gateway(name, "device.encapsulation_limit = 4\ndevice.mtu = 1508") as device:
        for frame_size in (104, 1518):
            answer = device.trial(frame_size=frame_size, rate_fps=RATE_FPS, duration_s=DURATION_S).answer
            for direction in SIDES:
                remarks = {"encapsulation_limit": SENT} if direction == encapsulated else {}
                assert counters(answer[direction]["foreground"]) == clean(SENT, **remarks)
            sample = answer["samples"][0]
            assert sample["reason"] == "encapsulation_limit"
            assert len(sample["received"]) - len(sample["expected"]) == (16 if frame_size == 104 else 0)


ROWS = """ipv6,ipv4,psid_offset,psid_length,psid,lwaftr
2001:db8::1,192.0.2.1,0,6,1,2001:db8:ffff::1
2001:db8::2,192.0.2.1,0,5,1,2001:db8:ffff::1
2001:db8:cafe::1,192.0.2.2,0,0,0,2001:db8:ffff::2
2001:db8:cafe::2,203.0.113.7,6,8,52,2001:db8:ffff::1
"""


def test_a_binding_table_of_any_rows(tmp_path: Path) -> None:
    """R7596-6.1: several lwAFTRs, port sets of several sizes; and no other source passes, by any of their shapes."""
    table = tmp_path / "softwires.csv"
    table.write_text(ROWS, encoding="utf-8")
    with gateway("lw4o6 lwaftr", technology=f'softwires.table = "{table}"') as device:
        seen = device.trial(frame_size=104, rate_fps=RATE_FPS, duration_s=DURATION_S)
        for direction in SIDES:
            assert counters(seen.answer[direction]["foreground"]) == clean(SENT)
        found = check_negative(device.bench, device.running, 0.1)
        assert [one.untried for one in found if not one.refused] == ["no lwB4 shares its address"], found
        assert [one.test.part for one in found if one.test.name == "source_port"] == [0, 1, 2, 3]
        assert {one.test.name for one in found if one.violated or one.test.must} == {
            *("softwire", "outer_source", "source_address", "source_port", "nobodys_port")
        }
