"""The command `xlatperf`."""

from __future__ import annotations

import sys

import typer
from rich.console import Console

import xlatperf
from xlatperf.commands.check import check
from xlatperf.commands.compare import compare
from xlatperf.commands.exits import Exit, code_of, tell, with_exit_code
from xlatperf.commands.init import init
from xlatperf.commands.probe import probe
from xlatperf.commands.report import report
from xlatperf.commands.run import run
from xlatperf.commands.selftest import selftest
from xlatperf.commands.show import show
from xlatperf.commands.softwires import softwires
from xlatperf.run.session import signals_as_exceptions

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Measures gateways between IPv4 and IPv6 (RFC 8219, RFC 9693). Exit codes: 0 done, 1 a measurement "
    "failed, 2 your "
    "error, 3 the Tester's.",
)
for command in (probe, init, show, softwires, check, run, selftest, report, compare):
    app.command()(with_exit_code(command))


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
    try:
        with signals_as_exceptions():
            app(args=arguments, prog_name="xlatperf")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else Exit.DONE
    except BrokenPipeError:
        return Exit.DONE
    except BaseException as error:  # noqa: BLE001 - every failure becomes a line and an exit code
        tell(error, Console(stderr=True))
        return code_of(error)
    return Exit.DONE


def main() -> None:
    """Entry point."""
    sys.exit(run_app())
