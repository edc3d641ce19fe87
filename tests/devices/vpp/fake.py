"""The fake VPP (tests/fake_vpp.py) as the `vpp` that is on the path, and as one that runs already."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests import fake_vpp
from xlatperf.lab.vpp_cli import VppCli


def on_the_path(folder: Path, monkeypatch: pytest.MonkeyPatch, **orders: Any) -> Path:
    """A `vpp` that is the fake one; returns the file of the commands that it was given."""
    programs = folder / "programs"
    programs.mkdir(exist_ok=True)
    vpp = programs / "vpp"
    vpp.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{fake_vpp.__file__}" "$@"\n')
    vpp.chmod(0o755)
    log = folder / "commands"
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("FAKE_VPP", json.dumps({"log": str(log), **orders}))
    monkeypatch.setenv("XLATPERF_RUNTIME", str(folder / "run"))
    return log


@contextmanager
def running(folder: Path, **orders: Any) -> Iterator[Path]:
    """One that runs; its CLI socket."""
    path = folder / "fake.sock"
    environment = {**os.environ, "FAKE_VPP": json.dumps(orders)}
    with subprocess.Popen((sys.executable, fake_vpp.__file__, str(path)), env=environment) as process:
        try:
            while not path.is_socket():
                assert process.poll() is None
            yield path
        finally:
            process.kill()


def left(path: Path) -> dict[str, Any]:
    """What such a one still has of what it was told."""
    cli = VppCli(path)
    try:
        found: dict[str, Any] = json.loads(cli.ask("fake left"))
    finally:
        cli.close()
    return found


NOTHING_LEFT: dict[str, Any] = {"interfaces": {}, "sockets": {}, "domains": [], "on": [], "routes": []}
