"""The socket that QEMU connects to."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from xlatperf.lab.error import LabError
from xlatperf.lab.machine.console import Listener

WAIT_S = 20.0


def test_it_listens_before_the_machine_starts(tmp_path: Path) -> None:
    """What the machine says at once isn't lost, and the socket of an earlier machine isn't in the way."""
    path = tmp_path / "console"
    for _ in range(2):
        listener = Listener(path)
        assert not listener.called()
        with socket.socket(socket.AF_UNIX) as qemu:
            qemu.connect(str(path))
            qemu.sendall(b"booting\r\nREADY\r\n")
            assert listener.called()
            console = listener.accept()
        listener.close()
        console.wait_for("READY", WAIT_S)
        console.close()


def test_no_place_to_listen(tmp_path: Path) -> None:
    with pytest.raises(LabError, match=r"the virtual machine's console .*: No such file or directory"):
        Listener(tmp_path / "none" / "console")
    with pytest.raises(LabError, match=r"the virtual machine's console .*: AF_UNIX path too long"):
        Listener(tmp_path / ("n" * 200))
