"""Network cards on PCI: who has them, and whether DPDK may. Nothing is loaded or bound."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

_NETWORK_CLASS = "0x02"  # PCI Code and ID Assignment Specification: base class 02h
FOR_DPDK = ("vfio-pci", "uio_pci_generic", "igb_uio")
BIFURCATED = ("mlx4_core", "mlx5_core", "mana")
"""Their DPDK drivers work beside the kernel's: nothing has to be bound."""
ROOT = Path("/")


@dataclass(frozen=True)
class Card:
    """`driver`: the kernel's; None: none. `interfaces`: that it is. `needed`: it has this host's default route."""

    address: str
    driver: str | None
    interfaces: tuple[str, ...] = ()
    needed: bool = False

    @property
    def for_dpdk(self) -> bool:
        """As it is now."""
        return self.driver in (*FOR_DPDK, *BIFURCATED)

    @property
    def owner(self) -> str:
        """Who has it, if DPDK may not."""
        if self.driver is None:
            return "no driver has it"
        use = f" as {', '.join(self.interfaces)}" if self.interfaces else ""
        alone = ", and this host's default route: leave it alone" if self.needed else ""
        return f"the kernel has it ({self.driver}){use}{alone}"

    @property
    def advice(self) -> str:
        """What to do about it then."""
        if self.needed:
            return "use another one for the Tester"
        bind = f"modprobe vfio-pci; dpdk-devbind.py -b vfio-pci {self.address}"
        return bind if self.driver is None else f"if nothing else needs it: {bind}"


def find_card(address: str, root: Path = ROOT) -> Card | None:
    """The one at a PCI address; None: there is no device. `root`: of a copy of the host's files."""
    folder = root / "sys/bus/pci/devices" / address
    if not folder.exists():
        return None
    driver = (folder / "driver").readlink().name if (folder / "driver").is_symlink() else None
    interfaces = tuple(path.name for pattern in ("net/*", "virtio*/net/*") for path in sorted(folder.glob(pattern)))
    return Card(address, driver, interfaces, not _with_default_route(root).isdisjoint(interfaces))


def find_cards(root: Path = ROOT) -> list[Card]:
    """All network cards."""
    folders = sorted((root / "sys/bus/pci/devices").glob("*"))
    named = (folder.name for folder in folders if _text(folder / "class").startswith(_NETWORK_CLASS))
    return [card for name in named if (card := find_card(name, root)) is not None]


def _with_default_route(root: Path) -> set[str]:
    """Interfaces (proc(5), /proc/net/route; /proc/net/ipv6_route has the interface last)."""
    zeros = "0" * 32
    ipv4 = [line.split() for line in _text(root / "proc/net/route").splitlines()[1:]]
    ipv6 = [line.split() for line in _text(root / "proc/net/ipv6_route").splitlines()]
    return {line[0] for line in ipv4 if line[1:2] == ["00000000"] and line[7:8] == ["00000000"]} | {
        line[-1] for line in ipv6 if line[:2] == [zeros, "00"] and line[-1] != "lo"
    }


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
