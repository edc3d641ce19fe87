"""Writes xlatperf(1) from the commands' own help: python -m docs.man_page FILE (scripts/make-stage.sh)."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

import xlatperf
from xlatperf.commands.app import app, register

_EXIT_STATUS = {
    "0": "done",
    "1": "a measurement failed",
    "2": "a mistake in the bench file or the arguments; one line names the place, the value and what is allowed",
    "3": "the Tester failed",
    "128 + n": "ended by signal n",
}
_ENVIRONMENT = {
    "XLATPERF_ENGINE": "path of another engine",
    "XLATPERF_REFERENCE": "path of another reference device",
    "XLATPERF_RUNTIME": "folder for sockets and what has to be cleaned up; else below /run",
    "XLATPERF_CACHE": "folder for the virtual machine's image; else below the user's folder for caches",
    "XLATPERF_DEBUG": "if set, failures show where in the code they were",
}


def page() -> str:
    """The page, in the macros of man(7)."""
    register([])
    command: Any = typer.main.get_command(app)
    lines = [
        f'.TH XLATPERF 1 "" "xlatperf {xlatperf.__version__}" "User Commands"',
        ".SH NAME",
        _plain("xlatperf - measures gateways between IPv4 and IPv6 (RFC 8219, RFC 9693)"),
        ".SH SYNOPSIS",
        ".B xlatperf",
        ".I COMMAND",
        "[OPTIONS] [ARGUMENTS]",
        ".SH DESCRIPTION",
        _plain(
            "A Tester for devices that translate or encapsulate: it sends frames into a device on one side, receives "
            "what comes out on the other, and compares every frame with what the standards say it must be."
        ),
        ".SH COMMANDS",
    ]
    for name, one in command.commands.items():
        lines += _command(name, one)
    lines += [".SH EXIT STATUS", *_list(_EXIT_STATUS), ".SH ENVIRONMENT", *_list(_ENVIRONMENT)]
    lines += [".SH SEE ALSO", _plain("The documentation: /usr/share/doc/xlatperf, or docs/ of the sources."), ""]
    return "\n".join(lines)


def _command(name: str, command: Any) -> Iterator[str]:
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    yield f'.SS "{_plain(" ".join((name, *map(_argument, arguments))))}"'
    yield from _paragraphs(command.help or "")
    for one in command.params:
        if one.param_type_name == "argument":
            yield from _item(f"\\fI{_plain(_shown(one))}\\fR", one.help)
        else:
            names = ", ".join(f"\\fB{_plain(spelling)}\\fR" for spelling in (*one.opts, *one.secondary_opts))
            value = "" if one.is_flag else f" \\fI{_plain(one.metavar or one.name.upper())}\\fR"
            yield from _item(names + value, one.help)


def _argument(one: Any) -> str:
    text = _shown(one) + ("..." if one.nargs != 1 and "..." not in _shown(one) else "")
    return text if one.required else f"[{text}]"


def _shown(argument: Any) -> str:
    return str(argument.metavar or argument.name.upper())


def _paragraphs(text: str) -> Iterator[str]:
    for number, paragraph in enumerate(inspect.cleandoc(text).split("\n\n")):
        if number:
            yield ".PP"
        yield _plain(" ".join(paragraph.split()))


def _item(head: str, text: str | None) -> Iterator[str]:
    yield ".TP"
    yield head
    yield _plain(" ".join((text or "").split()))


def _list(items: dict[str, str]) -> Iterator[str]:
    for head, text in items.items():
        yield from _item(f"\\fB{_plain(head)}\\fR", text)


def _plain(text: str) -> str:
    escaped = text.replace("\\", "\\(rs").replace("-", "\\-").replace('"', "\\(dq")
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")
