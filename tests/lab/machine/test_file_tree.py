"""Files for the machine, packed as its kernel unpacks them: read again with cpio and gzip."""

from __future__ import annotations

import gzip
import lzma
import subprocess
from pathlib import Path

import pytest

from tests.lab.machine.requirements import needs_machine
from xlatperf.lab.error import LabError
from xlatperf.lab.machine.file_tree import FileTree
from xlatperf.lab.programs import find


def unpacked(packed: Path, folder: Path) -> Path:
    folder.mkdir()
    subprocess.run(("cpio", "-idm", "--quiet"), input=gzip.decompress(packed.read_bytes()), cwd=folder, check=True)
    return folder


@needs_machine
def test_what_is_added_is_there(tmp_path: Path) -> None:
    module = tmp_path / "one.ko.xz"
    module.write_bytes(lzma.compress(b"a module"))
    tree = FileTree(tmp_path / "tree")
    tree.add(module, "lib/modules/one.ko")
    tree.write("init", "#!/bin/sh\n", 0o755)
    bash = find("bash")
    assert bash is not None
    tree.add_program(bash, "bin/bash")
    tree.pack(tmp_path / "packed")
    there = unpacked(tmp_path / "packed", tmp_path / "there")
    assert (there / "lib/modules/one.ko").read_bytes() == b"a module"
    assert (there / "init").stat().st_mode & 0o777 == 0o755
    assert (there / "bin/bash").read_bytes() == bash.resolve().read_bytes()
    assert {"libc.so.6"} <= {file.name for file in (there / "usr/lib").iterdir()}
    assert [file.name.partition("-")[0] for file in (there / "lib64").iterdir()] == ["ld"]
    assert {"proc", "sys", "dev", "run", "tmp"} <= {file.name for file in there.iterdir()}


@needs_machine
def test_a_program_that_lacks_a_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed = "\tlibnl-3.so.200 => not found\n\tlibc.so.6 => /lib/libc.so.6 (0x00)\n"
    monkeypatch.setattr("xlatperf.lab.machine.file_tree.run_command", lambda _: listed)
    program = tmp_path / "jool"
    program.write_text("")
    with pytest.raises(LabError, match=r"jool needs libnl-3\.so\.200, which isn't installed"):
        FileTree(tmp_path / "tree").add_program(program, "bin/jool")
