"""A virtual machine that runs in a namespace of this host, with a network interface for each tap there (QEMU)."""

from __future__ import annotations

import platform
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from xlatperf.lab.daemon import Daemon
from xlatperf.lab.error import LabError
from xlatperf.lab.machine.console import Console
from xlatperf.lab.machine.image import Image
from xlatperf.lab.namespace import Namespace, first_complaint
from xlatperf.lab.programs import QEMU

Accelerator = Literal["tcg", "kvm"]
MEMORY_MB = range(192, 4097)
CORES = range(1, 17)

_BOOT_S = {"tcg": 90.0, "kvm": 30.0}
_COMMAND_S = 60.0
_LISTEN_S = 10.0
_SPARE_MB = 128
"""Of QEMU itself, and of the host to go on."""
# A frame that goes through a tap must be what a wire would carry: a whole frame with its checksums.
_NO_OFFLOADS = ",".join(
    f"{name}=off"
    for name in (
        *("csum", "guest_csum", "gso", "guest_tso4", "guest_tso6", "guest_ecn", "guest_ufo"),
        *("host_tso4", "host_tso6", "host_ecn", "host_ufo"),
    )
)
_PARAMETERS = "console=ttyS0 quiet panic=-1 rdinit=/init no_timer_check tsc=reliable mitigations=off"


@dataclass(frozen=True)
class Interface:
    """One of the machine, joined to a tap of the host."""

    name: str
    mac: str
    tap: str


class Machine:
    """Runs from `start` to `stop`."""

    def __init__(
        self,
        image: Image,
        folder: Path,
        namespace: Namespace,
        interfaces: Sequence[Interface],
        *,
        cores: int = 1,
        memory_mb: int = 512,
        accelerator: Accelerator = "tcg",
    ) -> None:
        """`folder`: for its sockets and logs; `namespace`: where the taps are."""
        self._interfaces = tuple(interfaces)
        self._memory_mb = memory_mb
        self._accelerator = accelerator
        self._socket = folder / "machine.console"
        self._messages = folder / "machine.messages"
        self._console: Console | None = None
        command = (
            *(QEMU.name, "-nodefaults", "-no-user-config", "-no-reboot", "-display", "none", "-sandbox", "on"),
            *("-accel", "tcg,thread=multi" if accelerator == "tcg" else "kvm"),
            *("-M", "q35", "-cpu", "qemu64" if accelerator == "tcg" else "host"),
            *("-smp", str(cores), "-m", str(memory_mb)),
            *("-kernel", str(image.kernel), "-initrd", str(image.initramfs), "-append", _PARAMETERS),
            *("-serial", f"file:{self._messages}"),
            *("-chardev", f"socket,id=console,path={self._socket},server=on,wait=off"),
            *("-device", "isa-serial,chardev=console"),
            *(word for number, one in enumerate(interfaces) for word in _attached(number, one)),
        )
        self.daemon = Daemon("qemu", command, folder, namespace.prefix)

    def start(self) -> None:
        """Returns when it takes commands and its interfaces have their names. Raises LabError."""
        _check_memory(self._memory_mb)
        self.daemon.start()
        self.daemon.wait_until(self._socket.exists, _LISTEN_S)
        self._console = Console.connect(self._socket)
        try:
            self._console.wait_for("READY", _BOOT_S[self._accelerator])
        except LabError as error:
            why = self.daemon.how_ended() or f"it said {self.last_message()}"
            raise LabError(f"the virtual machine ({self._accelerator}) didn't start: {error}; {why}") from error
        self.script("\n".join(_NAMING.format(mac=one.mac, name=one.name) for one in self._interfaces))

    def run(self, command: Sequence[str], timeout_s: float = _COMMAND_S) -> str:
        """Runs a command and returns its standard output. Raises LabError with what it wrote."""
        return self.script(shlex.join(command), timeout_s)

    def script(self, text: str, timeout_s: float = _COMMAND_S) -> str:
        """Lines for bash; the same."""
        if self._console is None:
            raise LabError("the virtual machine isn't started")
        ended = self._console.run(text, timeout_s)
        if ended.status != 0:
            said = first_complaint(ended.errors, ended.output, ended.status)
            raise LabError(f"in the virtual machine `{text}` failed: {said}")
        return ended.output

    def last_message(self) -> str:
        """Of its kernel."""
        try:
            lines = self._messages.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            lines = []
        return next((line for line in reversed(lines) if line.strip()), "nothing")

    def stop(self) -> None:
        """Ends it; nothing of it stays. Never raises; may be called twice."""
        if self._console is not None:
            self._console.close()
            self._console = None
        self.daemon.stop()


# the folder of an interface has its MAC address in a file
_NAMING = """for folder in /sys/class/net/*; do
    [[ $(<"$folder/address") != {mac} ]] || ip link set "${{folder##*/}}" name {name}
done
ethtool -K {name} gro off"""


def missing() -> list[str]:
    """What this host lacks for a virtual machine beside programs, and what to do about it."""
    machine = platform.machine()
    if machine != "x86_64":
        return [f"the lab's virtual machine is one of x86_64, this host is {machine}: use a host with x86_64"]
    return []


def _attached(number: int, one: Interface) -> tuple[str, ...]:
    card = f"virtio-net-pci,netdev=n{number},mac={one.mac},rx_queue_size=1024,{_NO_OFFLOADS}"
    return ("-netdev", f"tap,id=n{number},ifname={one.tap},script=no,downscript=no,vhost=off", "-device", card)


def _check_memory(memory_mb: int) -> None:
    lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    free_mb = next((int(line.split()[1]) // 1024 for line in lines if line.startswith("MemAvailable:")), None)
    if free_mb is not None and free_mb < memory_mb + _SPARE_MB:
        raise LabError(
            f"the virtual machine needs {memory_mb + _SPARE_MB} MB of memory, {free_mb} MB are free: "
            "give it less by device.memory_mb, or end something"
        )
