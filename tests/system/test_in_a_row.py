"""R8219-4.2-2: two devices in a row by two drivers, each alone and both together."""

from __future__ import annotations

import csv
import json
import os
import re
import signal
from pathlib import Path

import pytest

from tests.system.command import cut, xlatperf
from tests.system.requirements import needs_nft, needs_root, needs_tayga
from tests.system.test_linux import CHECK
from tests.system.trials import RELAXED

TWO = "[[device]]\ndriver = {}\n[[device]]\ndriver = {}\n"
MEASURE = """
[[measure]]
procedure = "throughput"
connections = [50]
establish_fps = 500
frame_sizes = [84]
minimum_fps = 500
maximum_fps = 4000
search = "binary"
stop_width_fps = 1000
repetitions = 1
duration_s = 0.5
timeout_s = 0.3
settle_s = 0.02
learning_wait_s = 0.02
"""
MAP_T, MAP_E = 'name = "map-t-ce"', 'name = "map-e-ce"'
LW4O6, DSLITE, NAT64 = 'name = "lw4o6-b4"', 'name = "dslite"', 'name = "nat64"'
SMALL = """name = "map-t-ce"
[[technology.domains]]
ipv6 = "2001:2:0:2000::/58"
ipv4 = "198.18.0.0/30"
ea_bits = 6
ea = 0x25
dmr = "2001:2:0:c000::/64"
"""
"""The relay by TAYGA has at most 256 CEs."""
REFERENCE, TAYGA_CE, TAYGA_BR = '"reference"', '"tayga-map-t-ce"', '"tayga-map-t-br"'


def written(folder: Path, technology: str, left: str, right: str, more: str = "") -> Path:
    path = folder / "b.toml"
    path.write_text(f"[technology]\n{technology}\n{TWO.format(left, right)}{more}{RELAXED}", encoding="utf-8")
    return path


@pytest.mark.parametrize("technology", [MAP_T, MAP_E, LW4O6, DSLITE, NAT64])
def test_reference_devices(technology: str, tmp_path: Path) -> None:
    """The five IPv4aaS technologies (RFC 8219 §4.2), as one NAT44 from outside, with native IPv6 beside."""
    path = written(tmp_path, technology, REFERENCE, REFERENCE, "[traffic]\nmix = [[1, 1], [1, 2]]\n")
    ended = xlatperf("check", path, *CHECK, folder=tmp_path)
    assert ended.code == 0, ended.output


@needs_root
@needs_nft
@needs_tayga
@pytest.mark.parametrize(
    ("technology", "left", "right"),
    [
        (SMALL, TAYGA_CE, TAYGA_BR),
        (MAP_T, TAYGA_CE, REFERENCE),
        (SMALL, REFERENCE, TAYGA_BR),
        (NAT64, '"tayga"', '"tayga-nat64"'),
        (NAT64, REFERENCE, '"tayga-nat64"'),
    ],
)
def test_real_devices(technology: str, left: str, right: str, tmp_path: Path) -> None:
    """R7599-8, RFC 6877: from namespace to namespace, and beside the reference device."""
    path = written(tmp_path, technology, left, right)
    ended = xlatperf("check", path, *CHECK, "--hold", "0.3", folder=tmp_path)
    assert ended.code == 0, ended.output


def test_which_one_limits(tmp_path: Path) -> None:
    """Three campaigns from one file; the border relay has a capacity, and the comparison names it."""
    slow = "[device.impair.forward]\ncapacity = { rate_fps = 1500, buffer = 100 }\n"
    path = written(tmp_path, MAP_T, REFERENCE, REFERENCE, slow + MEASURE)
    ended = xlatperf("run", path, "-f", "c", "--skip-selftest", folder=tmp_path)
    assert ended.code == 0, ended.output
    found = {}
    for name in ("both", "ce", "br"):
        results = json.loads((tmp_path / "c" / name / "results.json").read_text(encoding="utf-8"))
        with (tmp_path / "c" / name / "summary.csv").open(newline="") as file:
            rows = [row for row in csv.DictReader(file) if row["quantity"] == "throughput"]
        (found[name],) = [float(row["value"]) for row in rows if row["statistic"] == "median"]
        assert results["complete"], ended.output
    assert max(found["br"], found["both"]) < found["ce"]
    page = re.sub(r"<[^>]+>", "", (tmp_path / "c" / "comparison.html").read_text(encoding="utf-8"))
    assert "The BR limits." in page
    assert "CE alone" in page
    again = xlatperf("run", path, "-f", "c", "--skip-selftest", folder=tmp_path)
    assert again.code == 0, again.output
    assert again.output.count("this campaign is complete") == 3
    _report_again(path, tmp_path)


def _report_again(path: Path, folder: Path) -> None:
    """Of a row's folder all that was written from results; which is no place for a campaign of one device."""
    written_again = [Path("c") / name / "report.html" for name in ("both", "ce", "br")] + [Path("c/comparison.html")]
    for one in written_again:
        (folder / one).unlink()
    ended = xlatperf("report", "c", folder=folder)
    assert ended.code == 0, ended.output
    assert [one for one in written_again if not (folder / one).exists()] == []
    one_device = folder / "one.toml"
    one_device.write_text((folder / "c" / "br" / "bench.toml").read_text(encoding="utf-8"))
    said = "c: this folder is that of two devices in a row, of which each has a campaign: c/both, c/ce, c/br"
    for arguments in (("run", str(one_device), "-f", "c"), ("compare", "c", "c/both")):
        ended = xlatperf(*arguments, folder=folder)
        assert (ended.code, ended.output.splitlines()[-1]) == (2, said)
    for again in (False, True):
        ended = xlatperf("run", path, "-f", "d", "--alone", "br", "--skip-selftest", folder=folder)
        assert (ended.code, ended.output.count("this campaign is complete")) == (0, int(again)), ended.output
    assert [one.name for one in (folder / "d").iterdir()] == ["br"]
    ended = xlatperf("report", "d", folder=folder)
    assert (ended.code, ended.output.count("report:")) == (0, 1), ended.output


def test_interrupted(tmp_path: Path) -> None:
    """The folder that is named is the one that goes on; one of its campaigns' is none for all three."""
    path = written(tmp_path, MAP_T, REFERENCE, REFERENCE, MEASURE)
    arguments = ("run", path, "-f", "c", "--skip-selftest")
    ended = cut(*arguments, folder=tmp_path, at="[1/1]", deed=lambda pid: os.kill(pid, signal.SIGINT))
    assert ended.code == 128 + signal.SIGINT
    assert f"interrupted; xlatperf run {path} --folder c goes on from here" in ended.output
    refused = xlatperf("run", path, "-f", "c/both", folder=tmp_path)
    said = "c/both: this folder is that of one campaign, not of three; give another one by --folder"
    assert (refused.code, refused.output.splitlines()[-1]) == (2, said)
    assert not (tmp_path / "c" / "both" / "both").exists()
