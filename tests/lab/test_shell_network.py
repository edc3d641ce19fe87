"""Commands of ip(8), and what it writes."""

from __future__ import annotations

import json

import pytest

from xlatperf.lab.error import LabError
from xlatperf.lab.shell_network import ShellNetwork

ANSWERS = {
    "ip -j link show": [
        {"ifname": "lo", "flags": ["LOOPBACK", "UP", "LOWER_UP"]},
        {"ifname": "d0", "flags": ["BROADCAST", "UP", "LOWER_UP"]},
        {"ifname": "d1", "flags": ["BROADCAST", "UP"]},
    ],
    "ip -4 -j route show dev d0": [{"dst": "default"}, {"dst": "198.18.0.1"}, {"dst": "198.19.0.0/16"}],
    "ip -6 -j route show dev d0": [{"dst": "2001:2::/64"}, {"dst": "default"}],
}


class Shell:
    def __init__(self) -> None:
        self.lines: list[str] = []

    def __call__(self, lines: str) -> str:
        self.lines.append(lines)
        return json.dumps(ANSWERS[lines]) if lines in ANSWERS else ""


def test_changes_are_made_together() -> None:
    shell = Shell()
    with ShellNetwork(shell, "there") as network:
        network.set_mtu("d0", 1400)
        network.set_up("d0")
        network.add_address("d0", "198.18.255.1/30")
        network.add_address("d0", "2001:2:0:7fff::1/64")
        network.add_route("198.18.0.0/16", "d0", "198.18.255.2")
        network.add_route("2001:2::/64", "d0")
        network.add_neighbour("d0", "2001:2:0:7fff::2", "02:00:00:00:00:a0")
        assert shell.lines == []
    assert shell.lines == [
        "set -e\n"
        "ip link set d0 mtu 1400\n"
        "ip link set d0 up\n"
        "ip address replace 198.18.255.1/30 dev d0\n"
        "ip address replace 2001:2:0:7fff::1/64 dev d0 nodad\n"
        "ip -4 route replace 198.18.0.0/16 via 198.18.255.2 dev d0\n"
        "ip -6 route replace 2001:2::/64 dev d0\n"
        "ip neighbor replace 2001:2:0:7fff::2 lladdr 02:00:00:00:00:a0 dev d0 nud permanent"
    ]


def test_what_is_read() -> None:
    with ShellNetwork(Shell(), "there") as network:
        assert network.links() == ["lo", "d0", "d1"]
        assert [network.link_is_up(link) for link in ("d0", "d1", "d2")] == [True, False, False]
        assert network.routes("d0") == {"0.0.0.0/0", "198.18.0.1/32", "198.19.0.0/16", "2001:2::/64", "::/0"}
        assert network.routes("d1") == set()


def test_a_change_comes_before_a_question() -> None:
    shell = Shell()
    with ShellNetwork(shell, "there") as network:
        network.set_up("d0")
        network.links()
    assert shell.lines == ["set -e\nip link set d0 up", "ip -j link show"]


def test_nothing_is_changed_after_an_error() -> None:
    shell = Shell()
    with pytest.raises(ZeroDivisionError), ShellNetwork(shell, "there") as network:
        network.set_up("d0")
        raise ZeroDivisionError
    assert shell.lines == []


def test_an_answer_that_is_none() -> None:
    network = ShellNetwork(lambda _: "what?", "in the virtual machine")
    with pytest.raises(LabError, match=r"in the virtual machine `ip -j link show` wrote no JSON: 'what\?'"):
        network.links()
