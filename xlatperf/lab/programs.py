"""Programs of this host that a testbed and the devices in it need."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


def find(name: str) -> Path | None:
    """Looks where root finds programs too: an ordinary user's PATH on Debian has no sbin. None: it isn't installed."""
    folders = [*os.get_exec_path(), "/usr/local/sbin", "/usr/sbin", "/sbin"]
    return next((path for folder in folders if os.access(path := Path(folder) / name, os.X_OK)), None)


def installed(name: str) -> bool:
    """It is there."""
    return find(name) is not None


@dataclass(frozen=True)
class Program:
    """`subject` is what people call it, `package` Debian's; `otherwise`: what to do where Debian's won't do."""

    name: str
    subject: str
    package: str
    otherwise: str = ""

    @property
    def installed(self) -> bool:
        """It is there."""
        return installed(self.name)

    @property
    def missing(self) -> str:
        """That it isn't there, and what to do about it."""
        return f"{self.name} isn't installed: {self.advice}"

    @property
    def advice(self) -> str:
        """What to do about it."""
        return self.otherwise or f"apt install {self.package}"


IP = Program("ip", "iproute2", "iproute2")
ETHTOOL = Program("ethtool", "ethtool", "ethtool")
SETPRIV = Program("setpriv", "setpriv", "util-linux")
TAYGA = Program("tayga", "TAYGA", "tayga")
NFT = Program("nft", "nftables", "nftables")
CONNTRACK = Program("conntrack", "conntrack", "conntrack")
QEMU = Program("qemu-system-x86_64", "QEMU", "qemu-system-x86")
STDBUF = Program("stdbuf", "stdbuf", "coreutils")
VPP = Program("vpp", "VPP", "vpp", "it isn't in Debian: fd.io has packages; or name a running one's cli_socket")
TASKSET = Program("taskset", "taskset", "util-linux")
SSH = Program("ssh", "OpenSSH's client", "openssh-client")
CPIO = Program("cpio", "cpio", "cpio")
KMOD = Program("modprobe", "kmod", "kmod")

OF_TESTBEDS = (IP, ETHTOOL, SETPRIV, NFT)
OF_MACHINES = (QEMU, CPIO, KMOD)
