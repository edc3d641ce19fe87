"""What a shell is told when somebody presses TAB, and the scripts that make it ask."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from xlatperf.commands.app import COMMANDS, run_app

Asked = Callable[..., str]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Asked:
    def answer(**variables: str) -> str:
        with monkeypatch.context() as environment:
            for name, value in variables.items():
                environment.setenv(name, value)
            run_app([])
        output = capsys.readouterr()
        assert output.err == ""
        return output.out

    return answer


def in_bash(asked: Asked, line: str) -> list[str]:
    """What it offers at the end of `line`."""
    words = str(len(line.split(" ")) - 1)
    return asked(_XLATPERF_COMPLETE="complete_bash", COMP_WORDS=line, COMP_CWORD=words).split()


def test_bash_is_told(asked: Asked) -> None:
    assert in_bash(asked, "xlatperf ") == list(COMMANDS)
    assert in_bash(asked, "xlatperf se") == ["selftest"]
    assert in_bash(asked, "xlatperf run --skip") == ["--skip-selftest"]
    assert in_bash(asked, "xlatperf init map-t") == ["map-t", "map-t-ce"]
    assert in_bash(asked, "xlatperf run bench") == [], "files are the shell's"


def test_zsh_and_fish_are_told(asked: Asked) -> None:
    line = {"_TYPER_COMPLETE_ARGS": "xlatperf se"}
    assert '"selftest":"Measure the Tester' in asked(_XLATPERF_COMPLETE="complete_zsh", **line)
    fish = asked(_XLATPERF_COMPLETE="complete_fish", _TYPER_COMPLETE_FISH_ACTION="get-args", **line)
    assert fish.startswith("selftest\tMeasure the Tester")


@pytest.mark.parametrize(
    ("shell", "line"),
    [
        ("bash", "complete -o default -F _xlatperf_completion xlatperf"),
        ("zsh", "compdef _xlatperf_completion xlatperf"),
        ("fish", "complete --command xlatperf"),
    ],
)
def test_scripts(asked: Asked, shell: str, line: str) -> None:
    assert line in asked(_XLATPERF_COMPLETE=f"source_{shell}")
