"""VLAN tags of the links (IEEE 802.1Q), and frame sizes with them (RFC 2544 §9, RFC 5180 §5.1.1)."""

from __future__ import annotations

import pytest

from tests.config.test_errors import fault
from xlatperf.config.bench import Bench
from xlatperf.config.load import parse_bench
from xlatperf.config.request import configure_message, open_message
from xlatperf.meaning.deviations import deviations

MEASURE = '[[measure]]\nprocedure = "throughput"\n'
BOTH = "tester.left.vlan = 100\ntester.right.vlan = 200\n"


def bench(keys: str, technology: str = 'name = "map-e"', of: str = "ipv6") -> Bench:
    return parse_bench(f'{keys}traffic.frame_size_of = "{of}"\n[technology]\n{technology}\n{MEASURE}', "b")


@pytest.mark.parametrize(
    ("keys", "technology", "of", "smallest", "largest"),
    [
        ("", 'name = "map-e"', "ipv6", 104, 1518),
        (BOTH, 'name = "map-e"', "ipv6", 108, 1522),
        (BOTH, 'name = "map-e"', "ipv4", 68, 1482),
        ("tester.left.vlan = 1\n", 'name = "map-e"', "ipv6", 108, 1522),
        ("tester.right.vlan = 1\n", 'name = "map-e"', "ipv6", 104, 1518),
        ("tester.right.vlan = 1\n", 'name = "map-e"', "ipv4", 68, 1482),
        ("tester.left.vlan = 1\n", 'name = "native"\nfamily = "ipv4"', "ipv4", 68, 1522),
        ("tester.right.vlan = 1\n", 'name = "native"\nfamily = "ipv4"', "ipv4", 64, 1518),
        (BOTH, 'name = "native"\nfamily = "ipv4"\ndouble_translation = true', "ipv4", 68, 1502),
    ],
)
def test_sizes_count_the_tag(keys: str, technology: str, of: str, smallest: int, largest: int) -> None:
    """Of the side that they are about; packets are as long as without."""
    found = bench(keys, technology, of)
    sizes = found.measure[0].frame_sizes
    assert (sizes[0], sizes[-1]) == (smallest, largest)
    assert found.smallest_frame == smallest
    text = f'{keys}traffic.frame_size_of = "{of}"\n[technology]\n{technology}\n{MEASURE}'
    if smallest == 64:
        return
    with_tag = f"{of} with VLAN tag" if smallest in (68, 108) else of
    assert f"{smallest - 1} is not allowed: {smallest} to 9216 for {with_tag} (RFC 8219" in fault(
        f"{text}frame_sizes = [{smallest - 1}]\n"
    )
    if "double" not in technology:
        assert f"at most {largest}: its packet has 1501 bytes" in fault(f"{text}frame_sizes = [{largest + 1}]\n")


def test_between_two_devices_there_is_no_tag() -> None:
    found = bench(BOTH, 'name = "native"\nfamily = "ipv4"\ndouble_translation = true', "ipv4")
    assert found.technology.on_segments(68, 68, found.tester.tag_bytes) == (68, 68, 84)


def test_the_engine_is_told() -> None:
    keys = f"{BOTH}tester.left.vlan_priority = 5\ntester.right.dut_vlan_priority = 3\n"
    message = configure_message(bench(keys), (1, 1))
    assert message["left"]["vlan"] == {"id": 100, "priority": 5, "dut_priority": None}
    assert message["right"]["vlan"] == {"id": 200, "priority": 0, "dut_priority": 3}
    plain = configure_message(bench(""), (1, 1))
    assert "vlan" not in plain["left"]
    assert "vlan" not in plain["right"]
    assert (
        open_message(bench(BOTH), "a", "b")["largest_frame"] == open_message(bench(""), "a", "b")["largest_frame"] + 8
    )


def test_the_results_say_it() -> None:
    said = [one for one in deviations(bench(BOTH)) if "VLAN" in one.here]
    assert [one.section for one in said] == ["RFC 2544 §9"]
    assert "VLAN 100 on the left link and of VLAN 200 on the right link" in said[0].here
    assert not [one for one in deviations(bench("")) if "VLAN" in one.here]


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ("tester.left.vlan = 0\n", "tester.left.vlan: 0 is not allowed: a whole number, 1 to 4094"),
        ("tester.right.vlan = 4095\n", "tester.right.vlan: 4095 is not allowed: a whole number, 1 to 4094"),
        ("tester.right.vlan = '7'\n", 'tester.right.vlan: "7" is not allowed: a whole number, 1 to 4094'),
        (
            f"{BOTH}tester.left.vlan_priority = 8\n",
            "tester.left.vlan_priority: 8 is not allowed: a whole number, 0 to 7",
        ),
        ("tester.left.vlan_priority = 1\n", "tester.left.vlan_priority: 1 is not allowed: nothing with"),
        (
            "tester.left.dut_vlan_priority = 0\n",
            "tester.left.dut_vlan_priority: 0 is not allowed: nothing without vlan",
        ),
        (
            f'{BOTH}tester.port_driver = "af_xdp"\n',
            "left.vlan: 100 is not allowed: nothing with af_xdp, which doesn't see",
        ),
        (
            'tester.right.vlan = 5\ndevice.driver = "manual"\ntester.left.port = "net_af_xdp0,iface=a"\n'
            'tester.right.port = "net_af_xdp1,iface=b"\n',
            "tester.right.vlan: 5 is not allowed: nothing with af_xdp, which doesn't see",
        ),
        ("device.sent_vlans = [1]\n", "device.sent_vlans"),
        ("device.sent_vlans = [1, 4095]\n", "device.sent_vlans"),
        ("device.sent_priorities = [1, 8]\n", "device.sent_priorities"),
    ],
)
def test_refused(keys: str, line: str) -> None:
    assert line in fault(f'{keys}[technology]\nname = "map-e"\n')
