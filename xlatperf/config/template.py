"""Writes a commented bench file for a technology, derived from the models: every key with its default."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterator

from xlatperf.config.bench import Bench
from xlatperf.config.defaults import fill
from xlatperf.config.describe import allowed_values, models_of, tag_of
from xlatperf.devices.driver import Driver
from xlatperf.devices.manual import Manual
from xlatperf.devices.registry import DRIVERS
from xlatperf.keys.model import ConfigModel
from xlatperf.keys.toml_text import toml_value
from xlatperf.procedures.procedure import Procedure
from xlatperf.procedures.registry import PROCEDURES
from xlatperf.technologies.registry import TEMPLATES, of

_CONNECTIONS = [10_000]
_OF_CONNECTIONS = ("clear_", "count_", "set_table_")
"""Keys of `manual` for a DUT that has any."""


def _offered(stateful: bool) -> Iterator[type[Procedure]]:
    """Those that a DUT with or without state can have."""
    for one in PROCEDURES:
        if one.facts.not_with_connections is None if stateful else not one.facts.of_connections:
            yield one


def not_with(bench: Bench) -> frozenset[str]:
    """Places that a bench file for this technology must not have."""
    without_hosts = {f"traffic.{side}.hosts" for side in ("left", "right") if side not in bench.technology.hosts}
    if bench.technology.stateful:
        return frozenset(without_hosts)
    of_measures = ("connections", "establish_fps", "establish_share", "phase_1_loss_tolerance")
    return frozenset({"traffic.connections", *without_hosts, *(f"measure.{name}" for name in of_measures)})


def _comment(description: str, allowed: str, source: str) -> list[str]:
    text = description[:1].upper() + description[1:] + f". Allowed: {allowed}."
    if source:
        text += f" Source: {source}."
    return textwrap.wrap(text, 118, initial_indent="# ", subsequent_indent="#   ")


def _table(model: ConfigModel, heading: str, left_out: Collection[str] = ()) -> list[str]:
    """One table: its keys, then the tables in it; without those places that this technology has not."""
    lines = [f"[{heading}]"] if not heading.startswith("[[") else [heading]
    below: list[str] = []
    inner = heading.strip("[]")
    tag = tag_of(type(model))
    fields = sorted(type(model).model_fields.items(), key=lambda item: tag is None or item[0] != tag[0])
    for name, field in fields:  # what kind of table it is comes first
        value = getattr(model, name)
        if f"{inner}.{name}" in left_out:
            continue
        if isinstance(value, ConfigModel):
            below += ["", *_table(value, f"{inner}.{name}", left_out)]
            continue
        extra = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
        if tag and tag[0] == name:
            lines.append(f"{name} = {toml_value(value)}")
            continue
        lines += _comment(field.description or "", allowed_values(field), str(extra.get("source") or ""))
        lines.append(f"# {name} =" if value is None else f"{name} = {toml_value(value)}")
    return lines + below


def _device(device: Driver, stateful: bool) -> Iterator[str]:
    """Its keys, and those of `manual`; those of other drivers are in the docs."""
    yield "[device]"
    yield "# Who sets the DUT up, and what it is:"
    yield from (f"#   {model.named():<15} {model.what}" for model in DRIVERS)
    yield f"driver = {toml_value(device.driver)}"
    yield "# Each driver has further keys: docs/bench-file.md. These are the ones of manual:"
    manual = Manual(driver="manual")
    for name, field in Manual.model_fields.items():
        if name != "driver" and (stateful or not name.startswith(_OF_CONNECTIONS)):
            value = getattr(manual, name)
            extra = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
            yield from _comment(field.description or "", allowed_values(field), str(extra.get("source") or ""))
            yield f"# {name} =" if value is None else f"# {name} = {toml_value(value)}"


def template(technology: str) -> str:
    """The bench file's text. KeyError for a technology that has none."""
    start = TEMPLATES[technology]
    model = of(start["technology"])
    stateful = model is not None and model.stateful
    usual = [{"procedure": one.named()} for one in _offered(stateful) if one.facts.usual]
    measures = [{**one, "connections": _CONNECTIONS} for one in usual] if stateful else usual
    bench = Bench.model_validate(fill({**start, "measure": measures}))
    left_out = not_with(bench)
    lines = [
        f"# A bench file of xlatperf for {technology}. Every key is here with its default; what you delete keeps it.",
        "# Rates are frames per second per direction. Frame sizes count the FCS (RFC 1242 §3.5).",
        "# Three lines make it your own device's: port in [tester.left] and in [tester.right], without the # in front,",
        '# and driver = "manual" in [device].',
        "",
        '# title = "a title for the report"',
    ]
    for name, field in Bench.model_fields.items():
        value = getattr(bench, name)
        if name == "measure":
            for measure in value:
                lines += ["", *_table(measure, "[[measure]]", left_out)]
            lines += [
                "",
                "# Further measures, at the throughput found for the same frames; docs/bench-file.md has their keys.",
                *(f'# [[measure]]\n# procedure = "{one.named()}"' for one in _offered(stateful) if not one.facts.usual),
            ]
        elif name == "column":
            lines += ["", '# [[column]]: columns of tables, for measures with columns = "all"; docs/bench-file.md.']
        elif name == "device":
            lines += ["", *_device(value, stateful)]
        elif models_of(field.annotation):
            lines += ["", *_table(value, name, left_out)]
    return "\n".join(lines) + "\n"
