"""`xlatperf init`: writes a commented bench file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from xlatperf.commands import paths
from xlatperf.commands.exits import UserError
from xlatperf.commands.new_files import write_new
from xlatperf.config.template import template
from xlatperf.keys.not_allowed import not_allowed
from xlatperf.technologies.registry import TEMPLATES


def init(
    technology: Annotated[
        str, typer.Argument(help="One of: " + ", ".join(TEMPLATES) + ".", autocompletion=lambda: list(TEMPLATES))
    ],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", parser=paths.path, help="File to write; without it, standard output."),
    ] = None,
) -> None:
    """Write a commented bench file for a technology: every key, its default, what is allowed, where it comes from."""
    if technology not in TEMPLATES:
        raise UserError(not_allowed("init", technology, ", ".join(TEMPLATES)))
    text = template(technology)
    if output is None:
        typer.echo(text, nl=False)
        return
    write_new({output: text})
