"""docs/your-own-device.md: its commands, as they stand, from the first namespace to the report."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.retries import attempts
from tests.system.command import REPOSITORY
from tests.system.requirements import needs_nft, needs_root
from xlatperf.lab.namespace import Namespace
from xlatperf.lab.programs import installed

pytestmark = [needs_root, needs_nft]
NAMESPACES = ("tester", "nat")
FOLDER = Path("/run/my-gateway")


@contextlib.contextmanager
def nothing_left() -> Iterator[None]:
    """What the page makes isn't there before, and not afterwards."""
    there = [name for name in NAMESPACES if Namespace(name).exists] + [str(FOLDER)] * FOLDER.exists()
    if there:
        pytest.skip(f"somebody uses {', '.join(there)} on this host")
    try:
        yield
    finally:
        for name in NAMESPACES:
            Namespace(name).remove()
        shutil.rmtree(FOLDER, ignore_errors=True)


def commands(heading: str) -> str:
    page = (REPOSITORY / "docs" / "your-own-device.md").read_text(encoding="utf-8")
    part = page.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return "".join(re.findall(r"```sh\n(.*?)```", part, re.DOTALL))


def typed(parent: Path, script: str) -> tuple[str, Path]:
    """What its commands say, and the folder that they ran in; each must succeed. Again if the machine was too slow."""
    for number in attempts(2):
        with nothing_left():
            folder = parent / str(number)
            ended = typed_once(folder, script)
            if ended.returncode == 0:  # the page's last commands tidy up
                assert not any(Namespace(name).exists for name in NAMESPACES)
                assert not FOLDER.exists()
        if ended.returncode == 0 or "was not valid: sent_less" not in ended.stdout:
            break
    assert ended.returncode == 0, ended.stdout
    return ended.stdout, folder


def typed_once(folder: Path, script: str) -> subprocess.CompletedProcess[str]:
    """In one shell, in a folder like the repository's, but with shorter searches."""
    folder.mkdir()
    (folder / "build").symlink_to(REPOSITORY / "build")
    shutil.copytree(REPOSITORY / "examples", folder / "examples")
    nat = folder / "examples" / "manual-veth.toml"
    nat.write_text(nat.read_text(encoding="utf-8").replace("stop_width_percent = 25", "stop_width_percent = 50"))
    program = folder / "bin" / "xlatperf"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m xlatperf "$@"\n')
    program.chmod(0o755)
    search = {"PATH": f"{program.parent}:{os.environ['PATH']}", "PYTHONPATH": str(REPOSITORY)}
    return subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", script],
        cwd=folder,
        env={**os.environ, **search},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=170,
        check=False,
    )


@pytest.mark.skipif(not installed("conntrack"), reason="conntrack isn't installed: apt install conntrack")
def test_a_nat_in_a_namespace(tmp_path: Path) -> None:
    output, folder = typed(tmp_path, commands("A NAT44 in a network namespace"))
    assert "ll frames came back as they must" in output
    assert "campaigns/my-nat/report.html" in output
    results = (folder / "campaigns" / "my-nat" / "results.json").read_text()
    assert '"complete":true' in results.replace(" ", "")
    assert "nf_conntrack_buckets" in (folder / "campaigns" / "my-nat" / "environment.json").read_text()


def test_a_gateway_over_memif(tmp_path: Path) -> None:
    output, _ = typed(tmp_path, commands("A software gateway over memif"))
    assert "ll frames came back as they must" in output
