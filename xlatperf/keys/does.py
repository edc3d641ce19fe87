"""What a DUT does to packets."""

from __future__ import annotations

from typing import Literal

Does = Literal["routes", "translates", "changes_addresses", "tunnels"]
"""`translates`: between IPv4 and IPv6. `changes_addresses`: NAT within one family. `tunnels`: IPv4 in IPv6, if need be
with NAT."""
