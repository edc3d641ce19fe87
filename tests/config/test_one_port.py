"""Both sides on one port (tester.one_port): what tells them apart, and who can't be so."""

from __future__ import annotations

import pytest

from tests.config.test_errors import fault
from xlatperf.config.bench import Bench
from xlatperf.config.load import parse_bench
from xlatperf.config.request import open_message
from xlatperf.devices.users_ports import each_once
from xlatperf.run.joined import joined_ports, memory
from xlatperf.run.session import describe_bench, plan_for

TAGS = "tester.left.vlan = 100\ntester.right.vlan = 200\n"
ONE_PORT = f"tester.one_port = true\n{TAGS}"
MANUAL = 'technology.name = "native"\ndevice.driver = "manual"\n'
LEFT, RIGHT = ('tester.{}.port = "{}"\n'.format(*one) for one in (("left", "0000:01:00.0"), ("right", "0000:01:00.0")))


def bench(keys: str) -> Bench:
    return parse_bench(keys, "b")


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        (
            "tester.one_port = true\n",
            "tester.right.vlan: nothing is not allowed: another VLAN than left.vlan with tester.one_port = true",
        ),
        (
            "tester.one_port = true\ntester.left.vlan = 7\ntester.right.vlan = 7\n",
            "tester.right.vlan: 7 is not allowed: another VLAN than left.vlan with tester.one_port = true",
        ),
        (
            f'{ONE_PORT}{LEFT}tester.right.allow = "eth0"\n',
            "tester.right.allow: eth0 is not allowed: nothing with tester.one_port = true: left.allow is its port's",
        ),
        (
            ONE_PORT + LEFT + RIGHT.replace("01:00.0", "01:00.1"),
            "tester.right.port: 0000:01:00.1 is not allowed: nothing else than the left port with "
            "tester.one_port = true",
        ),
        (
            TAGS + LEFT + RIGHT,
            "tester.right.port: 0000:01:00.0 is not allowed: another port than the left one; or "
            "tester.one_port = true, and a VLAN for each side",
        ),
        (ONE_PORT, "tester.left.port: nothing is not allowed"),
        (f"{TAGS}{LEFT}", "tester.right.port: nothing is not allowed"),
        ("tester.one_port = 1\n", "tester.one_port: 1 is not allowed: true or false"),
    ],
)
def test_what_is_refused(keys: str, said: str) -> None:
    assert said in fault(keys + MANUAL)


@pytest.mark.parametrize("driver", ["464xlat", "tayga-siit-pair", "jool-464xlat"])
def test_two_devices_have_two_links(driver: str) -> None:
    name = "native" if driver == "tayga-siit-pair" else "nat44"
    pair = f'technology.name = "{name}"\ntechnology.double_translation = true\ndevice.driver = "{driver}"\n'
    family = 'technology.family = "ipv4"\n' if name == "native" else ""
    assert (
        f"tester.one_port: true is not allowed: false with driver = {driver}: its two devices have one link to the "
        "Tester each"
    ) in fault(ONE_PORT + pair + family)


@pytest.mark.parametrize("right", ["", RIGHT])
@pytest.mark.parametrize("tags", [TAGS, "tester.left.vlan = 5\n", "tester.right.vlan = 5\n"])
def test_what_is_opened(tags: str, right: str) -> None:
    """The right port may be named or not, and one side may be without tag."""
    found = bench(f"tester.one_port = true\n{tags}{LEFT}{right}{MANUAL}")
    assert found.tester.ports == ("0000:01:00.0", "0000:01:00.0")
    asked = open_message(found, *(port or "" for port in found.tester.ports))
    assert asked["left"] == asked["right"] == {"port": "0000:01:00.0"}
    plan = plan_for(found, describe_bench(found))
    assert plan.one_port
    assert plan.tester_ports == found.tester.ports


def test_the_self_test_is_in_memory() -> None:
    """A port that gets back what it sends; nothing joins a port to itself."""
    found = bench(f'{ONE_PORT}technology.name = "native"\ndevice.driver = "reference"\n')
    at = memory(found).at
    assert at.left_port == at.right_port
    with joined_ports(found) as ports:
        assert ports is None
    other = memory(bench('technology.name = "native"\n')).at
    assert other.left_port != other.right_port


def test_a_port_is_looked_at_once() -> None:
    both = {"tester.left.port": "a", "tester.right.port": "b"}
    assert each_once(both) == list(both.items())
    assert each_once({**both, "tester.right.port": "a"}) == [("tester.left.port", "a")]
