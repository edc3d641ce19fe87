"""A bad message gets one line that says what is wrong with it, and the engine goes on."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator

import pytest

from tests.engine_system.engine_process import ENGINE, EngineProcess, engine
from tests.engine_system.messages import SIIT, configuration


@pytest.fixture(scope="module")
def idle() -> Iterator[EngineProcess]:
    with engine() as one:
        yield one


BAD_LINES: list[tuple[str | bytes, str]] = [
    ("nonsense", "this line is not JSON: nonsense"),
    ("{", "this line is not JSON: {"),
    ('{"request": "show"', "this line is not JSON"),
    (b'\xff\xfe{"request"', "this line is not JSON"),
    ("[1, 2]", "this line is not a JSON object: [1, 2]"),
    ("5", "this line is not a JSON object: 5"),
    ('"show"', "this line is not a JSON object"),
    ("null", "this line is not a JSON object"),
    ("{}", "request: missing"),
    ('{"request": 5}', "request: missing"),
    ('{"request": "tiral"}', 'request: "tiral" is unknown, the nearest is "trial"'),
    ('{"request": "zzzzzzzz"}', 'request: "zzzzzzzz" is unknown'),
    ('{"request": "a\\nb"}', 'request: "a\\nb" is unknown'),
    ('{"request": "resolve", "timeout": 1}', "resolve.timeout: unknown key, the nearest is timeout_s"),
    ('{"request": "resolve", "a\\nb": 1}', "resolve.a\\nb: unknown key"),
    ('{"request": "resolve", "timeout_s": 1e9}', "resolve.timeout_s: 1000000000.0 is not allowed: 0.01 to 600"),
    ('{"request": "trial", "frame_size": 84, "rate_fps": 0, "duration_s": 1}', "trial.rate_fps: 0 is not allowed"),
    (
        '{"request": "trial", "frame_size": 84, "rate_fps": 1e9, "duration_s": 1100}',
        "trial.rates: with more than 2^40 frames in each direction is not allowed: fewer: their numbers have 40 bits",
    ),
    ('{"request": "show", "frame_size": "84"}', 'show.frame_size: "84" is not allowed: whole numbers, 60 to 16000'),
    (
        '{"request": "show", "frame_size": ' + "[" * 100_000 + "]" * 100_000 + "}",
        "show.frame_size: [...] is not allowed",
    ),
    ('{"request": "' + "x" * 100_000 + '"}', 'request: "xxx'),
    ('{"request": "open", "left": {"port": 1}}', "open.left.port: 1 is not allowed: a string"),
    ('{"request": "configure"}', "configure."),
]


@pytest.mark.parametrize(("line", "error"), BAD_LINES, ids=[str(i) for i in range(len(BAD_LINES))])
def test_bad_lines(idle: EngineProcess, line: str | bytes, error: str) -> None:
    found = idle.error(line)
    assert found.startswith(error)
    assert len(found) < 400
    assert idle.do("stop", id=7)["id"] == 7
    assert idle.is_silent()


def test_a_line_that_is_too_long(idle: EngineProcess) -> None:
    assert idle.error('{"request": "' + "x" * (17 << 20) + '"}').startswith(
        "this line is not JSON: (a line that is too long)"
    )
    assert idle.do("stop") == {"response": "stop"}
    assert idle.is_silent()


def test_the_id_is_repeated_with_errors_too(idle: EngineProcess) -> None:
    idle.send('{"request": "resolve", "id": -3, "x": 1}\n{"request": "show", "id": 9223372036854775807}\n')
    assert idle.receive()["id"] == -3
    assert idle.receive()["id"] == 9223372036854775807
    idle.send('{"request": "stop", "id": "text"}\n')
    assert "id" not in idle.receive()


def test_order() -> None:
    with engine() as one:
        show = '{"request": "show", "frame_size": 84}'
        assert one.error(show) == 'request: there is no configuration yet: send "configure" first'
        assert "no configuration" in one.error('{"request": "describe"}')
        one.do("configure", **SIIT)
        for request in ({"request": "resolve"}, {"request": "trial", "frame_size": 84, "rate_fps": 1, "duration_s": 1}):
            assert one.error(json.dumps(request)) == 'request: the ports aren\'t open: send "open" first'
        one.do("show", frame_size=84)
        before = one.do("describe")
        assert one.error(json.dumps({"request": "configure", **configuration(traffic={"hop_limit": 1})})).startswith(
            "configure.traffic.hop_limit: 1 is not allowed"
        )
        assert one.do("describe") == before, "a bad configuration doesn't replace a good one"


def test_blank_lines_are_nothing(idle: EngineProcess) -> None:
    idle.send('\n  \n\t\r\n{"request": "stop", "id": 1}\n')
    assert idle.receive() == {"id": 1, "response": "stop"}
    assert idle.is_silent()


@pytest.mark.parametrize("ending", ["quit", "end of file", "half a line"])
def test_endings(ending: str) -> None:
    with engine() as one:
        if ending == "quit":
            assert one.ask("quit") == {"response": "quit"}
        else:
            one.send("" if ending == "end of file" else '{"request": "stop", "id": 4}')
            one.end_input()
        assert one.wait(5) == 0
        if ending == "half a line":
            assert one.receive() == {"id": 4, "response": "stop"}


def test_arguments() -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([str(ENGINE), *arguments], capture_output=True, text=True, timeout=10, check=False)

    page = run("--help")
    assert page.returncode == 0
    for name in ("open", "configure", "describe", "show", "resolve", "trial", "stop", "quit"):
        assert f"\n{name}: " in page.stdout
    assert run("--version").stdout.strip() == "0.2.0"
    wrong = run("--verbose")
    assert wrong.returncode == 2
    assert wrong.stderr.count("\n") == 1
    assert "--verbose" in wrong.stderr
