"""A VPP that is started for a run, and one that runs already: where its command line is, and how it ends."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path

from xlatperf.devices.vpp.startup import CLI_SOCKET
from xlatperf.lab.daemon import Daemon
from xlatperf.lab.error import LabError
from xlatperf.lab.programs import VPP
from xlatperf.lab.vpp_changes import VppChanges, remove_segments
from xlatperf.lab.vpp_cli import NotVpp, VppCli

_TOLD_AFTER_S = 2.0
READY_S = 60.0
"""It reserves memory first."""


class Running(ABC):
    """What both kinds have: a command line, and something that takes changes back."""

    cli: VppCli
    changes: VppChanges | None = None
    """None: they are gone with the process."""

    @abstractmethod
    def start(self) -> None:
        """It answers. Raises LabError."""

    @abstractmethod
    def end(self) -> list[str]:
        """It's as it was before; what VPP said against that. Never raises; may be called twice."""

    def ended(self) -> str | None:
        """How it ended by itself; None: it hasn't."""
        return None

    def stopped(self) -> bool:
        """Somebody has stopped it."""
        return False

    @property
    def facts(self) -> dict[str, str]:
        """Whose it is, and how it was started."""
        return {}


class OwnVpp(Running):
    """Started, and ended with the run. `configured`: what it is started with on these cores."""

    def __init__(
        self,
        folder: Path,
        configured: Callable[[Sequence[int]], str],
        cores: Sequence[int],
        prefix: Sequence[str] = (),
        say: Callable[[str], None] = lambda _: None,
    ) -> None:
        """`say` tells what takes long."""
        self._say = say
        self.cli = VppCli(folder / CLI_SOCKET)
        self.cores = tuple(cores)
        self._configured = configured
        self._folder = folder
        self._file = folder / "startup.conf"
        self._daemon = Daemon("vpp", (VPP.name, "-c", str(self._file)), folder, prefix)

    def start(self) -> None:
        """Anew, if it runs already."""
        self.end()
        self._file.write_text(self._configured(self.cores), encoding="utf-8")
        self._daemon.start()
        told_at = time.monotonic() + _TOLD_AFTER_S
        told = False

        def answers() -> bool:
            nonlocal told
            if not told and time.monotonic() > told_at:
                told = True
                self._say(f"  VPP is starting: it may take up to {READY_S:g} s")
            return self._answers()

        self._daemon.wait_until(answers, READY_S)

    def end(self) -> list[str]:
        """With its sockets, and shared memory that it may have left."""
        self.cli.close()
        self._daemon.stop()
        for path in self._folder.glob("*.sock"):
            path.unlink(missing_ok=True)
        remove_segments(self._folder)
        return []

    def ended(self) -> str | None:
        """With the last that it wrote."""
        how = self._daemon.how_ended()
        return None if how is None else f"VPP {how}"

    def stopped(self) -> bool:
        """Its process is."""
        return self._daemon.stopped

    @property
    def facts(self) -> dict[str, str]:
        """Its startup.conf, and its cores."""
        return {
            "vpp.startup": self._configured(self.cores),
            "vpp.cores": ", ".join(map(str, self.cores)),
        }

    def _answers(self) -> bool:
        if not self.cli.path.is_socket():
            return False
        try:
            return bool(self.cli.version)
        except NotVpp:
            raise
        except LabError:
            return False


class JoinedVpp(Running):
    """The user's: it goes on running, and what it was told is taken back."""

    def __init__(self, socket: Path, folder: Path) -> None:
        self.cli = VppCli(socket)
        self.changes: VppChanges = VppChanges(folder, self.cli)

    def start(self) -> None:
        """It must be there."""
        if not self.cli.version:
            raise LabError(f"VPP's CLI socket {self.cli.path} says nothing")

    def end(self) -> list[str]:
        """By a connection of its own."""
        self.cli.close()
        return self.changes.take_back()

    @property
    def facts(self) -> dict[str, str]:
        """The socket."""
        return {"vpp.cli_socket": str(self.cli.path)}
