"""Link-layer addresses of a DUT on this host and of the Tester's ports beside it, by side.

Locally administered unicast addresses (IEEE 802 §8.4), the same in each run and with each device, so that frames can be
compared.
"""

from __future__ import annotations

TESTER_MACS = {"left": "02:00:00:00:00:a0", "right": "02:00:00:00:00:a1"}
DUT_MACS = {"left": "02:00:00:00:00:d0", "right": "02:00:00:00:00:d1"}
# of the link between two devices
INNER_MACS = {"left": "02:00:00:00:00:e0", "right": "02:00:00:00:00:e1"}
