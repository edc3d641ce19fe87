"""Source NAT by the kernel of a namespace: nftables' rules, and the connection tracking table with its parameters."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, ClassVar

from pydantic import Field

from xlatperf.devices.assembled import Part
from xlatperf.devices.device import Making, Plan
from xlatperf.devices.filters import FilterKeys
from xlatperf.devices.kernel_anywhere import KernelAnywhere
from xlatperf.devices.kernel_dut import KernelDriver, RouterDriver
from xlatperf.devices.nft_ruleset import ruleset
from xlatperf.keys.model import Whole, key
from xlatperf.lab import conntrack
from xlatperf.lab.bed import Bed
from xlatperf.lab.conntrack import Conntrack
from xlatperf.lab.error import LabError
from xlatperf.lab.programs import CONNTRACK, IP, NFT, Program
from xlatperf.lab.remote.testbed import Needed
from xlatperf.lab.transport import Transport

# The kernel's own 30 s (120 s with packets both ways) would end connections between the phases of an experiment.
_UDP_TIMEOUT_S = 300
MOST_CONNECTIONS = 2**31 - 1
_REPORTED = ("max", "buckets", "udp_timeout", "udp_timeout_stream", "acct", "checksum", "events", "timestamp")
_SYSCTL_FOLDER = Path("/proc/sys/net/netfilter")


OF_A_MACHINE = {conntrack.LIMIT: 262_144, conntrack.BUCKETS: 65_536}
"""A kernel sizes its table by its memory: with 512 MB it would keep 4,096, and forget older connections for more."""
BUCKETS_STEP = 512
"""Of a hash table's buckets a kernel makes whole pages, of 4096 bytes with 8 for each."""
THERE = Needed((IP, NFT, CONNTRACK))
"""What another host needs for its kernel's NAT."""


class NatKeys(RouterDriver):
    """Drivers of DUTs of which a kernel's NAT is a part, wherever that kernel is."""

    table_steps: ClassVar[Mapping[str, int]] = {"table_size": 1, "hash_size": BUCKETS_STEP}

    table_size: Annotated[Whole, Field(ge=1, le=MOST_CONNECTIONS)] | None = key(
        None,
        "nf_conntrack_max: how many connections the kernel keeps; one value for the whole kernel, put back at the end",
        allowed=f"a whole number, 1 to {MOST_CONNECTIONS}",
    )
    hash_size: Annotated[Whole, Field(ge=1, le=MOST_CONNECTIONS)] | None = key(
        None,
        "nf_conntrack_buckets, of the hash table that the whole kernel shares; put back at the end",
        allowed=f"a whole number, 1 to {MOST_CONNECTIONS}",
    )
    udp_timeout_s: Whole = key(
        _UDP_TIMEOUT_S,
        "how long a connection stays without packets, if there were packets one way",
        ge=1,
        le=MOST_CONNECTIONS,
    )
    udp_stream_timeout_s: Whole = key(
        _UDP_TIMEOUT_S,
        "how long a connection stays without packets, if there were packets both ways",
        ge=1,
        le=MOST_CONNECTIONS,
    )

    def programs(self) -> tuple[Program, ...]:
        """Also what empties the table."""
        return (*super().programs(), CONNTRACK)

    def sizes(self) -> dict[str, int]:
        """What the whole kernel's table is set to, by parameter."""
        given = {conntrack.LIMIT: self.table_size, conntrack.BUCKETS: self.hash_size}
        return {name: size for name, size in given.items() if size is not None}


class NatDriver(NatKeys, KernelDriver):
    """Of this host's kernel."""

    def missing(self) -> list[str]:
        """Also connection tracking."""
        return super().missing() + _no_connection_tracking()


