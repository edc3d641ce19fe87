"""Frames that reach a port of the Tester end there: the kernel's IP layer would look at each, find no address of its
own, and drop it, in the time in which others could be sent.

They are dropped right behind the packet sockets of all protocols (packet(7), ETH_P_ALL), which have seen them by then:
"ingress" of nft(8).
"""

from __future__ import annotations

from collections.abc import Sequence

from xlatperf.lab.error import LabError
from xlatperf.lab.namespace import Namespace

TABLE = "xlatperf_ports"


def end_here(namespace: Namespace, ports: Sequence[str]) -> str | None:
    """Why the kernel can't do this, else None; then it works on frames as before, and the Tester is slower."""
    hook = f"type filter hook ingress devices = {{ {', '.join(ports)} }} priority 0; policy drop;"
    chain = "_".join(("to", *ports))
    try:
        namespace.run(("nft", f"table netdev {TABLE} {{ chain {chain} {{ {hook} }}; }}"))
    except LabError as error:
        return str(error)
    return None
