"""Two TAYGAs in a row, IPv4 outside and IPv6 between them: their configurations and routes. Pure: no I/O.

The left one (464XLAT's CLAT, RFC 6877) translates a client's IPv4 address to one in its own prefix, and the right one
(before the PLAT's NAT44) translates it back to the same address; a server's address likewise with the other prefix.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from xlatperf.devices.between import BEYOND, LEFT_PREFIX, RIGHT_PREFIX, clients, used_outside
from xlatperf.devices.device import Link
from xlatperf.devices.tayga_configuration import (
    EVERY_IPV4,
    Configuration,
    file_text,
    map_lines,
)


@dataclass(frozen=True)
class Pair:
    """Both devices; `between`: the networks between them of the hosts of each side."""

    left: Configuration
    right: Configuration
    between: Mapping[str, Sequence[str]]


def configure(driver: str, describe: Mapping[str, Any], links: Iterable[Link]) -> Pair:
    """From `describe` of the Plan. Raises DeviceError."""
    used = used_outside(driver, describe, links)
    maps = clients(describe)
    text = file_text(RIGHT_PREFIX, map_lines(maps), used)
    return Pair(
        # what isn't routed to the Tester is for TAYGA
        left=Configuration(text, (EVERY_IPV4, str(LEFT_PREFIX))),
        right=Configuration(text, (str(RIGHT_PREFIX), *(str(ipv4) for ipv4, _ in maps))),
        between=BEYOND,
    )
