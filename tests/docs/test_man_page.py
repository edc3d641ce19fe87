from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import xlatperf
from docs.man_page import _EXIT_STATUS, page
from xlatperf.commands.app import COMMANDS

ROOT = Path(__file__).parents[2]


def test_exit_codes_are_the_readmes() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for code, text in _EXIT_STATUS.items():
        assert f"| {code} | {text} |" in readme


def test_every_command_and_its_options() -> None:
    text = page()
    assert re.findall(r'^\.SS "(\w+)', text, re.MULTILINE) == list(COMMANDS)
    assert '.SS "selftest [BENCH]"' in text
    assert '.SS "init TECHNOLOGY"' in text
    assert f"xlatperf {xlatperf.__version__}" in text
    for option in ("folder", "skip\\-selftest", "from\\-line", "pcap", "cable", "figures"):
        assert f"\\fB\\-\\-{option}\\fR" in text


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff isn't installed")
def test_it_is_set_without_a_warning(tmp_path: Path) -> None:
    file = tmp_path / "xlatperf.1"
    file.write_text(page())
    run = subprocess.run(
        ["groff", "-man", "-Tutf8", "-P-cbou", "-ww", "-Kutf8", file], capture_output=True, text=True, check=True
    )
    assert run.stderr == ""
    assert "XLATPERF_RUNTIME" in run.stdout
