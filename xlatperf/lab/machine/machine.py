"""A virtual machine that runs in a namespace of this host, with a network interface for each tap there (QEMU)."""

from __future__ import annotations

import contextlib
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from xlatperf.lab.daemon import Daemon
from xlatperf.lab.error import LabError
from xlatperf.lab.machine import packages
from xlatperf.lab.machine.console import Listener
from xlatperf.lab.machine.image import Image
from xlatperf.lab.namespace import Namespace
from xlatperf.lab.programs import OF_MACHINES, QEMU
from xlatperf.lab.shell_console import ShellConsole
from xlatperf.lab.shell_transport import ShellTransport
from xlatperf.lab.transport import COMMAND_S

Accelerator = Literal["tcg", "kvm"]
MEMORY_MB = range(192, 4097)
CORES = range(1, 17)

_BOOT_S = {"tcg": 90.0, "kvm": 30.0}
_CONNECT_S = 10.0
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
class Settings:
    """`cores` and memory are the machine's, `host_cores` those that it may use of the host; empty: all."""

    cores: int = 1
    memory_mb: int = 512
    accelerator: Accelerator = "tcg"
    host_cores: tuple[int, ...] = ()


@dataclass(frozen=True)
class Interface:
    """One of the machine, joined to a tap of the host."""

    name: str
    mac: str
    tap: str


class Machine(ShellTransport):
    """Runs from `start` to `stop`."""

    name = "machine"

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._console: ShellConsole | None = None
        self._daemon: Daemon | None = None
        self._messages: Path | None = None
        self.versions: dict[str, str] = {}
        """Of what it is made of; empty until it's started."""

    @property
    def where(self) -> str:
        """In words."""
        return "in the virtual machine"

    @property
    def whose_kernel(self) -> str:
        """In words."""
        return "the virtual machine's kernel"

    @property
    def daemon(self) -> Daemon:
        """QEMU. Raises LabError."""
        if self._daemon is None:
            raise LabError("the virtual machine isn't started")
        return self._daemon

    def start(self, image: Image, folder: Path, namespace: Namespace, interfaces: Sequence[Interface]) -> None:
        """Returns when it takes commands and its interfaces have their names. Raises LabError.

        `folder`: for its sockets and logs; `namespace`: where the taps are.
        """
        settings = self.settings
        _check_memory(settings.memory_mb)
        self.versions = image.versions
        socket = folder / "machine.console"
        self._messages = folder / "machine.messages"
        command = (
            *(QEMU.name, "-nodefaults", "-no-user-config", "-no-reboot"),
            *("-display", "none", "-sandbox", "on,spawn=deny"),
            *("-accel", "tcg,thread=multi" if settings.accelerator == "tcg" else "kvm"),
            *("-M", "q35", "-cpu", "qemu64" if settings.accelerator == "tcg" else "host"),
            *("-smp", str(settings.cores), "-m", str(settings.memory_mb)),
            *("-kernel", str(image.kernel), "-initrd", str(image.initramfs), "-append", _PARAMETERS),
            *("-serial", f"file:{self._messages}"),
            *("-chardev", f"socket,id=console,path={socket},server=off"),
            *("-device", "isa-serial,chardev=console"),
            *(word for number, one in enumerate(interfaces) for word in _attached(number, one)),
        )
        self._daemon = Daemon("qemu", command, folder, namespace.prefix, settings.host_cores)
        self._console = _connected(self._daemon, socket)
        try:
            self._console.wait_for("READY", _BOOT_S[settings.accelerator])
        except LabError as error:
            last = self.last_message()
            why = self._daemon.how_ended() or ("it has said nothing" if last is None else f"its last message: {last}")
            if settings.accelerator == "kvm":
                why += '; /dev/kvm is there, but may not work: accelerator = "tcg" needs none'
            raise LabError(f"the virtual machine ({settings.accelerator}) didn't start: {error}; {why}") from error
        self.script("\n".join(_NAMING.format(mac=one.mac, name=one.name) for one in interfaces))

    def script(self, lines: str, timeout_s: float = COMMAND_S) -> str:
        """Lines for bash; their standard output. Raises LabError with what they wrote."""
        if self._console is None:
            raise LabError("the virtual machine isn't started")
        if gone := self.why_gone():
            raise LabError(gone)
        return self.output_of(self._console.run(lines, timeout_s), lines)

    def why_gone(self) -> str:
        """QEMU has ended."""
        how = None if self._daemon is None else self._daemon.how_ended()
        return "" if how is None else f"the virtual machine {how}"

    def last_message(self) -> str | None:
        """Of its kernel; None: none yet."""
        try:
            text = "" if self._messages is None else self._messages.read_text(encoding="utf-8", errors="replace")
        except OSError:
            text = ""
        return next((line for line in reversed(text.splitlines()) if line.strip()), None)

    def stop(self) -> None:
        """Ends it; nothing of it stays. Never raises; may be called twice."""
        if self._console is not None:
            self._console.close()
            self._console = None
        if self._daemon is not None:
            self._daemon.stop()


# the folder of an interface has its MAC address in a file
_NAMING = """for folder in /sys/class/net/*; do
    [[ $(<"$folder/address") != {mac} ]] || ip link set "${{folder##*/}}" name {name}
done
ethtool -K {name} gro off"""


def why_none() -> list[str]:
    """All that this host lacks for a virtual machine, and what to do about it."""
    return [program.missing for program in OF_MACHINES if not program.installed] + missing()


def missing() -> list[str]:
    """The same without programs."""
    machine = platform.machine()
    if machine != "x86_64":
        return [f"the lab's virtual machine is one of x86_64, this host is {machine}: use a host with x86_64"]
    return [] if packages.kernel_release() is not None else [packages.NO_HEADERS]


def _connected(qemu: Daemon, socket: Path) -> ShellConsole:
    with contextlib.closing(Listener(socket)) as listener:
        qemu.start()
        qemu.wait_until(listener.called, _CONNECT_S)
        return listener.accept()


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
