"""The kernel's connection tracking table, as one network namespace sees it (netlink, through pyroute2).

Count and timeouts are the namespace's own. The limit (nf_conntrack_max) and the number of buckets are one value for the
whole host, which only the initial namespace may set; the kernel compares the limit with each namespace's own count.
"""

from __future__ import annotations

from xlatperf.lab.error import LabError
from xlatperf.lab.namespace import Namespace

PARAMETERS = "net.netfilter.nf_conntrack_"
LIMIT = f"{PARAMETERS}max"
BUCKETS = f"{PARAMETERS}buckets"


class Conntrack:
    """The table of one namespace; it's there once a rule needs it (`nat`, `ct state`)."""

    def __init__(self, namespace: Namespace) -> None:
        self._namespace = namespace

    def count(self) -> int | None:
        """Entries now; those whose time is up count until the kernel comes by to collect them. None: no table."""
        found = self._namespace.sysctl(f"{PARAMETERS}count")
        return int(found) if found is not None else None

    def flush(self) -> None:
        """Deletes all entries; when it returns, they are gone. Raises LabError."""
        from pyroute2.netlink.exceptions import NetlinkError

        try:
            self._namespace.inside(_flush)
        except (OSError, NetlinkError) as error:
            reason = error.strerror if isinstance(error, OSError) else error.args[-1]
            raise LabError(f"can't empty the connection tracking table of {self._namespace.name}: {reason}") from error

    def parameter(self, name: str) -> str | None:
        """For instance `udp_timeout`; None where the kernel has no such parameter."""
        return self._namespace.sysctl(PARAMETERS + name)

    def set_parameter(self, name: str, value: int) -> None:
        """Sets a parameter of this namespace. Raises LabError."""
        self._namespace.set_sysctl(PARAMETERS + name, value)


def _flush() -> None:
    from pyroute2.netlink.nfnetlink.nfctsocket import NFCTSocket

    with NFCTSocket() as netlink:
        netlink.flush()
