"""The command `xlatperf`."""

from __future__ import annotations

import gc
import io
import sys
from collections.abc import Sequence
from importlib import import_module

import typer

import xlatperf
from xlatperf.commands.completion import typed
from xlatperf.commands.exits import ended, with_exit_code
from xlatperf.commands.screen import screen
from xlatperf.failures import Exit
from xlatperf.run.signals import signals_as_exceptions

_NAMES = ("probe", "init", "import", "show", "softwires", "check", "plan", "run", "selftest", "report", "compare")
COMMANDS = {name: "import_file" if name == "import" else name for name in _NAMES}
"""In the order of the help; each is a function in the module of its own name."""

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Measures gateways between IPv4 and IPv6 (RFC 8219, RFC 9693). Exit codes: 0 done, 1 a measurement "
    "failed, 2 your "
    "error, 3 the Tester's.",
)


def register(arguments: Sequence[str]) -> None:
    """The one that is called, so that nothing is imported that it doesn't need; all of them for help and errors."""
    app.registered_commands.clear()
    gc.disable()  # of what is imported nothing is garbage: a tenth of the time went into looking for it
    try:
        for name in COMMANDS if arguments[:1] == [] or arguments[0] not in COMMANDS else arguments[:1]:
            function = COMMANDS[name]
            app.command(name)(with_exit_code(getattr(import_module(f"xlatperf.commands.{function}"), function)))
    finally:
        gc.enable()


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"xlatperf {xlatperf.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version and end."
    ),
) -> None:
    """Measures gateways between IPv4 and IPv6 (RFC 8219, RFC 9693).

    Exit codes: 0 done, 1 a measurement failed, 2 your error, 3 the Tester's.
    """


def run_app(arguments: list[str] | None = None) -> int:
    """Runs a command; its exit code."""
    for stream in (sys.stdout, sys.stderr):  # forced to ASCII, they would break on the first µ
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        with signals_as_exceptions():
            asked = typed()
            register((sys.argv[1:] if arguments is None else arguments) if asked is None else asked)
            app(args=arguments, prog_name="xlatperf")
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError):  # Typer makes a 1 of it
            return ended(end.__context__, screen(stderr=True))
        return end.code if isinstance(end.code, int) else Exit.DONE
    except BaseException as error:  # noqa: BLE001 - every failure becomes a line and an exit code
        return ended(error, screen(stderr=True))
    return Exit.DONE


def main() -> None:
    """Entry point."""
    sys.exit(run_app())
