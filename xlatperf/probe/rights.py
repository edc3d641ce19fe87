"""What this user may do: capabilities(7), network namespaces, packet sockets, tun interfaces."""

from __future__ import annotations

import socket
from collections.abc import Callable

from xlatperf.config.tester import TesterConfig
from xlatperf.probe.observation import Observation
from xlatperf.probe.tree import Tree

# linux/capability.h
_NEEDED = {"CAP_NET_ADMIN": 12, "CAP_NET_RAW": 13, "CAP_SYS_ADMIN": 21}
_SYS_NICE = 23
_AF_PACKET = 17
_AF_XDP = 44


def survey(tree: Tree, opens: Callable[[int], bool]) -> list[Observation]:
    """Rights and what they allow; `opens(family)` tries a socket."""
    lacking = missing_capabilities(tree)
    lines = [_capabilities(lacking), _namespaces(tree, lacking), *_sockets(lacking, opens)]
    if tree.exists("dev/net/tun"):
        lines.append(Observation("ok", "tun", "/dev/net/tun is there: TAYGA and net_tap can work"))
    else:
        lines.append(Observation("missing", "tun", "no /dev/net/tun: neither TAYGA nor net_tap", "modprobe tun"))
    return [*lines, _nice(tree)]


def missing_capabilities(tree: Tree) -> list[str]:
    """Those that a lab needs and this process hasn't got."""
    return [name for name, bit in _NEEDED.items() if not _has(tree, bit)]


def _has(tree: Tree, capability: int) -> bool:
    effective = 0
    for line in (tree.read("proc/self/status") or "").splitlines():
        if line.startswith("CapEff:"):
            effective = int(line.split()[1], 16)
    return bool(effective >> capability & 1)


def opens_socket(family: int) -> bool:
    """True if a raw socket of this family can be opened."""
    try:
        with socket.socket(family, socket.SOCK_RAW):
            return True
    except OSError:
        return False


def _capabilities(lacking: list[str]) -> Observation:
    if not lacking:
        return Observation("ok", "rights", f"has {', '.join(_NEEDED)}: every device driver can work")
    return Observation(
        "limited",
        "rights",
        f"without {', '.join(lacking)}: only the reference device over memif, and the self-test over net_ring",
        "run xlatperf as root or with sudo",
    )


def _namespaces(tree: Tree, lacking: list[str]) -> Observation:
    subject = "network namespaces"
    if not tree.exists("proc/self/ns/net"):
        return Observation(
            "missing", subject, "this kernel has none: no lab on this host", "use a kernel with CONFIG_NET_NS"
        )
    if not tree.program("ip"):
        return Observation("missing", subject, "the program ip isn't there", "apt install iproute2")
    if lacking:
        return Observation(
            "limited", subject, "the kernel has them, but this user may not make any", "run xlatperf with sudo"
        )
    return Observation("ok", subject, "the devices that this host's kernel makes can run here")


def _sockets(lacking: list[str], opens: Callable[[int], bool]) -> list[Observation]:
    lines = []
    for family, name, option in ((_AF_PACKET, "AF_PACKET", "CONFIG_PACKET"), (_AF_XDP, "AF_XDP", "CONFIG_XDP_SOCKETS")):
        if opens(family):
            lines.append(Observation("ok", name, "the kernel opens such sockets"))
        elif lacking:
            lines.append(Observation("limited", name, "this user may not open such sockets", "run xlatperf with sudo"))
        else:
            lines.append(Observation("missing", name, "the kernel opens no such socket", f"use a kernel with {option}"))
    return lines


def _nice(tree: Tree) -> Observation:
    lowest, wanted = _lowest_nice(tree), TesterConfig().nice
    if lowest <= wanted:
        return Observation("ok", "nice", f"the workers may have {lowest} to 19, the default is {wanted}")
    text = f"the workers can't have tester.nice = {wanted}: other programs on their cores hold them up more"
    return Observation(
        "limited", "nice", text, "run xlatperf with sudo, or give the user a nice limit (limits.conf(5))"
    )


def _lowest_nice(tree: Tree) -> int:
    """That this process may give itself: setpriority(2), getrlimit(2)."""
    if _has(tree, _SYS_NICE):
        return -20
    for line in (tree.read("proc/self/limits") or "").splitlines():
        if line.startswith("Max nice priority"):
            soft = line.split()[3]
            return -20 if soft == "unlimited" else 20 - int(soft)
    return 0
