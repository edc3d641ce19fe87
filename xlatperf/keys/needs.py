"""What a bench file asks of its device's driver beside preparing."""

from __future__ import annotations

from typing import Literal

Need = Literal["clear", "restart", "cores", "table_size", "hash_size"]
"""To empty the table of connections, to restart the DUT, to set its number of cores, and what sizes its table has."""
