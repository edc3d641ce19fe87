"""Reads a bench file. Whatever is wrong becomes one line: file, place, value, what is allowed."""

from __future__ import annotations

import difflib
import re
import tomllib
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from xlatperf.config.bench import Bench
from xlatperf.config.check_rows import check_rows
from xlatperf.config.defaults import fill
from xlatperf.config.describe import MOST_OF_A_KEY, allowed_values, find_field, models_of, plain, tag_of
from xlatperf.config.errors import BenchError
from xlatperf.config.in_a_row import bench_of_two
from xlatperf.devices.in_a_row import InARowDriver
from xlatperf.devices.registry import NAMES as DRIVERS
from xlatperf.files.reading import BENCH_BYTES, read_text, why
from xlatperf.keys.in_words import either, shortened
from xlatperf.keys.not_allowed import not_allowed, says_where, toml

MOST_MEASURES = 1000
MOST_PARTS = 32
_MOST_BITS = 4096
_LONG_KEY = re.compile(rf"""(?<![\w-])(?:(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){{{MOST_PARTS}}}""")
"""TOML's reader takes a time that grows with the square of a key's parts."""


def load_bench(path: Path) -> Bench:
    """The bench of a file. Raises BenchError."""
    try:
        text = read_text(path, BENCH_BYTES)
    except (OSError, UnicodeDecodeError) as error:
        raise BenchError([f"{path}: can't be read: {why(error)}"]) from error
    except ValueError as error:  # of a name with a zero byte
        raise BenchError([f"{path!r}: can't be read: {error}"]) from error
    bench = located(parse_bench(text, str(path)), path.parent)
    try:
        for one in (bench, *(alone.bench for alone in bench.alone.values())):
            check_rows(one)
    except ValueError as error:
        raise BenchError([f"{path}: {error}"]) from error
    return bench


def located(bench: Bench, folder: Path) -> Bench:
    """The bench, files that it names being relative to that folder."""
    tester, device = bench.tester.located(folder), bench.device.located(folder)
    alone = {name: one._replace(bench=located(one.bench, folder)) for name, one in bench.alone.items()}
    bench = bench.model_copy(update={"tester": tester, "device": device, "report": bench.report.located(folder)})
    bench = bench.with_alone(alone) if alone else bench
    table = bench.technology.binding_table
    if table is None or table.table is None:
        return bench
    technology = bench.technology.with_binding_table(table.located(folder))
    return bench.model_copy(update={"technology": technology})


def parse_bench(text: str, name: str) -> Bench:
    """The bench of a file's text; `name` is what the errors call it. Raises BenchError."""
    if _LONG_KEY.search(text):
        raise BenchError([f"{name}: not TOML of a bench file: a key with {MOST_PARTS} dots or more"])
    try:
        raw = tomllib.loads(text.removeprefix("\ufeff"))  # a byte order mark, as some editors write
    except tomllib.TOMLDecodeError as error:
        raise BenchError([f"{name}: not TOML: {' '.join(str(error).split())}"]) from error
    except ValueError as error:
        raise BenchError([f"{name}: not TOML of a bench file: an integer with thousands of digits"]) from error
    except RecursionError as error:
        raise BenchError([f"{name}: not TOML of a bench file: its tables or lists are nested too deep"]) from error
    if isinstance(raw.get("device"), list) and raw["device"] and all(isinstance(one, dict) for one in raw["device"]):
        return bench_of_two(raw, name, bench_of_tables)
    if isinstance(raw.get("device"), dict) and raw["device"].get("driver") == InARowDriver.named():
        raise BenchError([f"{name}: {not_allowed('device.driver', toml(InARowDriver.named()), DRIVERS)}"])
    return bench_of_tables(raw, name)


