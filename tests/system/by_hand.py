"""A router that somebody set up by hand, command by command, and measures with the driver `manual`."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator

from tests.system.trials import RELAXED
from xlatperf.lab.bed import DEFAULT_MTU
from xlatperf.lab.testbed import Testbed
from xlatperf.lab.tester_side import TESTER_PORTS

_FORWARD = ("sysctl -w net.ipv4.ip_forward=1", "sysctl -w net.ipv6.conf.all.forwarding=1")
_LINKS = (
    "ip address add 192.168.18.1/30 dev d0",
    "ip address add 192.168.19.1/30 dev d1",
    "ip address add 2001:2:0:7fff::1/64 dev d0 nodad",
    "ip address add 2001:2:0:ffff::1/64 dev d1 nodad",
)
_HOSTS = (
    "ip route add 198.18.0.0/16 via 192.168.18.2",
    "ip route add 198.19.0.0/16 via 192.168.19.2",
    "ip route add 2001:2:0:1000::/64 via 2001:2:0:7fff::2",
    "ip route add 2001:2:0:9000::/64 via 2001:2:0:ffff::2",
)


class ByHand:
    """The namespaces, and the bench file for what is in them."""

    def __init__(self, testbed: Testbed) -> None:
        self.testbed = testbed
        for line in (*_FORWARD, *_LINKS, *_HOSTS):
            self.run(line)

    def run(self, line: str) -> str:
        """Runs it where the device is, by a shell."""
        return self.testbed.dut.run(("sh", "-c", line))

    def command(self, line: str) -> str:
        """The same as a command of the driver `manual`."""
        return " ".join((*self.testbed.dut.prefix, "sh", "-c", f"'{line}'"))

    def bench(self, *lines: str, family: str = "ipv4") -> str:
        """A bench file; `lines` go before its tables."""
        ports = (
            f'tester.{side}.port = "net_af_packet{number},iface={interface}"'
            for number, (side, interface) in enumerate(TESTER_PORTS.items())
        )
        return "\n".join(
            (
                f'technology = {{ name = "native", family = "{family}" }}',
                'device.driver = "manual"',
                f'device.namespace = "{self.testbed.tester.name}"',
                *ports,
                *lines,
                RELAXED,
                "",
            )
        )

    def device(self, **commands: str) -> list[str]:
        """Lines of the bench file: commands that run where the device is."""
        return [f"device.{name} = {json.dumps(self.command(line))}" for name, line in commands.items()]


@contextlib.contextmanager
def by_hand(mtu: int = DEFAULT_MTU) -> Iterator[ByHand]:
    """A router between the two links that forwards IPv4 and IPv6."""
    testbed = Testbed(mtu)
    try:
        testbed.make()
        yield ByHand(testbed)
    finally:
        testbed.remove()
