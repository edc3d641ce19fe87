"""Which of the networks behind the Tester are on the DUT's own link: it needs no route to them."""

from __future__ import annotations

import ipaddress
from typing import Any

from xlatperf.config.tester import TesterSide
from xlatperf.engine.messages import DescribedSide


def without_routes(side: TesterSide, described: DescribedSide) -> DescribedSide:
    """Those have no next hop, as the DUT finds each host there by ARP or Neighbor Discovery."""
    links = [ipaddress.ip_interface(address).network for address in (side.ipv4, side.ipv6)]
    routes = (
        one.model_copy(update={"via": None})
        if any(_within(ipaddress.ip_network(one.prefix), own) for own in links)
        else one
        for one in described.routes
    )
    return described.model_copy(update={"routes": tuple(routes)})


def _within(network: Any, link: Any) -> bool:
    return network.version == link.version and bool(network.subnet_of(link))
