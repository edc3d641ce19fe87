"""Of the host's own kernel plain features are used, and nothing else."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from xlatperf.devices import af_xdp_kernel
from xlatperf.lab.kernel_features import PLAIN
from xlatperf.probe import kernel
from xlatperf.probe.observation import Observation
from xlatperf.probe.tree import Tree

RELEASE = "proc/sys/kernel/osrelease"


def configuration(without: str = "") -> str:
    return "".join(f"CONFIG_{one.option}={'ym'[i % 2]}\n" for i, one in enumerate(PLAIN) if one.subject != without)


def host(root: Path, text: str, *, packed: bool) -> list[Observation]:
    path = root / ("proc/config.gz" if packed else "boot/config-6.1.0")
    for one in (path, root / RELEASE):
        one.parent.mkdir(parents=True, exist_ok=True)
    (root / RELEASE).write_text("6.1.0\n")
    path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    return kernel.survey(Tree(root))


def test_all_are_there(tmp_path: Path) -> None:
    for packed in (True, False):
        (line,) = host(tmp_path / str(packed), configuration(), packed=packed)
        assert line.state == "ok"
        assert all(one.subject in line.text for one in PLAIN)


def test_one_is_missing(tmp_path: Path) -> None:
    """By its configuration; a file that only a kernel with it has counts as well."""
    (line,) = host(tmp_path, configuration("tun") + "# CONFIG_TUN is not set\n", packed=True)
    assert line == Observation("missing", "kernel", "without tun (TAYGA and net_tap)", "use a kernel with CONFIG_TUN")
    (tmp_path / "dev/net").mkdir(parents=True)
    (tmp_path / "dev/net/tun").touch()
    assert kernel.survey(Tree(tmp_path))[0].state == "ok"


def test_nothing_is_known(tmp_path: Path) -> None:
    (line,) = kernel.survey(Tree(tmp_path))
    assert line.state == "limited"
    assert "nothing is known of network namespaces (every device of this host), veth" in line.text
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc/config.gz").write_bytes(b"not packed")
    assert kernel.survey(Tree(tmp_path)) == [line]


@pytest.mark.parametrize(
    ("types", "state"),
    [(b"\0xsk_addr_node\0", "limited"), (b"\0xsk_addrs\0", None), (b"\0sk_buff\0", None), (None, None)],
)
def test_kernels_whose_af_xdp_can_panic(tmp_path: Path, types: bytes | None, state: str | None) -> None:
    if types is not None:
        path = tmp_path / af_xdp_kernel.BTF
        path.parent.mkdir(parents=True)
        path.write_bytes(types)
    found = [line for line in host(tmp_path, configuration(), packed=True) if line.subject == "af_xdp"]
    assert [line.state for line in found] == ([] if state is None else [state])
    assert (af_xdp_kernel.why_not(tmp_path) is None) == (state is None)
