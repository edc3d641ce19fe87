"""`xlatperf probe`: what this host can do, and what to do about what it can't."""

from __future__ import annotations

import importlib
from typing import Annotated

import typer

from xlatperf.commands.exits import UserError


def probe(
    ports: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PORT]...", help="Open these ports, and say what they can do for pacing and time stamps."
        ),
    ] = None,
) -> None:
    """Say what this host can do, and what to do about what it can't; or what its ports can."""
    try:
        module = importlib.import_module("xlatperf.probe")
    except ModuleNotFoundError as error:
        if error.name != "xlatperf.probe":
            raise
        raise UserError("probe: this installation has no xlatperf.probe") from error
    for line in module.main(ports or ()):
        typer.echo(f"{line.state:8} {line.subject}: {line.text}")
        if line.advice:
            typer.echo(f"{'':8} -> {line.advice}")
