"""A self-test by a cable: kept beside the bench file, used by its campaigns, and what is said of it later."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.commands.test_campaign import BENCH as WITH_RINGS
from tests.report.frames_campaign import selftest as entry
from tests.values import rate_of
from xlatperf.commands.app import run_app
from xlatperf.config.load import parse_bench
from xlatperf.results.selftest_records import Cabled, SelfTest
from xlatperf.run import cabled
from xlatperf.run.folder import FolderError

BENCH = WITH_RINGS.replace("net_ring0", "0000:01:00.0").replace("net_ring1", "0000:01:00.1")
LINUX = "\n".join(line for line in BENCH.replace("manual", "linux").splitlines() if ".port = " not in line)
PORTS = entry(84, 70_000.0).model_copy(update={"over": "ports", "driver": "net_ixgbe"})


def known(folder: Path, text: str) -> SelfTest:
    return cabled.kept(folder / "b.toml", parse_bench(text, "b.toml"))


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A folder where the self-test of BENCH is."""
    assert cabled.keep(tmp_path / "b.toml", parse_bench(BENCH, "b.toml"), [PORTS, entry(84)]).name == "b.selftest.json"
    return tmp_path


def test_what_the_ports_can_do_is_used(kept: Path) -> None:
    found = known(kept, BENCH)
    assert found.entries == (PORTS,)
    assert found.cabled is not None
    assert found.cabled.in_words() == [
        f"the ports' limit is from the self-test with a cable of {found.cabled.measured}"
    ]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda text: text.replace("01:00.1", "01:00.2"), "tester.right.port: '0000:01:00.1' -> '0000:01:00.2'"),
        (lambda text: "tester.cores = [1, 2]\n" + text, "tester.cores: [1] -> [1, 2]"),
        (lambda text: text.replace('"siit"', '"native"'), "technology.name: 'siit' -> 'native'"),
    ],
)
def test_another_testers_limit_is_not_used(kept: Path, change: Callable[[str], str], said: str) -> None:
    found = known(kept, change(BENCH))
    assert found.entries == ()
    assert found.cabled is not None
    (line,) = found.cabled.in_words()
    assert line == f"the self-test with a cable of {found.cabled.measured} is not used, as this was different: {said}"


def test_what_changed_since_is_said(kept: Path) -> None:
    path = kept / "b.selftest.json"
    before = json.loads(path.read_text())
    before["host"]["kernel"] = "6.1.0-1"
    before["software"]["packages"]["numpy"] = "1.0"
    path.write_text(json.dumps(before))
    found = known(kept, f"tester.memory_mb = 512\n{BENCH}".replace("[84]", "[84, 128]"))
    assert found.entries == (PORTS,)
    assert found.cabled is not None
    assert found.cabled.not_measured == ("128 bytes, bidirectional",)
    memory, kernel, numpy = found.cabled.changed
    assert memory == "bench.tester.memory_mb: 256 -> 512"
    assert kernel.startswith("host.kernel: '6.1.0-1' -> ")
    assert numpy.startswith("software.packages.numpy: '1.0' -> ")
    assert "changed since: bench.tester.memory_mb: 256 -> 512" in found.cabled.in_words()


def test_ports_of_a_driver_are_measured_anew(kept: Path) -> None:
    """A bench file that goes over to a lab device has no use for its cable."""
    assert known(kept, LINUX) == SelfTest()


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"schema_version": 2}', "\ud800"])
def test_a_broken_file(tmp_path: Path, text: str) -> None:
    (tmp_path / "b.selftest.json").write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(FolderError, match=r"b\.selftest\.json: not a self-test's result: .*--cable") as caught:
        known(tmp_path, BENCH)
    assert "\n" not in str(caught.value)


@pytest.fixture
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fake_engine: None) -> None:
    monkeypatch.setenv("FAKE_CAPACITY_FPS", "1e9")
    monkeypatch.setattr("xlatperf.devices.manual.check_users_ports", lambda *_: None)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "b.toml").write_text(BENCH)


def results(folder: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path(folder, "results.json").read_text())
    return found


