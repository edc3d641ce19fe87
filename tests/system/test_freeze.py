"""A device that freezes in the middle of a trial: what it lost then isn't its loss at that rate."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from tests.system.requirements import needs_root, needs_tayga
from tests.system.trials import RELAXED
from xlatperf.config.load import parse_bench
from xlatperf.devices.assembled import Assembled
from xlatperf.devices.reference import ReferenceDevice
from xlatperf.devices.tayga_process import TaygaProcess
from xlatperf.engine.client import Engine
from xlatperf.engine.messages import ResolveAnswer
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.meaning.no_answer import NoAnswer
from xlatperf.procedures.trial_request import FIRST_LOOK
from xlatperf.results.selftest_records import SelfTest
from xlatperf.run import answering
from xlatperf.run.campaign import run_campaign
from xlatperf.run.folder import CampaignFolder
from xlatperf.run.progress import PlainReporter
from xlatperf.run.session import session
from xlatperf.run.tester import EngineTester

BENCH = f"""
technology = {{ name = "native", family = "ipv4" }}
device.driver = "reference"
[[measure]]
procedure = "throughput"
frame_sizes = [84]
direction = "forward"
minimum_fps = 1000
maximum_fps = 2000
repetitions = 1
duration_s = 0.4
timeout_s = 0.1
settle_s = 0
learning_wait_s = 0
{RELAXED}
"""
FREEZES_AFTER_S = 0.2


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a second of silence is long enough where nothing is in between."""
    patient = Engine.resolve

    def resolve(self: Engine, timeout_s: float = 0.5) -> ResolveAnswer:
        return patient(self, timeout_s)

    monkeypatch.setattr(Engine, "resolve", resolve)
    monkeypatch.setattr(answering, "PATIENCE_S", 0.3)


def frozen_once(
    monkeypatch: pytest.MonkeyPatch, pid: int, for_s: float | None, connections: int | None = None
) -> list[TrialAnswer]:
    """The device stands still from the middle of the first trial on that opens so many connections; what the engine
    answered to it and to those behind it."""
    answers: list[TrialAnswer] = []
    trial = Engine.trial

    def stand_still() -> None:
        time.sleep(FREEZES_AFTER_S)
        os.kill(pid, signal.SIGSTOP)
        if for_s is not None:
            time.sleep(for_s)
            os.kill(pid, signal.SIGCONT)

    def disturbed(
        self: Engine, message: dict[str, object], meanwhile: Callable[[], None] = lambda: None
    ) -> TrialAnswer:
        told = message.get("connections")
        other = connections is not None and not (isinstance(told, dict) and told["count"] == connections)
        if not answers and (other or (connections is None and "fence" in message)):  # a negative test
            return trial(self, message, meanwhile)
        thread = threading.Thread(target=stand_still)
        begin = thread.start if not answers else meanwhile
        answers.append(trial(self, message, begin))
        return answers[-1]

    monkeypatch.setattr(Engine, "trial", disturbed)
    return answers


def campaign(path: Path, tester: EngineTester, text: str = BENCH) -> list[str]:
    """Runs it; the journal's lines."""
    bench = parse_bench(text, "bench.toml")
    with CampaignFolder(path, bench, text) as folder:
        run_campaign(folder, tester, SelfTest(), PlainReporter(Console(quiet=True)))
    return measured(path)


def measured(path: Path) -> list[str]:
    """The journal's lines, without the first look."""
    lines = (path / "journal.jsonl").read_text().splitlines()
    return [line for line in lines if json.loads(line)["request"]["purpose"] != FIRST_LOOK]


def test_measured_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes back: the trial in which it was away is none, and the result is that of the device."""
    monkeypatch.setattr(answering, "PATIENCE_S", 10.0)
    bench = parse_bench(BENCH, "bench.toml")
    with session(bench) as running:
        assert isinstance(running.device, ReferenceDevice)
        assert running.device.pid is not None
        answers = frozen_once(monkeypatch, running.device.pid, 1.2)
        tester = EngineTester(running.engine, bench, device=running.device)
        lines = campaign(tmp_path / "c", tester)
    first = answers[0].forward
    assert first is not None
    assert first.foreground.lost > 0
    assert len(lines) < len(answers), "frames that asked aren't in the journal"
    assert ["fell_silent" in line for line in lines] == [True, *[False] * (len(lines) - 1)]
    assert '"limited_by": "maximum"' in (tmp_path / "c" / "results.json").read_text()


def test_and_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It doesn't: the campaign ends; what it did is in the journal, and a resumed one measures the device."""
    bench = parse_bench(BENCH, "bench.toml")
    with session(bench) as running:
        assert isinstance(running.device, ReferenceDevice)
        pid = running.device.pid
        assert pid is not None
        with monkeypatch.context() as once:
            frozen_once(once, pid, None)
            with pytest.raises(NoAnswer, match="did not answer ARP"):
                campaign(tmp_path / "c", EngineTester(running.engine, bench, device=running.device))
        (died,) = measured(tmp_path / "c")
        assert [reason["code"] for reason in json.loads(died)["answer"]["reasons"]] == ["fell_silent"]
        os.kill(pid, signal.SIGCONT)
        assert campaign(tmp_path / "c", EngineTester(running.engine, bench, device=running.device))
    assert '"limited_by": "maximum"' in (tmp_path / "c" / "results.json").read_text()


