"""The bench of one trial: the configuration, what stands beside it, and the arguments."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from xlatperf.config.errors import BenchError
from xlatperf.dropin.arguments import Arguments, Connections, Kind
from xlatperf.dropin.bench import bench_of, is_stateful, tables_of
from xlatperf.imports.formats import Format
from xlatperf.procedures.establishment import Establishment
from xlatperf.procedures.frame_loss import FrameLoss
from xlatperf.procedures.latency import Latency
from xlatperf.procedures.pdv import Pdv

FILES = Path(__file__).parents[1] / "imports" / "files"
MIX = (9, 10)


def configured(folder: Path, name: str = "siitperf.conf", beside: str | None = '[device]\ndriver = "tayga"\n') -> Path:
    path = folder / "siitperf.conf"
    path.write_text((FILES / name).read_text())
    if beside is not None:
        path.with_suffix(".toml").write_text(beside)
    return path


def test_what_stands_beside_it_comes_first(tmp_path: Path) -> None:
    beside = '[device]\ndriver = "tayga"\n[traffic]\nhops = 3\nleft.hosts.networks = 9\n[[measure]]\nretries = 7\n'
    path = configured(tmp_path, beside=beside)
    arguments = Arguments(Kind.THROUGHPUT, 128, 1000, 3, 500, MIX, None)
    bench = bench_of(tables_of(path, Format.SIITPERF).tables, arguments, path)
    assert (bench.device.driver, bench.traffic.hops, bench.traffic.mix) == ("tayga", 3, (MIX,))
    assert (bench.traffic.left.hosts.networks, bench.traffic.left.hosts.host) == (9, 2)
    measure = bench.measure[0]
    assert isinstance(measure, FrameLoss)
    assert (measure.frame_sizes, measure.duration_s, measure.timeout_s, measure.retries) == ((128,), 3.0, 0.5, 7)
    assert measure.rates_fps == (1000.0,)
    assert measure.direction == "bidirectional"


def test_one_direction(tmp_path: Path) -> None:
    """`Reverse 0`; and sizes are those of IPv6 frames, 20 bytes more than these."""
    beside = '[device]\ndriver = "linux"\n[[measure]]\nlearning_wait_s = 0\n'
    path = configured(tmp_path, "siitperf-ipv4.conf", beside)
    bench = bench_of(tables_of(path, Format.SIITPERF).tables, Arguments(Kind.PDV, 84, 1000, 3, 500, (1, 1), None), path)
    assert isinstance(bench.measure[0], Pdv)
    assert (bench.measure[0].direction, bench.measure[0].frame_sizes) == ("forward", (64,))


def test_stateful(tmp_path: Path) -> None:
    path = configured(tmp_path, "siitperf-nat64.conf", '[device]\ndriver = "reference"\n')
    tables = tables_of(path, Format.SIITPERF).tables
    assert is_stateful(tables)
    connections = Connections(500, 2000, 0.1)
    bench = bench_of(tables, Arguments(Kind.LATENCY, 84, 1000, 3, 500, (1, 1), connections, 1, 500), path)
    measure = bench.measure[0]
    assert isinstance(measure, Latency)
    assert (measure.connections, measure.establish_fps) == ((500,), 2000.0)


@pytest.mark.parametrize(
    ("beside", "want"),
    [
        (None, "siitperf.toml: missing: the ports or the device"),
        ("[device", "siitperf.toml: not TOML: "),
        ('[device]\ndriver = "mine"\n', "siitperf.conf, {folder}/siitperf.toml: device.driver: "),
    ],
)
def test_faults_beside_it(beside: str | None, want: str, tmp_path: Path) -> None:
    path = configured(tmp_path, beside=beside)
    with pytest.raises(BenchError) as caught:
        arguments = Arguments(Kind.THROUGHPUT, 84, 1000, 3, 500, (1, 1), None)
        bench_of(tables_of(path, Format.SIITPERF).tables, arguments, path)
    assert caught.value.told[0].startswith(f"{tmp_path}/{want.format(folder=tmp_path)}")


def test_faults_of_the_configuration(tmp_path: Path) -> None:
    path = configured(tmp_path)
    path.write_text("IP-L-Vers 7\n")
    with pytest.raises(BenchError) as caught:
        tables_of(path, Format.SIITPERF)
    assert caught.value.told == [f"{path}: line 1: IP-L-Vers: 7 is not allowed: 4 or 6"]


def test_phase_1_alone(tmp_path: Path) -> None:
    """A stateful configuration may have neither direction: then no delay is measured (RFC 9693 §4.5)."""
    path = configured(tmp_path, "siitperf-nat44.conf")
    path.write_text(re.sub(r"(?m)^(Forward|Reverse) 1", r"\1 0", path.read_text()))
    tables = tables_of(path, Format.SIITPERF).tables
    arguments = Arguments(Kind.THROUGHPUT, 84, 1000, 3, 500, (1, 1), Connections(10, 100, 0.1))
    measure = bench_of(tables, arguments, path).measure[0]
    assert isinstance(measure, Establishment)
    assert measure.connections == (10,)
    said = r"siitperf\.conf: Forward, Reverse: 0 is not allowed: 1 in one of them: of phase 1 alone no delays"
    with pytest.raises(BenchError, match=said):
        bench_of(tables, replace(arguments, kind=Kind.LATENCY), path)


def test_what_is_not_used_of_the_file_beside_it(tmp_path: Path) -> None:
    """The arguments say what is measured."""
    beside = '[device]\ndriver = "reference"\n[[measure]]\nretries = 1\n[[measure]]\nprocedure = "pdv"\nretries = 2\n'
    path = configured(tmp_path, beside=beside)
    assert tables_of(path, Format.SIITPERF).told[-2:] == [
        f"{tmp_path}/siitperf.toml: of 2 tables [[measure]] the last one counts",
        f"{tmp_path}/siitperf.toml: not used: measure's procedure: the arguments say what is measured",
    ]


def test_what_is_not_taken_over_is_said(tmp_path: Path) -> None:
    """Else a script would measure other traffic than its file says, without a word; and no hop limit is looked at."""
    path = configured(tmp_path)
    path.write_text(path.read_text() + "\nIP-L-var 3\nIP-L-min 0\nIP-L-max 0xffff\nIPv6-L-offset 12\n")
    found = tables_of(path, Format.SIITPERF)
    assert any("IP-L-max" in line and "not taken over" in line for line in found.told), found.told
    bench = bench_of(found.tables, Arguments(Kind.THROUGHPUT, 84, 1000, 3, 500, (1, 1), None), path)
    assert bench.traffic.hops == "learn"


def test_a_file_beside_it_that_is_no_text(tmp_path: Path) -> None:
    path = configured(tmp_path)
    path.with_suffix(".toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BenchError, match=r"siitperf\.toml: can't be read: not UTF-8 text"):
        tables_of(path, Format.SIITPERF)
