"""A column of a measure's table: what changes together from one series to the next.

The tables of draft-lencse-v6ops-transition-scalability have numbers of connections for each of which the port ranges,
the size of the device's table and that of its hash table are others.
"""

from __future__ import annotations

from typing import Literal

from xlatperf.keys.limits import MOST_CONNECTIONS, MOST_SUBSCRIBERS
from xlatperf.keys.model import ConfigModel, Number, Whole, key
from xlatperf.keys.port_ranges import ClientPorts, PortRange, ServerPorts
from xlatperf.procedures.series import PortBounds, Series

MOST_COLUMNS = 100
_AS = "not set: as the rest of the file says"


class Column(ConfigModel):
    """One series of a measure. What isn't set is as the rest of the bench file says."""

    frame_size: Whole | None = key(
        None, "in place of the measure's frame_sizes; all columns have one, or none", ge=64, le=9216
    )
    connections: Whole | None = key(
        None,
        "number of connections; needed with stateful technologies, but for the capacity",
        ge=1,
        le=MOST_CONNECTIONS,
        source="RFC 9693 §5.1",
    )
    client_ports: ClientPorts | None = key(
        None, f"in place of traffic.connections.client_ports; {_AS}", source="RFC 9693 §4.1, §5.1", allowed="a table"
    )
    server_ports: ServerPorts | None = key(
        None, f"in place of traffic.connections.server_ports; {_AS}", source="RFC 9693 §4.1, §5.1", allowed="a table"
    )
    table_size: Whole | None = key(
        None,
        "how many connections the DUT's table has room for, if the driver can set it; all columns of all measures have "
        "it, or none",
        ge=1,
        le=MOST_CONNECTIONS,
        source="RFC 9693 §6: to be reported",
    )
    hash_size: Whole | None = key(
        None,
        "number of buckets of the DUT's hash table, if the driver can set it; all columns of all measures have it, or "
        "none",
        ge=1,
        le=MOST_CONNECTIONS,
        source="RFC 9693 §6: to be reported",
    )
    alpha: Number | Literal["none"] | None = key(
        None,
        "of an establishment measure: the validation's rate as a share of phase 1's; \"none\": without validation",
        allowed='a number, above 0 to 10, or "none"',
        source="RFC 9693 §4.6",
    )
    subscribers: Whole | None = key(
        None, f"number of simulated subscribers; {_AS}", ge=1, le=MOST_SUBSCRIBERS, source="RFC 8219 §10.2"
    )
    networks: Whole | None = key(
        None,
        f"number of networks of hosts on each side that has any; {_AS}",
        ge=1,
        le=256,
        source="RFC 8219 §10.2; RFC 2544 §12",
    )
    flows: Whole | None = key(
        None,
        f"number of flows of hosts in each direction, in place of flows of traffic.forward and traffic.reverse; {_AS}",
        ge=1,
        le=2**32 - 1,
        source="RFC 8219 §10.2",
    )
    device_cores: Whole | None = key(
        None,
        "on how many cores the DUT works; all columns of all measures have it, or none",
        ge=1,
        le=1024,
        source="RFC 9693 §5.2",
    )

    @property
    def given(self) -> frozenset[str]:
        """Names of the keys that are set."""
        return frozenset(name for name in type(self).model_fields if getattr(self, name) is not None)

    def series(self, size: Series) -> Series:
        """What its results are for; `size`: where it has none of its own."""
        return (size if self.frame_size is None else Series(self.frame_size))._replace(
            connections=self.connections,
            subscribers=self.subscribers,
            device_cores=self.device_cores,
            networks=self.networks,
            flows=self.flows,
            client_ports=_bounds(self.client_ports),
            server_ports=_bounds(self.server_ports),
            table_size=self.table_size,
            hash_size=self.hash_size,
        )


def _bounds(ports: PortRange | None) -> PortBounds | None:
    return None if ports is None else (ports.first, ports.last)
