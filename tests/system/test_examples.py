"""The example bench files against their devices, as the README has them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.system.command import REPOSITORY, xlatperf
from tests.system.requirements import needs_root, needs_tayga, needs_vpp
from tests.system.shortened import shortened
from tests.system.test_linux import CHECK
from xlatperf.config.load import parse_bench

CHECKED: dict[str, list[pytest.MarkDecorator]] = {
    "464xlat": [needs_root, needs_tayga],
    "464xlat-clat": [needs_root, needs_tayga],
    "464xlat-plat": [needs_root, needs_tayga],
    "464xlat-scalability": [needs_root, needs_tayga, pytest.mark.alone],
    "in-a-row-map-t": [needs_root, needs_tayga],
    "linux-ipv4": [needs_root],
    "linux-ipv6": [needs_root],
    "nft-masquerade": [needs_root],
    "nft-nat44": [needs_root],
    "nft-nat44-scalability": [needs_root, pytest.mark.alone],
    "nft-nat66": [needs_root],
    "reference-dslite": [],
    "reference-dslite-b4": [],
    "reference-dslite-scalability": [],
    "reference-lw4o6": [],
    "reference-lw4o6-b4": [],
    "reference-lw4o6-hairpinning": [],
    "reference-lw4o6-scalability": [],
    "reference-map-e": [],
    "reference-map-e-ce": [],
    "reference-map-e-scalability": [],
    "reference-map-e-vlan": [],
    "reference-lw4o6-on-a-stick": [],
    "reference-siit-imix": [],
    "reference-map-t": [],
    "reference-map-t-ce": [],
    "reference-nat44": [],
    "reference-siit": [],
    "tayga-map-t": [needs_root, needs_tayga],
    "tayga-map-t-ce": [needs_root, needs_tayga],
    "tayga-nat64": [needs_root, needs_tayga],
    "tayga-nat64-scalability": [needs_root, needs_tayga, pytest.mark.alone],
    "tayga-siit": [needs_root, needs_tayga],
    "tayga-siit-both-ways": [needs_root, needs_tayga],
    "tayga-siit-flows": [needs_root, needs_tayga],
    "tayga-siit-pair": [needs_root, needs_tayga],
    "vpp-map-e": [needs_vpp],
}
"""Those that bring their own device, and what they need."""
IN_MACHINES = {"ip6tnl-aftr", "ip6tnl-br", "ip6tnl-ce", "jool-464xlat", "jool-nat64", "jool-siit"}
"""Those whose device is in a virtual machine: each in a file of its own."""
OVER_SSH = {"ssh-nft-nat44-100g"}
"""Those whose device is on another host: in test_over_ssh.py."""


@pytest.mark.parametrize("name", [pytest.param(name, marks=marks) for name, marks in CHECKED.items()])
def test_check(tmp_path: Path, name: str) -> None:
    """Each example that brings its own device passes `check` as it is."""
    ended = xlatperf("check", REPOSITORY / "examples" / f"{name}.toml", *CHECK, "--hold", "0.3", folder=tmp_path)
    assert ended.code == 0, ended.output
    assert "ll frames came back as they must" in ended.output


EXAMPLES = {path.stem for path in (REPOSITORY / "examples").glob("*.toml")}
MANUAL = sorted(name for name in EXAMPLES if name.startswith("manual-"))


def test_every_example_is_checked() -> None:
    """An example that is added must be added above."""
    assert EXAMPLES - set(MANUAL) == set(CHECKED) | IN_MACHINES | OVER_SSH


ONLY_MANUAL = re.compile(
    r"^(description|namespace|[a-z]+_command|cores|memory_mb|hugepages|idle|port) = .*\n", re.MULTILINE
)
"""What these have of the user's own."""


CHECKED_MANUAL = ("manual-464xlat-100g", "manual-464xlat-clat-100g", "manual-lw4o6-100g")
"""464XLAT and its CLAT by another device than TAYGA, the largest table. The others' technologies are the same reference
devices above, those of manual-veth and manual-memif their own in test_your_own_device_page.py."""


def at_reference(name: str, folder: Path) -> None:
    """`bench.toml` with the reference device in the place of the user's: all else in the file is as it is."""
    text = ONLY_MANUAL.sub("", (REPOSITORY / "examples" / f"{name}.toml").read_text())
    text = text.replace('driver = "manual"', 'driver = "reference"')
    (folder / "bench.toml").write_text(re.sub(r"^mix = .*", "mix = [[1, 2]]", text, flags=re.MULTILINE))


@pytest.mark.parametrize("name", MANUAL)
def test_manual_examples_describe_a_device(tmp_path: Path, name: str) -> None:
    """The engine takes addresses and tables, and knows what is sent and what must come back."""
    at_reference(name, tmp_path)
    ended = xlatperf("show", "bench.toml", "--count", "1", folder=tmp_path)
    assert ended.code == 0, ended.output
    assert "forward" in ended.output


@pytest.mark.parametrize("name", CHECKED_MANUAL)
def test_manual_examples_through_a_device(tmp_path: Path, name: str) -> None:
    at_reference(name, tmp_path)
    ended = xlatperf("check", "bench.toml", *CHECK, "--hold", "0.3", folder=tmp_path)
    assert ended.code == 0, ended.output
    assert "ll frames came back as they must" in ended.output


@pytest.mark.parametrize("name", ["clat", "464xlat"])
def test_what_init_writes_can_be_checked(tmp_path: Path, name: str) -> None:
    assert xlatperf("init", name, "-o", "bench.toml", folder=tmp_path).code == 0
    ended = xlatperf("check", "bench.toml", *CHECK, "--hold", "0.3", folder=tmp_path)
    assert ended.code == 0, ended.output
    assert "ll frames came back as they must" in ended.output


@needs_root
@needs_tayga
@pytest.mark.timeout(300)
def test_the_demonstration(tmp_path: Path) -> None:
    """What `make demo` does, shortened: a campaign on TAYGA, exit code 0, and a report that can be read offline."""
    text = shortened("tayga-siit", repetitions="1", maximum_fps="8000", step_percent="10", tester_alone_s="0.3")
    text = text.replace("overrun = 1", "overrun = 0.2")  # the self-test goes where the Tester can't send in time
    (tmp_path / "bench.toml").write_text(text)
    ended = xlatperf("run", "bench.toml", "--folder", "c", folder=tmp_path, timeout_s=240)
    assert ended.code == 0, ended.output
    results = json.loads((tmp_path / "c" / "results.json").read_text())
    assert results["complete"] is True
    assert all(one["limit_fps"] > 0 for one in results["selftest"])
    assert {one["over"] for one in results["selftest"]} == {"ports", "memory"}
    measured = [one["procedure"] for one in results["measurements"]]
    assert list(dict.fromkeys(measured)) == [one.procedure for one in parse_bench(text, "bench.toml").measure]
    assert measured[:2] == ["throughput", "frame_loss"]
    report = (tmp_path / "c" / "report.html").read_text(encoding="utf-8")
    for word in ("TAYGA", "Throughput", "Frame loss", "RFC 2544", "RFC 8219"):
        assert word in report
    assert "report.html" in ended.output
