"""`python -m bench.ports`: that it measures and compares, not how fast anything is."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from scapy.layers.inet import IP
from scapy.layers.l2 import Ether

from bench.ports import yardsticks
from bench.ports.__main__ import PAGE, main
from bench.ports.carried import Carried
from bench.ports.case import Case, all_cases
from bench.ports.table import YARDSTICK, Line, Measured, in_markdown
from bench.ports.tester import carried
from bench.speed.yardsticks import YardstickFailed
from tests.lab.root import needs_root
from xlatperf.run.session import session

LINE = Line(
    "af_packet",
    "forwarding, one direction",
    [
        Measured("Tester", [Carried(300e3, 10, 10), Carried(100e3, 10, 10), Carried(200e3, 10, 9)]),
        Measured(YARDSTICK, [Carried(200e3, 10, 10), Carried(150e3, 10, 10), Carried(100e3, 10, 10)]),
    ],
)


def test_ratios_are_of_the_best_rounds_and_within_rounds() -> None:
    ours, plain = LINE.cells()
    assert ours == ["af_packet, forwarding, one direction", "Tester", "300", "200", "1.50", "1.50", "1"]
    assert plain == ["", YARDSTICK, "200", "150", "", "", ""], "the rounds give 1.5, 0.67 and 2"
    assert in_markdown([LINE]).splitlines()[-1] == "|  | plain loop | 200 | 150 |  |  |  |"


def test_the_plain_loop_sends_what_a_router_forwards() -> None:
    frame = Ether(bytes.fromhex(yardsticks.headers("right", "198.19.0.2", "198.18.0.2")))
    assert (frame.src, frame.dst) == ("02:00:00:00:00:a1", "02:00:00:00:00:d1")
    rebuilt = IP(bytes(replaced(frame[IP])))
    assert (frame[IP].chksum, frame[IP].len) == (rebuilt.chksum, 66)


def replaced(header: IP) -> IP:
    """With a checksum of Scapy's."""
    again = header.copy()
    del again.chksum
    return again


@needs_root
@pytest.mark.alone
def test_tester_and_plain_loop_on_the_same_ports(monkeypatch: pytest.MonkeyPatch) -> None:
    subprocess.run(["ninja", "-C", "build", "bench/plain-through"], check=True, capture_output=True, timeout=120)
    monkeypatch.setattr(yardsticks, "DURATION_S", 0.1)
    case = Case("af_packet", "forwarding", both=True)
    with session(case.bench(0)) as running:
        assert carried(case, running).arrived > 1000
        running.engine.close()
        found = yardsticks.plain_through(case, running.device.attachment, 0)
        assert found.arrived > 1000
        nowhere = replace(running.device.attachment, left_port="net_nothing0")
        with pytest.raises(YardstickFailed, match="plain-through: "):
            yardsticks.plain_through(case, nowhere, 0)


def test_every_case_is_a_bench_file() -> None:
    names = {(case.port_driver, case.bench(0).technology.name, case.both) for case in all_cases()}
    assert len(names) == len(all_cases())


def test_users_errors(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SystemExit):
        main(["--rounds", "0"])
    assert "--rounds: 0 is not allowed: 1 or more" in capsys.readouterr().err
    monkeypatch.setattr(yardsticks, "PLAIN_THROUGH", Path("nowhere/plain-through"))
    assert main([]) == 3
    assert "missing: nowhere/plain-through (ninja -C build bench/plain-through)" in capsys.readouterr().out


def test_page_has_the_marks() -> None:
    assert PAGE.begin in PAGE.text()
    assert PAGE.end in PAGE.text()
