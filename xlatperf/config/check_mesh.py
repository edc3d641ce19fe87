"""Servers behind other CEs of the DUT's MAP domain (RFC 7597 §5, RFC 7599 §5): the rule says behind which one."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence

from xlatperf.config.connections import AddressRange, ConnectionSpace
from xlatperf.keys.not_allowed import refuse
from xlatperf.keys.port_ranges import PortRange
from xlatperf.procedures.procedure import Procedure
from xlatperf.technologies.map_ce import MapCe


def check_mesh(technology: MapCe, space: ConnectionSpace, measures: Sequence[Procedure]) -> None:
    """Raises ValueError."""
    _check_servers(technology, space.servers)
    _check_ports("traffic.connections.server_ports", technology, space.server_ports)
    for index, measure in enumerate(measures):
        for number, column in enumerate(measure.table):
            if column.server_ports is not None:
                _check_ports(f"{measure.place_of_column(index, number)}.server_ports", technology, column.server_ports)


def _check_servers(technology: MapCe, servers: AddressRange) -> None:
    network, dut = ipaddress.IPv4Network(technology.domains[0].ipv4), ipaddress.IPv4Address(technology.shared_address)
    first, last = map(ipaddress.IPv4Address, servers.bounds)
    of = f"with technology.mesh addresses in technology.domains[0].ipv4, {network}, other than the DUT's, {dut}"
    if first not in network:
        refuse("traffic.connections.servers.first", servers.first, of)
    if last not in network or servers.holds_any(int(dut), int(dut)):
        refuse("traffic.connections.servers.addresses", servers.addresses, f"as many as are, from {first} on, {of}")


def _check_ports(place: str, technology: MapCe, ports: PortRange) -> None:
    possible = technology.ports_of_others
    held = next((one for one in possible if ports.first in one), None)
    if held is not None and ports.last in held:
        return
    named = ", ".join(f"{one[0]} to {one[-1]}" for one in possible[:2])
    more = f" ..., of one of its {len(possible)} ranges" if len(possible) > 2 else ""
    allowed = f"with technology.mesh ports that CEs of the domain have, {named}{more} (RFC 7597 §5.1)"
    name, value = ("first", ports.first) if held is None else ("last", ports.last)
    refuse(f"{place}.{name}", value, allowed)
