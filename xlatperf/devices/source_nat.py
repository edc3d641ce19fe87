"""Source NAT by the kernel of a namespace: nftables' rules, and the connection tracking table with its parameters."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from xlatperf.devices import nft_ruleset
from xlatperf.devices.device import DeviceError, Plan
from xlatperf.devices.options import integer
from xlatperf.lab import conntrack, testbed
from xlatperf.lab.conntrack import Conntrack
from xlatperf.lab.error import LabError
from xlatperf.lab.namespace import Namespace, run_command
from xlatperf.lab.testbed import Testbed

OPTIONS = ("table_size", "hash_size", "udp_timeout_s", "udp_stream_timeout_s")
# The kernel's own 30 s (120 s with packets both ways) would end connections between the phases of an experiment.
_UDP_TIMEOUT_S = 300
_MOST = 2**31
_REPORTED = ("max", "buckets", "udp_timeout", "udp_timeout_stream", "acct", "checksum", "events", "timestamp")
_SYSCTL_FOLDER = Path("/proc/sys/net/netfilter")


class SourceNat:
    """The rules and the table of one namespace; gone with the testbed, which also puts the host's limits back."""

    def __init__(self, plan: Plan, bed: Testbed, namespace: Namespace) -> None:
        """Checks the options. Raises DeviceError."""
        options = plan.options
        self._rules = nft_ruleset.ruleset(plan.technology)
        self._bed = bed
        self._namespace = namespace
        self._table = Conntrack(namespace)
        self._timeouts = {
            "udp_timeout": integer(options, "udp_timeout_s", _UDP_TIMEOUT_S, range(1, _MOST)),
            "udp_timeout_stream": integer(options, "udp_stream_timeout_s", _UDP_TIMEOUT_S, range(1, _MOST)),
        }
        sizes = {conntrack.LIMIT: "table_size", conntrack.BUCKETS: "hash_size"}
        self._of_host = {
            name: integer(options, option, 0, range(1, _MOST)) for name, option in sizes.items() if option in options
        }

    def make(self) -> None:
        """Loads the rules, sets the table's parameters. Raises LabError."""
        file = self._bed.folder / "rules.nft"
        file.write_text(self._rules, encoding="ascii")
        self._namespace.run(("nft", "-f", str(file)))
        for name, value in self._timeouts.items():
            self._table.set_parameter(name, value)
        for name, value in self._of_host.items():
            self._bed.set_host_parameter(name, value)

    def clear_state(self) -> None:
        """Deletes all entries. Raises DeviceError."""
        try:
            self._table.flush()
        except LabError as error:
            raise DeviceError(str(error)) from error

    def count_state(self) -> int | None:
        """Entries in the namespace's table."""
        return self._table.count()

    def facts(self) -> dict[str, str]:
        """Rules, and the table's parameters (RFC 9693 §6)."""
        facts = {"nft": _version(), "nft.rules": self._rules}
        for name in _REPORTED:
            value = self._table.parameter(name)
            if value is not None:
                facts[conntrack.PARAMETERS + name] = value
        return facts

    def diagnose(self) -> list[str]:
        """Are the rules there, and is the table full?"""
        try:
            rules = self._namespace.run(("nft", "list", "ruleset"))
        except LabError as error:
            return [str(error)]
        lines = []
        if "snat to" not in rules:
            lines.append("the DUT has no rule for source NAT: its packets leave untranslated")
        count, limit = self._table.count(), self._table.parameter("max")
        if count is not None and limit is not None and count >= int(limit):
            lines.append(f"the DUT's connection tracking table is full: {count} entries, nf_conntrack_max is {limit}")
        return lines


def missing() -> list[str]:
    """What this host lacks for source NAT, and what to do about it."""
    lines = []
    if not testbed.installed("nft"):
        lines.append("nft isn't installed: apt install nftables")
    # a kernel with modules loads them with the first rule
    if not (_SYSCTL_FOLDER / "nf_conntrack_max").exists() and not Path("/proc/modules").exists():
        lines.append("this kernel has no connection tracking: use one with CONFIG_NF_CONNTRACK and CONFIG_NFT_NAT")
    return lines


def check_technology(driver: str, technology: Mapping[str, Any], wanted: str) -> None:
    """Refuses a technology that isn't the driver's. Raises DeviceError."""
    if technology.get("name") != wanted:
        raise DeviceError(f"technology.name: the driver {driver} does {wanted} only, not {technology.get('name')}")


def _version() -> str:
    try:
        return run_command(("nft", "--version")).strip()
    except LabError:
        return "unknown"