def test_whose_address_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It isn't asked for it: a few frames tell that it stood still."""
    monkeypatch.setattr(answering, "PATIENCE_S", 10.0)
    bench = parse_bench(BENCH, "bench.toml")
    with session(bench) as running:
        assert isinstance(running.device, ReferenceDevice)
        assert running.device.pid is not None
        found = running.engine.resolve()
        given = "".join(
            f'tester.{side}.gateway_mac = "{families["ipv4"].mac}"\n'
            for side, families in (("left", found.left), ("right", found.right))
        )
        answers = frozen_once(monkeypatch, running.device.pid, 0.8)
        said: list[str] = []
        tester = EngineTester(
            running.engine, parse_bench(given + BENCH, "bench.toml"), say=said.append
        )  # and no driver that could tell
        lines = campaign(tmp_path / "c", tester)
    assert "the DUT forwarded none of 10 forward frames at 200 fps" in said[0]
    first = answers[0].forward
    assert first is not None
    assert first.foreground.lost > 0
    assert len(lines) < len(answers) - 1, "the frames that asked are not in the journal"
    assert '"limited_by": "maximum"' in (tmp_path / "c" / "results.json").read_text()


@needs_root
@needs_tayga
def test_the_kernel_answers_for_a_translator_that_stands_still(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was "limited by the DUT" at 640 fps, where it passes 48,000."""
    monkeypatch.setattr(answering, "PATIENCE_S", 10.0)
    text = BENCH.replace('name = "native", family = "ipv4"', 'name = "siit"').replace('"reference"', '"tayga"')
    text = "traffic.hops = 3\n" + text
    bench = parse_bench(text, "bench.toml")
    said: list[str] = []
    with session(bench) as running:
        assert isinstance(running.device, Assembled)
        (tayga,) = (part for part in running.device.parts if isinstance(part, TaygaProcess))
        pid = tayga.daemon.pid
        assert pid is not None
        answers = frozen_once(monkeypatch, pid, 1.2)
        tester = EngineTester(running.engine, bench, device=running.device, say=said.append)
        lines = campaign(tmp_path / "c", tester, text)
    assert said == ["  a process of the DUT was stopped by somebody (a signal, a debugger); waiting up to 10 s for it"]
    assert answers[0].forward is not None
    assert answers[0].forward.foreground.lost > 0
    assert ["fell_silent" in line for line in lines].count(True) == 1
    assert '"limited_by": "maximum"' in (tmp_path / "c" / "results.json").read_text()


STATEFUL = f"""
technology.name = "nat44"
device.driver = "reference"
[[measure]]
procedure = "establishment"
frame_sizes = [84]
connections = [1000]
minimum_fps = 1000
maximum_fps = 2000
repetitions = 1
timeout_s = 0.1
settle_s = 0
learning_wait_s = 0
{RELAXED}
"""


def test_of_connections(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """RFC 9693 §4.4: one that answers late, as it stood still until then, didn't lose what it couldn't open."""
    patient = Engine.resolve
    monkeypatch.setattr(Engine, "resolve", lambda self, timeout_s=5.0: patient(self, 5.0))
    bench = parse_bench(STATEFUL, "bench.toml")
    with session(bench) as running:
        assert isinstance(running.device, ReferenceDevice)
        assert running.device.pid is not None
        answers = frozen_once(monkeypatch, running.device.pid, 1.5, connections=1000)
        tester = EngineTester(running.engine, bench, device=running.device)
        lines = campaign(tmp_path / "c", tester, STATEFUL)
    assert answers[0].forward is not None
    assert answers[0].forward.foreground.lost > 0
    entries = [json.loads(line)["answer"] for line in lines]
    opened = [one["forward"]["foreground"] for one in entries if one["valid"] and "forward" in one]
    assert [(one["sent"], one["expected"]) for one in opened] == [(1000, 1000)], "at the highest rate"
    assert [reason["code"] for one in entries for reason in one["reasons"]] == ["fell_silent"]
