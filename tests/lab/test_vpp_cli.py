"""VPP's command line over its socket: whole answers, or one clear line (RFC 854, RFC 1091)."""

from __future__ import annotations

import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.devices.vpp import fake
from xlatperf.lab.error import LabError
from xlatperf.lab.vpp_cli import VppCli


@contextmanager
def talking(path: Path, **orders: object) -> Iterator[VppCli]:
    with fake.running(path, **orders) as listening:
        cli = VppCli(listening)
        yield cli
        cli.close()


@pytest.mark.parametrize("pieces", [False, True])
@pytest.mark.parametrize("own_nul", [False, True])
def test_answers(pieces: bool, own_nul: bool, tmp_path: Path) -> None:
    """Whatever they come in, and however VPP answers the terminal's type; nothing for most commands."""
    with talking(tmp_path, pieces=pieces, own_nul=own_nul) as cli:
        assert cli.version == "vpp v26.02-release built by root on fake at 2026-03-01T10:00:00"
        assert cli.ask("nat64 plugin enable") == ""
        assert cli.ask("show map domain") == "No MAP domains are configured..."
        assert cli.ask("shov version") == "unknown input `shov version'"
        assert cli.ask("show interface").count("\n") == 1, "lines end with \\n"


def test_two_threads_ask(tmp_path: Path) -> None:
    """Each gets its own answer."""
    with talking(tmp_path, pieces=True) as cli:
        wrong: list[str] = []

        def ask(command: str, wanted: str) -> None:
            wrong.extend(answer for _ in range(20) if (answer := cli.ask(command)) != wanted)

        threads = [
            threading.Thread(target=ask, args=one)
            for one in (("show map domain", "No MAP domains are configured..."), ("x", "unknown input `x'"))
        ]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        assert not wrong


def test_an_answer_that_does_not_come(tmp_path: Path) -> None:
    """In the time that it has; what comes later isn't taken for the next one's."""
    with talking(tmp_path, hang="show errors") as cli:
        began_s = time.monotonic()
        with pytest.raises(LabError, match=r"VPP doesn't answer at .*fake\.sock: 'show errors' took too long"):
            cli.ask("show errors", timeout_s=0.2)
        assert time.monotonic() - began_s < 3
        assert cli.ask("show map domain") == "No MAP domains are configured..."


def test_a_connection_that_is_closed(tmp_path: Path) -> None:
    with talking(tmp_path, close="show errors") as cli:
        with pytest.raises(LabError, match=r"VPP closed its CLI socket .*fake\.sock in place of an answer to 'show er"):
            cli.ask("show errors")
        assert cli.ask("x") == "unknown input `x'"


def test_a_vpp_that_ends(tmp_path: Path) -> None:
    with talking(tmp_path, end="show errors") as cli:
        with pytest.raises(LabError, match="VPP closed its CLI socket"):
            cli.ask("show errors")
        with pytest.raises(LabError, match=r"VPP('s| closed its) CLI socket .*fake\.sock"):
            cli.ask("show errors")  # refused, or a process that is about to end


def test_nobody_there(tmp_path: Path) -> None:
    with pytest.raises(LabError, match=r"VPP's CLI socket .*/none\.sock: No such file or directory"):
        VppCli(tmp_path / "none.sock").ask("x")
    (tmp_path / "file").write_text("x")
    with pytest.raises(LabError, match=r"VPP's CLI socket .*/file: Connection refused"):
        VppCli(tmp_path / "file").ask("x")
    with pytest.raises(LabError, match="AF_UNIX path too long"):
        VppCli(tmp_path / ("x" * 200)).ask("x")


@pytest.mark.parametrize("command", ["a\nb", "a\0b", "x" * 5000])
def test_what_cannot_be_asked(command: str, tmp_path: Path) -> None:
    with talking(tmp_path) as cli, pytest.raises(LabError, match="VPP can't be asked this"):
        cli.ask(command)


@contextmanager
def somebody(path: Path, says: Callable[[socket.socket], None]) -> Iterator[VppCli]:
    """Who isn't VPP."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
        listening.bind(str(path))
        listening.listen()

        def serve() -> None:
            client, _ = listening.accept()
            with client:
                says(client)

        thread = threading.Thread(target=serve)
        thread.start()
        yield VppCli(path)
        thread.join()


def test_who_is_not_vpp(tmp_path: Path) -> None:
    def web(client: socket.socket) -> None:
        while b"version" not in client.recv(4096):
            pass
        client.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n\0")

    with (
        somebody(tmp_path / "s", web) as cli,
        pytest.raises(LabError, match=r"who listens there isn't VPP: 'HTTP/1\.1 400 Bad Request'"),
    ):
        cli.ask("x")


def test_who_greets_and_is_not_vpp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says something, but answers to nothing."""
    monkeypatch.setattr("xlatperf.lab.vpp_cli.FIRST_S", 0.3)

    def shell(client: socket.socket) -> None:
        client.sendall(b"SSH-2.0-OpenSSH_9.2p1\r\n")
        while client.recv(4096):
            pass

    with (
        somebody(tmp_path / "s", shell) as cli,
        pytest.raises(LabError, match=r"who listens there isn't VPP: 'SSH-2\.0-OpenSSH_9\.2p1'"),
    ):
        cli.ask("x")


@pytest.mark.parametrize(
    "said",
    [
        b"\xff\xfb\x01vpp v1\0",
        b"vpp \xff\xfa\x18\x01\xff\xf0v1\0",
        b"\0\xff\xfd\x18\0vpp v1\r\n\0",
        b"\xff\xf1vpp v1\0",
        b"vpp v1\xff\xff\0",
    ],
)
def test_options_of_telnet_are_no_text(said: bytes, tmp_path: Path) -> None:
    """Wherever they stand, and wherever they are cut in two."""

    def bytewise(client: socket.socket) -> None:
        for one in said:
            client.sendall(bytes((one,)))
            time.sleep(0.002)
        client.recv(4096)

    with somebody(tmp_path / "s", bytewise) as cli:
        assert re.fullmatch("vpp v1\ufffd?", cli.version)
        cli.close()
