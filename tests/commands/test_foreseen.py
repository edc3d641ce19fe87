"""What a device can't be or do is said with the bench file's name, before anything is made, by each command."""

from __future__ import annotations

from pathlib import Path

import pytest

from xlatperf.commands.app import run_app

COMMANDS = ("plan", "run", "check")
MEASURE = '[[measure]]\nprocedure = "throughput"\nmaximum_fps = 1000\nrepetitions = 1\n'
OF_CONNECTIONS = f"{MEASURE}connections = [100]\nestablish_fps = 1000\n"
TWO = f'[[device]]\ndriver = "tayga-map-t-ce"\n[[device]]\ndriver = "{{}}"\n{OF_CONNECTIONS}'


@pytest.fixture(autouse=True)
def _engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fake_engine: None) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            f'technology.name = "nat66"\ndevice.driver = "tayga"\n{OF_CONNECTIONS}',
            'technology.name: "nat66" is not allowed: the driver tayga does `siit` only',
        ),
        (
            f'technology.name = "map-t-ce"\n{TWO.format("tayga-map-t-ce")}',
            "device[1].driver: tayga-map-t-ce is not allowed: for the BR, reference, tayga-map-t-br or vpp",
        ),
        (
            f'technology.name = "map-t-ce"\n{TWO.format("reference")}'.replace("tayga-map-t-ce", "vpp", 1),
            "device[0].driver: vpp is not allowed: for the CE, reference or tayga-map-t-ce",
        ),
        (
            f'technology.name = "map-t-ce"\n{TWO.format("vpp")}',
            "device[1].ports: memif is not allowed: af_packet: the other device has interfaces",
        ),
        (
            f'technology.name = "map-t-ce"\n{TWO.format("reference")}'.replace(
                '"reference"\n', '"reference"\ndomains = [7]\n'
            ),
            "device[1].domains: [7] is not allowed: numbers from 0 to 0",
        ),
        (
            f'technology.name = "siit"\ndevice = {{ driver = "vpp", ports = "af_packet" }}\n{MEASURE}',
            'technology.name: "siit" is not allowed: with the driver vpp native, map-e, ',
        ),
        (
            f'technology.name = "map-t"\ndevice = {{ driver = "vpp", nat44 = "ei" }}\n{MEASURE}',
            "device.nat44: ei is not allowed: nothing without technology.name = nat44",
        ),
        (
            f'technology.name = "map-e"\ndevice.driver = "ip6tnl-br"\n{MEASURE}',
            "technology.domains[0].ea_bits: 13 is not allowed: for the CEs of all domains together, at most 64",
        ),
        (
            f'technology.name = "native"\ndevice = {{ driver = "jool-map-t" }}\n{MEASURE}',
            'technology.name: "native" is not allowed: the driver jool-map-t does `map-t`',
        ),
    ],
)
def test_what_cannot_be(command: str, text: str, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("b.toml").write_text(text)
    before = sorted(Path().rglob("*"))
    assert run_app([command, "b.toml"]) == 2
    told = capsys.readouterr()
    assert told.err.startswith(f"b.toml: {line}")
    assert told.err.count("\n") == 1
    assert told.out == ""
    assert sorted(Path().rglob("*")) == before


def test_what_it_does_otherwise(capsys: pytest.CaptureFixture[str]) -> None:
    """In the plan, among what the device must bear."""
    Path("b.toml").write_text(f'technology.name = "nat64"\ndevice.driver = "vpp"\n{OF_CONNECTIONS}')
    assert run_app(["plan", "b.toml"]) == 0
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    told = "VPP: it translates what has another prefix of its length as well, and swallows native IPv6"
    assert told in lines[lines.index("Device:") :]


def test_one_of_two_in_a_row(capsys: pytest.CaptureFixture[str]) -> None:
    """RFC 8219 §4.1: its plan; whoever isn't there is named as it was written."""
    Path("b.toml").write_text(f'technology.name = "map-t-ce"\n{TWO.format("reference")}')
    assert run_app(["plan", "b.toml"]) == 0
    assert [line for line in capsys.readouterr().out.splitlines() if line.endswith(("row:", "alone:"))] == [
        "both in a row:",
        "CE alone:",
        "BR alone:",
    ]
    assert run_app(["plan", "b.toml", "--alone", "br"]) == 0
    told = capsys.readouterr().out
    assert "BR alone:" in told
    assert "CE alone:" not in told
    assert "both in a row:" not in told
    for command in COMMANDS:
        assert run_app([command, "b.toml", "--alone", ""]) == 2
        assert capsys.readouterr().err == '--alone: "" is not allowed: CE or BR\n'


def test_what_both_in_a_row_have_not(capsys: pytest.CaptureFixture[str]) -> None:
    """By what the file has, and with the way out."""
    Path("b.toml").write_text(f'technology.name = "map-t-ce"\n{TWO.format("reference")}')
    assert run_app(["check", "b.toml", "--all"]) == 2
    said = "--all: not of both in a row, of which one shares its address: --alone CE or BR\n"
    assert capsys.readouterr().err == said
    Path("b.toml").write_text(f'technology.name = "lw4o6-b4"\n[[device]]\n[[device]]\n{OF_CONNECTIONS}')
    assert run_app(["softwires", "b.toml"]) == 2
    assert capsys.readouterr().err == "b.toml: both in a row have no binding table: --alone lwB4 or lwAFTR\n"
