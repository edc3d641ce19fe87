"""Arguments of DPDK's virtual devices: what is misspelt is told before DPDK sees it, which may leave it aside."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping

from xlatperf.keys.not_allowed import not_allowed

_YES, _BIT, _NUMBER = "yes or no", "0 or 1", "a whole number"
_ROLES = "client or server"
_NAME, _MAC = "a name of at most 15 characters", "fixed, or the port's MAC address"
_VALUES: Mapping[str, str] = {
    _YES: r"yes|no",
    _BIT: r"[01]",
    _NUMBER: r"\d+",
    _ROLES: r"client|server|slave|master",
    _NAME: r"[^/\s]{1,15}",
    _MAC: r"fixed|([0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}",
}
"""Of arguments whose values are looked at."""
PAGE, USUAL_SLOT = 4096, 2048
"""Bytes: what af_packet's blocksz is a multiple of, and what its framesz is where it isn't given."""
_MEMIF = {
    "role": _ROLES,
    "socket": "a path of at most 107 characters",
    "socket-abstract": _YES,
    "id": "a number",
    "rsize": "binary logarithm of the ring's size, 1 to 14",
    "bsize": "bytes of a buffer, 1 to 65535",
    "mac": "the port's MAC address",
    "secret": "at most 24 characters",
    "zero-copy": _YES,
    "owner-uid": "a user's number",
    "owner-gid": "a group's number",
}
_AF_PACKET = {
    "iface": "an interface",
    "qpairs": _NUMBER,
    "blocksz": _NUMBER,
    "framesz": _NUMBER,
    "framecnt": _NUMBER,
    "qdisc_bypass": _BIT,
    "fanout_mode": "hash, lb, cpu, rollover, rnd or qm, of newer DPDK",
}
_AF_XDP = {
    "iface": "an interface",
    "start_queue": _NUMBER,
    "queue_count": _NUMBER,
    "shared_umem": _BIT,
    "xdp_prog": "a path",
    "busy_budget": _NUMBER,
    "force_copy": _BIT,
    "use_cni": _BIT,
    "use_pinned_map": _BIT,
    "dp_path": "a path",
}
_TAP = {
    "iface": _NAME,
    "remote": "an interface",
    "mac": _MAC,
    "persist": "",
}
ARGUMENTS: Mapping[str, Mapping[str, str]] = {
    "net_memif": _MEMIF,
    "net_af_packet": _AF_PACKET,
    "net_af_xdp": _AF_XDP,
    "net_tap": _TAP,
}
"""By the driver; DPDK guides "Memif", "AF_PACKET", "AF_XDP", "Tun|Tap Poll Mode Driver"."""
_DRIVERS = (*ARGUMENTS, "net_ring", "net_pcap", "net_virtio_user", "net_vhost", "net_bonding", "net_null")
"""Those that a misspelt name may mean; there are more."""


def fault_of_arguments(device: str, arguments: Mapping[str, str]) -> str | None:
    """The first that isn't understood, and what is allowed; None if there is nothing to say."""
    driver = re.sub(r"\d*$", "", device)
    if driver not in _DRIVERS:
        near = difflib.get_close_matches(driver, _DRIVERS, n=1, cutoff=0.85)
        return not_allowed("driver", driver, f"the nearest is {near[0]}") if near else None
    known = ARGUMENTS.get(driver)
    if known is None:
        return None
    for argument, value in arguments.items():
        if argument not in known:
            close = difflib.get_close_matches(argument.strip(), known, n=1, cutoff=0.5)
            meant = f"the nearest is {close[0]} of " if close else ""
            shown = argument if argument == argument.strip() else f'"{argument}"'
            return not_allowed(device, shown or None, f"{meant}{', '.join(known)}")
        pattern = _VALUES.get(known[argument])
        if (pattern is not None and not re.fullmatch(pattern, value)) or (not value and argument == "iface"):
            return not_allowed(f"{argument} of {device}", value or None, known[argument])
    slots = _fault_of_slots(device, arguments) if known is _AF_PACKET else None
    if slots is not None:
        return slots
    needed = known.get("iface") not in (None, _NAME)
    return f"{device}: missing: iface=INTERFACE" if needed and "iface" not in arguments else None


def _fault_of_slots(device: str, arguments: Mapping[str, str]) -> str | None:
    """Blocks are whole pages, and hold whole slots (packet_mmap)."""
    slot, block = int(arguments.get("framesz", USUAL_SLOT)), int(arguments.get("blocksz", PAGE))
    if slot and block and not block % PAGE and not block % slot:
        return None
    if "blocksz" in arguments:
        return not_allowed(f"blocksz of {device}", str(block), f"a multiple of framesz, {slot}, and of {PAGE}")
    return not_allowed(f"framesz of {device}", str(slot), f"a divisor of blocksz, which is {PAGE} where it isn't given")
