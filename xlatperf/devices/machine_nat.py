"""What drivers have in common whose DUT is a kernel's NAT in a virtual machine."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from xlatperf.devices.machine_anywhere import MachineAnywhere
from xlatperf.devices.machine_dut import MachineDriver
from xlatperf.devices.source_nat import MOST_CONNECTIONS, OF_A_MACHINE, THERE, NatKeys
from xlatperf.keys.model import Whole, key
from xlatperf.lab import conntrack
from xlatperf.lab.remote.testbed import Needed


class MachineNat(MachineDriver, NatKeys):
    """The table is the machine's own, and has the size that a host's kernel takes by itself."""

    not_restartable = "a kernel's NAT can't be restarted without its machine"

    table_size: Annotated[Whole, Field(ge=1, le=MOST_CONNECTIONS)] | None = key(
        OF_A_MACHINE[conntrack.LIMIT],
        "nf_conntrack_max: how many connections the machine's kernel keeps",
        allowed=f"a whole number, 1 to {MOST_CONNECTIONS}",
    )
    hash_size: Annotated[Whole, Field(ge=1, le=MOST_CONNECTIONS)] | None = key(
        OF_A_MACHINE[conntrack.BUCKETS],
        "nf_conntrack_buckets, of the hash table of the machine's kernel",
        allowed=f"a whole number, 1 to {MOST_CONNECTIONS}",
    )


class MachineNatAnywhere(MachineAnywhere, MachineNat):
    """Of another host's table only that is changed which was asked for."""

    def sizes(self) -> dict[str, int]:
        """By parameter."""
        if self.host is None:
            return super().sizes()
        return {name: size for name, size in super().sizes().items() if _KEYS[name] in self.model_fields_set}

    def needed_there(self) -> Needed:
        """What sets NAT up and empties its table."""
        return THERE


_KEYS = {conntrack.LIMIT: "table_size", conntrack.BUCKETS: "hash_size"}
