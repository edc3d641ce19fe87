"""A port that can't be opened is told in its driver's own words."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine_system.engine_process import engine
from tests.engine_system.messages import configuration, open_ports

CLIENT = "net_memif{},role=client,id={},socket={},socket-abstract=no"
WORDS = {
    "memif, nobody at its end": (
        CLIENT,
        "{}/dut.sock",
        "it can't be started: memif_connect_client(): Failed to connect ",
    ),
    "memif, no such folder": (CLIENT, "{}/none/dut.sock", "memif_check_socket_filename(): Invalid socket directory."),
    "no such driver": ("net_nobody{}", "", "DPDK has no driver for it"),
    "no such card": ("0000:ff:1f.{}", "", "DPDK has no driver for it"),
}


@pytest.mark.parametrize("case", WORDS)
def test_words(tmp_path: Path, case: str) -> None:
    name, socket, words = WORDS[case]
    left, right = (name.format(number, number, socket.format(tmp_path)) for number in (0, 1))
    with engine() as process:
        process.do("configure", **configuration())
        with pytest.raises(AssertionError) as refused:
            open_ports(process, left, right)
    assert f"port {left}: " in str(refused.value)
    assert words in str(refused.value).replace('\\"', '"')
    assert "Operation not permitted" not in str(refused.value)
    assert "in the log" not in str(refused.value)
