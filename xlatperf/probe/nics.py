"""NICs on PCI, and who has them now. Nothing is loaded or bound."""

from __future__ import annotations

from xlatperf.probe.observation import Observation
from xlatperf.probe.tree import Tree

_NETWORK_CLASS = "0x02"  # PCI Code and ID Assignment Specification: base class 02h
_FOR_DPDK = ("vfio-pci", "uio_pci_generic", "igb_uio")
# Their DPDK drivers work beside the kernel's: nothing has to be bound
_BIFURCATED = ("mlx4_core", "mlx5_core", "mana")


def survey(tree: Tree) -> list[Observation]:
    """A line per NIC."""
    lines = []
    needed = _with_default_route(tree)
    for device in tree.find("sys/bus/pci/devices/*"):
        folder = f"sys/bus/pci/devices/{device.name}"
        if not (tree.read(f"{folder}/class") or "").startswith(_NETWORK_CLASS):
            continue
        lines.append(_nic(device.name, tree.link_name(device / "driver"), _interfaces(tree, device.name), needed))
    if lines:
        return lines
    text = "none on PCI: virtual ports only (af_packet, af_xdp, memif, ring)"
    return [Observation("limited", "NIC", text, "rates of virtual ports are those of this host, not of a wire")]


def _nic(address: str, driver: str | None, interfaces: list[str], needed: set[str]) -> Observation:
    subject = f"NIC {address}"
    if driver in _FOR_DPDK:
        return Observation("ok", subject, f"bound to {driver}: use {address} as port")
    if driver in _BIFURCATED:
        return Observation("ok", subject, f"{driver}: DPDK uses it beside the kernel, use {address} as port")
    use = f" as {', '.join(interfaces)}" if interfaces else ""
    if driver is None:
        return Observation(
            "limited", subject, "no driver has it", f"modprobe vfio-pci; dpdk-devbind.py -b vfio-pci {address}"
        )
    if needed & set(interfaces):
        text = f"the kernel has it ({driver}){use}, and this host's default route: leave it alone"
        return Observation("limited", subject, text, "use another one for the Tester")
    return Observation(
        "limited",
        subject,
        f"the kernel has it ({driver}){use}",
        f"if nothing else needs it: modprobe vfio-pci; dpdk-devbind.py -b vfio-pci {address}",
    )


def _interfaces(tree: Tree, address: str) -> list[str]:
    folder = f"sys/bus/pci/devices/{address}"
    return [path.name for pattern in ("net/*", "virtio*/net/*") for path in tree.find(f"{folder}/{pattern}")]


def _with_default_route(tree: Tree) -> set[str]:
    """Interfaces (proc(5), /proc/net/route; /proc/net/ipv6_route has the interface last)."""
    zeros = "0" * 32
    ipv4 = [line.split() for line in (tree.read("proc/net/route") or "").splitlines()[1:]]
    ipv6 = [line.split() for line in (tree.read("proc/net/ipv6_route") or "").splitlines()]
    return {line[0] for line in ipv4 if line[1:2] == ["00000000"] and line[7:8] == ["00000000"]} | {
        line[-1] for line in ipv6 if line[:2] == [zeros, "00"] and line[-1] != "lo"
    }