def bench_of_tables(raw: dict[str, Any], name: str) -> Bench:
    """The bench of what a file has; `name` is what the errors call it. Raises BenchError."""
    if (impossible := _impossible(raw)) is not None:
        raise BenchError([f"{name}: {impossible}"])
    measures = raw.get("measure")
    if isinstance(measures, list) and len(measures) > MOST_MEASURES:
        raise BenchError(
            [f"{name}: {not_allowed('measure', f'{len(measures):,} tables', f'at most {MOST_MEASURES:,}')}"]
        )
    try:
        return Bench.model_validate(fill(raw))
    except ValidationError as error:
        lines: list[str] = []
        found = error.errors()
        others = [plain(details["loc"]) for details in found]
        for details in found:
            location = plain(details["loc"])
            if any(len(other) > len(location) and other[: len(location)] == location for other in others):
                continue  # a list is wrong because one of its items is
            line = f"{name}: {_line(details)}"
            if line not in lines:
                lines.append(line)
        raise BenchError(lines) from error


def _impossible(value: Any, place: str = "") -> str | None:
    """Where the first value is that nobody can use, and why."""
    if isinstance(value, str):
        return f"{place}: a text with a zero byte, which no name or command can have" if "\0" in value else None
    if isinstance(value, int):  # Python writes none that is longer; hexadecimal ones can be read
        return f"{place}: an integer with thousands of digits" if value.bit_length() > _MOST_BITS else None
    if isinstance(value, dict):
        names = ((shortened(name, MOST_OF_A_KEY), one) for name, one in value.items())
        inside = ((one, f"{place}.{name}" if place else name) for name, one in names)
    elif isinstance(value, list):
        inside = ((one, f"{place}[{index}]") for index, one in enumerate(value))
    else:
        return None
    return next((found for one, at in inside if (found := _impossible(one, at)) is not None), None)


def _line(details: ErrorDetails) -> str:
    """One line without the file's name."""
    place, field, known = find_field(details["loc"])
    kind, value = details["type"], details["input"]
    if kind == "extra_forbidden" or (field is None and known):
        return _unknown_key(place, known)
    allowed = allowed_values(field) if field is not None else ""
    if kind == "missing":
        return f"{place}: missing: {allowed}"
    if kind in ("union_tag_not_found", "union_tag_invalid"):
        return _tag(place, details, allowed)
    if kind == "value_error":
        message = details["msg"].removeprefix("Value error, ")
        if says_where(message):  # from a model: it begins with the place within the table
            return f"{place}.{message}" if place else message
        # From a type: either says what is allowed or, from ipaddress, what is wrong.
        if not allowed:
            allowed = message
    if kind == "too_long":
        context = details.get("ctx", {})
        return not_allowed(place, f"{context['actual_length']:,} of them", f"at most {context['max_length']:,}")
    if isinstance(value, dict) and not allowed.startswith(("a table", "tables")):
        return not_allowed(place, "a table", allowed)
    return not_allowed(place, toml(value), allowed or details["msg"])


def _unknown_key(place: str, known: list[str]) -> str:
    wrong = place.rpartition(".")[2]
    near = difflib.get_close_matches(wrong, known, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]}?" if near else "allowed are " + ", ".join(known)
    return f"{place}: unknown key: {hint}"


def _tag(place: str, details: ErrorDetails, allowed: str) -> str:
    """A table whose kind is not told or not known."""
    models = models_of(Bench.model_fields[place.partition("[")[0]].annotation)
    tags = [tag for model in models if (tag := tag_of(model))]
    name = tags[0][0]
    values = either([value for _, value in tags if value != InARowDriver.named()])
    given = details["input"]
    if not isinstance(given, dict):
        return not_allowed(place, toml(given), allowed)
    if name not in given:
        return f"{place}.{name}: missing: {values}"
    near = difflib.get_close_matches(str(given[name]), [value for _, value in tags], n=1, cutoff=0.5)
    hint = f" (did you mean {near[0]}?)" if near else ""
    return not_allowed(f"{place}.{name}", toml(given[name]), f"{values}{hint}")