class NatAnywhere(KernelAnywhere, NatKeys):
    """The kernel may be a virtual machine's or another host's."""

    def missing(self) -> list[str]:
        """Of another kernel it isn't known before it's asked."""
        return super().missing() + (_no_connection_tracking() if self.in_namespace else [])

    def sizes(self) -> dict[str, int]:
        """A virtual machine's are what a host's kernel takes by itself."""
        return {**OF_A_MACHINE, **super().sizes()} if self.machine else super().sizes()


class NatAloneDriver(FilterKeys, NatAnywhere):
    """Drivers of DUTs that do nothing else."""

    def needed_there(self) -> Needed:
        """What sets NAT up and empties its table."""
        return THERE

    def rules(self, plan: Plan) -> str:
        """nftables'. Raises DeviceError."""
        return ruleset(plan.technology)

    def set_up(self, plan: Plan) -> Making:
        """A router between the two links that translates what leaves on the right, and nothing beside it."""
        bed = self.bed(plan)
        nat = SourceNat(self, self.rules(plan), bed, bed.dut)
        return self.on(bed, plan, nat, *self.filters_on(bed.dut))


class SourceNat(Part):
    """The rules and the table of one namespace; gone with the testbed, which also puts the host's limits back."""

    def __init__(self, driver: NatKeys, rules: str, bed: Bed, device: Transport) -> None:
        """`rules`: nftables'."""
        self._rules = rules
        self._bed = bed
        self._device = device
        self._table = Conntrack(device)
        self._timeouts = {"udp_timeout": driver.udp_timeout_s, "udp_timeout_stream": driver.udp_stream_timeout_s}
        self._of_host = driver.sizes()

    def make(self) -> None:
        """Loads the rules, sets the table's parameters. Raises LabError."""
        self._device.run(("nft", "-f", "-"), text=self._rules)
        for name, value in self._timeouts.items():
            self._table.set_parameter(name, value)
        for name, value in self._of_host.items():
            self._bed.set_host_parameter(name, value)

    def clear_state(self) -> None:
        """Deletes all entries of the kernel's table."""
        self._table.flush()

    def set_table(self, entries: int | None, buckets: int | None) -> None:
        """Of the whole kernel, put back at the end. Raises LabError, also if the kernel makes something else of it."""
        for name, size in ((conntrack.LIMIT, entries), (conntrack.BUCKETS, buckets)):
            if size is None:
                continue
            self._bed.set_host_parameter(name, size)
            became = self._table.parameter(name.removeprefix(conntrack.PARAMETERS))
            if became != str(size):
                raise LabError(f"{name}: {size} was asked for, the kernel made {became} of it")

    def count_state(self) -> int | None:
        """Entries in the namespace's table."""
        return self._table.count()

    def facts(self) -> dict[str, str]:
        """Rules, and the table's parameters (RFC 9693 §6)."""
        facts = {"nft": _version(self._device), "nft.rules": self._rules}
        for name in _REPORTED:
            value = self._table.parameter(name)
            if value is not None:
                facts[conntrack.PARAMETERS + name] = value
        return facts

    def diagnose(self) -> list[str]:
        """Are the rules there, and is the table full?"""
        rules = self._device.run(("nft", "list", "ruleset"))
        lines = []
        if "snat to" not in rules and "masquerade" not in rules:
            lines.append("the DUT has no rule for source NAT: its packets leave untranslated")
        count, limit = self._table.count(), self._table.parameter("max")
        if count is not None and limit is not None and count >= int(limit):
            lines.append(f"the DUT's connection tracking table is full: {count} entries, nf_conntrack_max is {limit}")
        return lines


def _version(device: Transport) -> str:
    try:
        return device.run(("nft", "--version")).strip()
    except LabError:
        return "unknown"


def _no_connection_tracking() -> list[str]:
    # a kernel with modules loads them with the first rule
    if (_SYSCTL_FOLDER / "nf_conntrack_max").exists() or Path("/proc/modules").exists():
        return []
    return ["this kernel has no connection tracking: use one with CONFIG_NF_CONNTRACK and CONFIG_NFT_NAT"]
