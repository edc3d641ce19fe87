"""Kernels that AF_XDP must not be used on."""

from __future__ import annotations

from pathlib import Path

BTF = "sys/kernel/btf/vmlinux"
_PANICS = b"xsk_addr_node"
_LATER = b"xsk_addrs"


def why_not(root: Path = Path("/")) -> str | None:
    """Why AF_XDP isn't safe on this kernel, in one line; None if nothing is known against it.

    Linux 6.17.8 panics when an AF_XDP socket sends IPv6: it keeps addresses of frames in the packet's control buffer
    (`xsk_addr_node`), which IPv6 overwrites. 6.17.13 and 6.18 have `xsk_addrs` in its place.
    """
    try:
        types = (root / BTF).read_bytes()
    except OSError:
        return None
    if _PANICS in types and _LATER not in types:
        return "this kernel may panic when IPv6 leaves an AF_XDP socket (6.17.8 does, 6.17.13 and 6.18 don't)"
    return None
