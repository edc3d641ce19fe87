"""Writes the tables of technologies, here and in README.md, from the models: python -m docs.technologies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from pydantic import ValidationError

from docs.marked import Marked
from xlatperf.config.bench import Bench
from xlatperf.config.defaults import fill
from xlatperf.config.negative_tests import negative_tests_of
from xlatperf.keys.toml_text import toml_value
from xlatperf.procedures.procedure import Procedure
from xlatperf.procedures.registry import PROCEDURES
from xlatperf.technologies.registry import BY_NAME, AnyTechnology

_MARK = "<!-- The table is written by docs/technologies.py from the models in xlatperf/technologies. -->"
_END = "<!-- end of the table -->"
PAGE = Marked(Path(__file__).with_name("technologies.md"), _MARK, _END)
README = Marked(Path(__file__).parents[1] / "README.md", _MARK, _END)
CHOICES = ("role", "family", "ipv6_side", "double_translation", "hairpinning", "mesh")
"""Keys that make another device of a technology."""
PAGES = {
    "map-e": "map-e",
    "map-t": "map-t",
    "map-e-ce": "map-ce",
    "map-t-ce": "map-ce",
    "lw4o6": "lw4o6",
    "lw4o6-b4": "lw4o6",
    "dslite": "dslite",
    "dslite-b4": "dslite",
}
ALSO = {
    'siit, ipv6_side = "right"': "the CLAT of 464XLAT (RFC 6877)",
    "nat64": "the PLAT of 464XLAT",
    "nat44, double_translation = true": "464XLAT, CLAT and PLAT together",
    'native, family = "ipv4", double_translation = true': "two SIIT gateways in a row",
}
_NEEDED: Mapping[str, Any] = {
    "connections": [10],
    "establish_fps": 1000,
    "event": "manual",
    "rate_fps": 1000,
    "rates_fps": [1000],
    "reset_of": "power",
    "throughput_fps": 1000,
}
"""Keys by which a measure needs no other one beside it."""
_OF_CONNECTIONS = ("connections", "establish_fps")


@dataclass(frozen=True)
class Device:
    """What the DUT can be: a technology and what was chosen of its keys."""

    chosen: Mapping[str, Any]
    bench: Bench

    @property
    def technology(self) -> AnyTechnology:
        """As the models make it of these keys alone."""
        return self.bench.technology

    @property
    def name(self) -> str:
        """As the bench file has it."""
        keys = [f"{name} = {toml_value(value)}" for name, value in self.chosen.items() if name != "name"]
        return ", ".join([self.technology.name, *keys])


def devices() -> Iterator[Device]:
    """All of them: each combination of choices that a bench file may have."""
    for name, model in BY_NAME.items():
        tables: list[dict[str, Any]] = [{"name": name}]
        for key in CHOICES:
            if key not in model.model_fields:
                continue
            values = get_args(model.model_fields[key].annotation) or (None, True)  # a truth is only told if it's true
            tables = [{**table, **({key: value} if value is not None else {})} for table in tables for value in values]
        for table in tables:
            try:
                yield Device(table, _bench(table))
            except ValidationError:
                continue


def _bench(table: Mapping[str, Any], *measures: Mapping[str, Any]) -> Bench:
    return Bench.model_validate(fill({"technology": dict(table), "measure": [dict(one) for one in measures]}))


def sides(device: Device) -> str:
    """What is on the links: IPv4, IPv6, tunnels."""
    left, right = device.technology.families
    words = {4: "IPv4", 6: "IPv4 in IPv6" if device.technology.encapsulated is not None else "IPv6"}
    if device.technology.hairpins:
        return f"{words[left]}, out and back"
    return f"{words[left]} / {words[right]}"


def verified(device: Device) -> str:
    """Beyond each field of each frame."""
    technology = device.technology
    found = []
    if technology.encapsulated is not None:
        found.append("outer headers (RFC 2473)")
    back_as_ipv6 = technology.hairpins and technology.encapsulated is None
    if technology.remakes_ipv4 or technology.translation_prefix is not None or back_as_ipv6:
        found.append("translated headers (RFC 7915)")
    if technology.possible_subscribers is not None:
        found.append("addresses and ports of each subscriber")
    if technology.stateful:
        found.append("mappings: in the pool, the same, nobody else's (RFC 4787, RFC 6146)")
    return "; ".join(found) or "hop limits (RFC 1812)"


def procedures(device: Device) -> list[type[Procedure]]:
    """Those that a bench file of this technology may have: it's tried."""
    found = []
    for model in PROCEDURES:
        left_out = () if device.technology.stateful else _OF_CONNECTIONS
        keys = {key: value for key, value in _NEEDED.items() if key in model.model_fields and key not in left_out}
        if device.technology.hairpins and "direction" in model.model_fields:
            keys["direction"] = "forward"
        try:
            _bench(device.chosen, {"procedure": model.named(), **keys})
        except ValidationError:
            continue
        found.append(model)
    return found


def refusals(device: Device) -> list[str]:
    """Frames that the DUT must refuse, in words."""
    found = [
        f"{one.what} ({one.direction}, {one.basis}{', MUST' if one.must else ''})"
        for one in negative_tests_of(device.bench)
    ]
    return list(dict.fromkeys(found))


def table() -> str:
    """In Markdown: one row for each device."""
    lines = [
        "| `[technology]` | The DUT | Left / right | Verified | Procedures | Must refuse frames |",
        "|---|---|---|---|---|---|",
    ]
    for device in devices():
        also = f"; {ALSO[device.name]}" if device.name in ALSO else ""
        cells = [
            f"`{device.name}`",
            f"{device.technology.in_words(device.chosen)}{also}",
            sides(device),
            verified(device),
            ", ".join(one.named() for one in procedures(device)),
            "; ".join(refusals(device)) or "none",
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def short_table() -> str:
    """For the README: one row for each technology."""
    lines = ["| Technology | The DUT | Procedures | Negative tests |", "|---|---|---|---|"]
    everything = list(devices())
    for name in BY_NAME:
        own = [device for device in everything if device.technology.name == name]
        page = f"[`{name}`](docs/technologies/{PAGES[name]}.md)" if name in PAGES else f"`{name}`"
        chosen = [device.name.removeprefix(f"{name}, ") for device in own if device.name != name]
        also = [ALSO[device.name] for device in own if device.name in ALSO]
        what = own[0].technology.title + (f": `{'`, `'.join(chosen)}`" if chosen else "")
        numbers = sorted({sum(one.facts.of_an_rfc for one in procedures(device)) for device in own})
        others = dict.fromkeys(one.named() for device in own for one in procedures(device) if not one.facts.of_an_rfc)
        standard = "RFC 8219 and RFC 9693" if own[0].technology.stateful else "RFC 8219"
        refused = sorted({len(refusals(device)) for device in own})
        measured = ", ".join(["/".join(map(str, numbers)) + f" of {standard}", *others])
        *first, last = map(str, refused)
        tests = f"{', '.join(first)} or {last}" if first else last
        lines.append(f"| {page} | {'; '.join([what, *also])} | {measured} | {tests} |")
    return "\n".join(lines)


if __name__ == "__main__":
    PAGE.write(table())
    README.write(short_table())
