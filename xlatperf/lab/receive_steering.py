"""Which cores work on received packets: RPS (the kernel's Documentation/networking/scaling.rst).

A virtual Ethernet device has no core of its own: without RPS its packets are worked on where they were sent.
"""

from __future__ import annotations

from collections.abc import Iterable

from xlatperf.lab.transport import Transport

_WRITE = 'for queue in /sys/class/net/*/queues/rx-*/rps_cpus; do echo "$0" >"$queue"; done'


def steer(device: Transport, cores: Iterable[int]) -> None:
    """Packets received on any interface of the device are spread by flow over these cores; none: RPS is off."""
    # `ip netns exec` mounts the namespace's own /sys
    device.run(("sh", "-ec", _WRITE, mask(cores)))


def mask(cores: Iterable[int]) -> str:
    """As the kernel wants it: hexadecimal, a comma after every 32 cores."""
    digits = f"{sum(1 << core for core in set(cores)):x}"
    digits = digits.zfill(-(-len(digits) // 8) * 8)
    return ",".join(digits[start : start + 8] for start in range(0, len(digits), 8))
