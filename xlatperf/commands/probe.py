"""`xlatperf probe`: what this host can do, and what to do about what it can't."""

from __future__ import annotations

import platform
from typing import Annotated

import typer

from xlatperf.commands.probe_report import report
from xlatperf.probe.survey import main
from xlatperf.run.environment import host, software


def probe(
    ports: Annotated[
        list[str] | None,
        typer.Argument(metavar="PORT", help="Open these ports, and say what they can do for pacing and time stamps."),
    ] = None,
    for_issue: Annotated[
        bool,
        typer.Option(
            "--report",
            help="For an issue: this host, versions and all findings; no host's name, no addresses, no serial numbers.",
        ),
    ] = False,
) -> None:
    """Say what this host can do, and what to do about what it can't; or what its ports can."""
    found = main(ports or ())
    if for_issue:
        for text in report(host(), software(), _release(), found):
            typer.echo(text)
        return
    for line in found:
        typer.echo(f"{line.state:8} {line.subject}: {line.text}")
        if line.advice:
            typer.echo(f"{'':8} -> {line.advice}")


def _release() -> str:
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except OSError:
        return platform.system()