@pytest.mark.usefixtures("_files")
def test_from_the_cable_to_the_report(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The cable carries 70,000 frames/s: with the DUT the Tester can't do more either."""
    assert run_app(["selftest", "b.toml", "--json", "--duration", "0.05"]) == 0
    printed = capsys.readouterr()
    assert [one["over"] for one in json.loads(printed.out)] == ["memory"]
    assert "the ports' own limit: xlatperf selftest b.toml --cable" in printed.err
    monkeypatch.setenv("FAKE_TESTER_FPS", "70000")
    assert run_app(["selftest", "b.toml", "--cable", "--duration", "0.05"]) == 0
    assert "b.selftest.json: kept for the campaigns of b.toml" in capsys.readouterr().err
    assert run_app(["run", "b.toml", "--folder", "c"]) == 0
    assert "the ports' limit is from the self-test with a cable of 20" in capsys.readouterr().out
    found = results("c")
    assert [one["over"] for one in found["selftest"]] == ["ports", "memory"]
    assert Cabled.model_validate(found["cabled"]).why_not is None
    (one,) = found["measurements"]
    assert one["repetitions"][0]["limited_by"] == "tester"
    assert 60_000 <= one["tester_limit_fps"] <= 70_000
    page = Path("c/report.html").read_text()
    assert "The ports' limit is from the self-test with a cable of 20" in page.replace("&#x27;", "'")
    assert run_app(["run", "b.toml", "--folder", "without", "--skip-selftest"]) == 0
    assert [one["over"] for one in results("without")["selftest"]] == ["ports"]


@pytest.mark.usefixtures("_files")
def test_line_rate_is_no_limit_of_the_tester(monkeypatch: pytest.MonkeyPatch) -> None:
    """R8219-5.1-2: at 100 Mbit/s the larger frame, 84 bytes, lets 120,192 pass; the Tester could do more."""
    monkeypatch.setenv("FAKE_SPEED_MBPS", "100")
    monkeypatch.setenv("FAKE_TESTER_FPS", "1e6")
    assert run_app(["selftest", "b.toml", "--cable", "--duration", "0.05"]) == 0
    (ports,) = json.loads(Path("b.selftest.json").read_text())["entries"]
    assert ports["limit_fps"] == ports["ceiling_fps"] == pytest.approx(100e6 / 8 / (84 + 20))
    Path("b.toml").write_text(BENCH.replace("maximum_fps = 100000\n", ""))
    assert run_app(["run", "b.toml", "--folder", "c", "--skip-selftest"]) == 0
    (one,) = results("c")["measurements"]
    assert one["tester_limit_fps"] is None
    assert one["repetitions"][0]["limited_by"] == "maximum"
    assert rate_of(one) == int(100e6 / 8 / (84 + 20))


@pytest.mark.usefixtures("_files")
def test_of_another_tester_in_the_report(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_app(["selftest", "b.toml", "--cable", "--duration", "0.05"]) == 0
    Path("b.toml").write_text(f"tester.cores = [1, 2]\n{BENCH}")
    assert run_app(["run", "b.toml", "--folder", "c"]) == 0
    assert "is not used, as this was different: tester.cores: [1] -> [1, 2]" in capsys.readouterr().out
    assert [one["over"] for one in results("c")["selftest"]] == ["memory"]
    page = Path("c/report.html").read_text()
    assert "is not used, as this was different: tester.cores" in page
    assert "The limit of the ports in use is not known" in page


@pytest.mark.usefixtures("_files")
def test_nothing_comes_through(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_TESTER_FPS", "0")
    assert run_app(["selftest", "b.toml", "--cable", "--duration", "0.05"]) == 3
    assert "not kept, as it failed: are the two ports joined by a cable" in capsys.readouterr().err
    assert not Path("b.selftest.json").exists()


@pytest.mark.usefixtures("_files")
def test_users_errors(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_app(["selftest", "--cable"]) == 2
    assert "--cable: BENCH is missing" in capsys.readouterr().err
    Path("b.toml").write_text(LINUX)
    assert run_app(["selftest", "b.toml", "--cable"]) == 2
    assert "--cable is not allowed with device.driver = linux" in capsys.readouterr().err
    Path("c").mkdir()
    for text in ("[]", "{"):
        Path("b.toml").write_text(BENCH)
        Path("c/bench.toml").write_text(BENCH)
        Path("c/selftest.json").write_text(text)
        assert run_app(["run", "b.toml", "--folder", "c"]) == 2
        assert "c/selftest.json: not" in capsys.readouterr().err
