"""The Tester's ports joined to each other."""

from __future__ import annotations

import os

import pytest

from tests.lab.root import needs_root
from tests.lab.test_testbed import traces
from xlatperf.lab.cable import veth_cable
from xlatperf.lab.error import LabError
from xlatperf.lab.network import Network
from xlatperf.lab.testbed import Testbed
from xlatperf.lab.tester_side import TESTER_PORTS


@needs_root
def test_two_ports_and_nothing_else() -> None:
    """Beside a testbed that is at work, whose ports have the same names."""
    bed = Testbed()
    bed.make()
    try:
        with veth_cable(2000) as namespace:
            with Network(namespace) as network:
                assert sorted(network.links()) == ["lo", *TESTER_PORTS.values()]
                assert all(network.link_is_up(port) for port in TESTER_PORTS.values())
            for port in TESTER_PORTS.values():
                assert "mtu 2000" in namespace.run(("ip", "link", "show", port))
                assert namespace.sysctl(f"net.ipv6.conf.{port}.disable_ipv6") == "1"
                features = namespace.run(("ethtool", "-k", port))
                assert "tx-checksumming: off" in features
        assert not namespace.exists
        assert bed.dut.exists
    finally:
        bed.remove()
    assert traces() == []


@needs_root
def test_a_failure_leaves_nothing() -> None:
    with pytest.raises(LabError, match="mtu"), veth_cable(10):
        pytest.fail("10 is no MTU")
    assert traces() == []


def test_without_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(LabError, match="network namespaces need root"), veth_cable(1500):
        pytest.fail("not root")
