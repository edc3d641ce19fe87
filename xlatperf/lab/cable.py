"""The Tester's two ports of a testbed, joined to each other: what the Tester can do on them without a DUT.

cable: t0 <-veth-> t1
"""

from __future__ import annotations

import contextlib
import itertools
import os
from collections.abc import Iterator

from xlatperf.lab import leftovers, tester_ports, veth
from xlatperf.lab.error import LabError
from xlatperf.lab.link_addresses import TESTER_MACS
from xlatperf.lab.namespace import Namespace
from xlatperf.lab.runtime_folder import RuntimeFolder
from xlatperf.lab.tester_side import TESTER_PORTS

_serial = itertools.count()


@contextlib.contextmanager
def veth_cable(mtu: int) -> Iterator[Namespace]:
    """A namespace with the ports of a testbed and nothing else, as long as the context lasts. Raises LabError."""
    if os.geteuid() != 0:
        raise LabError("network namespaces need root: run with sudo")
    leftovers.clean()
    folder = RuntimeFolder()  # shows to the next run whose namespace this was
    namespace = Namespace(f"{leftovers.NAMESPACE_PREFIX}{os.getpid()}-cable{next(_serial)}")
    try:
        namespace.create()
        for scope in ("all", "default"):  # the kernel must not send anything of its own
            namespace.set_sysctl(f"net.ipv6.conf.{scope}.disable_ipv6", 1)
        left, right = (veth.End(namespace, TESTER_PORTS[side], TESTER_MACS[side]) for side in ("left", "right"))
        veth.link(left, right, mtu)
        tester_ports.end_here(namespace, list(TESTER_PORTS.values()))
        yield namespace
    finally:
        namespace.remove()
        folder.remove()
