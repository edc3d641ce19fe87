"""What VPP counts, read from answers as VPP formats them."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from xlatperf.devices.vpp import counters
from xlatperf.devices.vpp.counters import Error, Interface, Vectors

ANSWERS = Path(__file__).parent / "answers"


def read(name: str) -> str:
    return (ANSWERS / f"{name}.txt").read_text(encoding="utf-8")


def test_errors() -> None:
    """Reasons have spaces in them, and end in words that severities have; two threads are counted together."""
    assert counters.errors(read("show_errors")) == [
        Error("ip4-input", "ip4 spoofed local-address packet drops", 15, "error"),
        Error("memif-input", "No error", 5, "error"),
        Error("map-e", "bad protocol", 30, "error"),
        Error("nat44-ed-in2out", "good in2out packets", 100, "info"),
    ]


def test_errors_of_an_older_version() -> None:
    assert counters.errors(read("show_errors_without_severity")) == [
        Error("ip4-map", "No error", 30, ""),
        Error("ip6-map-t", "security check failed", 7, ""),
    ]


def test_interfaces() -> None:
    assert counters.interfaces(read("show_interface")) == [
        Interface("local0", False, 0, {}),
        Interface("memif101/0", True, 1500, {"rx packets": 100, "rx bytes": 10000, "drops": 3, "ip4": 60}),
        Interface("memif102/0", False, 9000, {"tx-error": 12}),
    ]


def test_vectors() -> None:
    """Of nodes that work: those that poll for packets are called all the time."""
    assert counters.vectors(read("show_runtime")) == {"vpp_wk_0 core 1": Vectors(80, 400)}


def test_vectors_without_workers() -> None:
    """There is no line for the only thread."""
    alone = read("show_runtime").partition("Thread 1")[2].partition("\n")[2]
    assert counters.vectors(alone) == {"vpp_main": Vectors(80, 400)}


@given(st.text())
def test_anything_is_read(answer: str) -> None:
    """Never more than there is, and never an error."""
    counters.errors(answer)
    counters.interfaces(answer)
    counters.vectors(answer)
