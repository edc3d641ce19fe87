"""The kernel's connection tracking table, as one network namespace sees it.

Count and timeouts are the namespace's own. The limit (nf_conntrack_max) and the number of buckets are one value for the
whole host, which only the initial namespace may set; the kernel compares the limit with each namespace's own count.
"""

from __future__ import annotations

from xlatperf.lab.error import LabError
from xlatperf.lab.transport import Transport

PARAMETERS = "net.netfilter.nf_conntrack_"
LIMIT = f"{PARAMETERS}max"
BUCKETS = f"{PARAMETERS}buckets"
_FLUSH_S = 3600.0  # of 2.1 million entries 4 s, of 400 million 38 minutes were seen


class Conntrack:
    """The table of one namespace; it's there once a rule needs it (`nat`, `ct state`)."""

    def __init__(self, device: Transport) -> None:
        self._device = device

    def count(self) -> int | None:
        """Entries now; those whose time is up count until the kernel comes by to collect them. None: no table."""
        found = self._device.sysctl(f"{PARAMETERS}count")
        return int(found) if found is not None else None

    def flush(self) -> None:
        """Deletes all entries; when it returns, they are gone. Raises LabError."""
        try:
            self._device.run(("conntrack", "--flush"), _FLUSH_S)
        except LabError as error:
            raise LabError(f"can't empty the connection tracking table {self._device.where}: {error}") from error

    def parameter(self, name: str) -> str | None:
        """For instance `udp_timeout`; None where the kernel has no such parameter."""
        return self._device.sysctl(PARAMETERS + name)

    def set_parameter(self, name: str, value: int) -> None:
        """Sets a parameter of this device. Raises LabError."""
        self._device.set_sysctl(PARAMETERS + name, value)
