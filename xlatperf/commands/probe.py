"""`xlatperf probe`: what this host can do, and what to do about what it can't."""

from __future__ import annotations

from typing import Annotated

import typer

from xlatperf.probe.survey import main


def probe(
    ports: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PORT]...", help="Open these ports, and say what they can do for pacing and time stamps."
        ),
    ] = None,
) -> None:
    """Say what this host can do, and what to do about what it can't; or what its ports can."""
    for line in main(ports or ()):
        typer.echo(f"{line.state:8} {line.subject}: {line.text}")
        if line.advice:
            typer.echo(f"{'':8} -> {line.advice}")
