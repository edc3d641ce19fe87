"""What is in the virtual machine: modules of the kernel, and programs of this host and of packages."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from xlatperf.lab.error import LabError
from xlatperf.lab.machine.file_tree import FileTree
from xlatperf.lab.namespace import run_command
from xlatperf.lab.programs import find
from xlatperf.lab.shell_console import agent

MODULES = (
    *("virtio_pci", "virtio_net", "veth", "tun"),
    *("nf_tables", "nft_chain_nat", "nft_nat", "nft_ct", "nft_masq", "nft_numgen", "nf_conntrack_netlink"),
    *("ip6_tunnel", "sit"),
    "8021q",
)
"""Of the kernel's package; each with those that it needs."""
PROGRAMS = ("bash", "ip", "nft", "conntrack", "ethtool", "stdbuf")
"""Of this host."""
OF_PACKAGES = ("usr/bin/jool", "usr/bin/jool_siit", "usr/sbin/tayga")
"""Of the packages jool-tools and tayga."""
_STDBUF = Path("/usr/libexec/coreutils/libstdbuf.so")
_LIBRARIES = "usr/lib/x86_64-linux-gnu"


def fill(tree: FileTree, root: Path, release: str, built: Sequence[Path]) -> None:
    """From `root`, where the packages are unpacked, and the modules that were built. Raises LabError."""
    tree.add(root / "bin/busybox", "bin/busybox")
    names = run_command((str(root / "bin/busybox"), "--list")).split()
    for name in set(names) - {"busybox"}:
        (tree.folder / "bin" / name).symlink_to("busybox")
    for name in PROGRAMS:
        program = find(name)
        if program is None:
            raise LabError(f"{name} isn't installed")
        (tree.folder / "bin" / name).unlink(missing_ok=True)  # busybox has another one of this name
        tree.add_program(program, f"bin/{name}")
    libraries = [root / _LIBRARIES, root / "lib/x86_64-linux-gnu"]
    for path in OF_PACKAGES:
        tree.add_program(root / path, f"bin/{Path(path).name}", libraries)
    tree.add(_STDBUF, str(_STDBUF.relative_to("/")))
    listed = (run_command(("modinfo", "-F", "depends", str(module))).strip().split(",") for module in built)
    needed = {name for names in listed for name in names if name} - {module.stem for module in built}
    modules = [*_with_those_needed([*MODULES, *sorted(needed)], root, release), *built]
    for module in modules:
        tree.add(module, f"lib/modules/{_plain(module)}")
    tree.write("etc/modules", "".join(f"{_plain(module)}\n" for module in modules))
    tree.write("etc/passwd", "root::0:0:root:/root:/bin/bash\n")
    tree.write("etc/group", "root:x:0:\n")
    tree.write("init", _own("init"), 0o755)
    tree.write("agent", agent(_own("agent")), 0o755)


def _own(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _with_those_needed(names: Sequence[str], root: Path, release: str) -> list[Path]:
    """In the order in which they can be loaded."""
    run_command(("depmod", "-b", str(root), release))
    found: list[Path] = []
    for name in names:
        shown = run_command(("modprobe", "-S", release, "-d", str(root), "--show-depends", "--ignore-install", name))
        found += [Path(line.split()[1]) for line in shown.splitlines() if line.startswith("insmod ")]
    return list(dict.fromkeys(found))


def _plain(module: Path) -> str:
    return module.name.removesuffix(".xz")
