"""The bench of one trial: a configuration of siitperf or Maptperf, what stands beside it, and the arguments."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from xlatperf.config.bench import Bench
from xlatperf.config.errors import BenchError
from xlatperf.config.load import bench_of_tables, located
from xlatperf.dropin.arguments import Arguments, Kind
from xlatperf.files.reading import BENCH_BYTES, read_text, why
from xlatperf.imports.bench_text import in_words
from xlatperf.imports.formats import Format, import_file
from xlatperf.keys.not_allowed import not_allowed
from xlatperf.technologies import registry

_KEPT = ("learning_wait_s", "retries")
"""Keys of a measure beside the configuration that the arguments don't say."""
_IPV4_IS_SMALLER = 20


class Tables(NamedTuple):
    """A bench file's, and lines about what isn't taken over of the configuration though it matters."""

    tables: dict[str, Any]
    told: list[str]


def tables_of(configuration: Path, wanted: Format) -> Tables:
    """What `xlatperf import` makes of it, and in its stead what FILE.toml beside FILE.conf has.

    That file says which ports there are, or which device: neither is in the configuration. Raises BenchError, OSError.
    """
    try:
        imported = import_file(configuration, wanted, None)
    except UnicodeDecodeError as error:
        raise BenchError([f"{configuration}: can't be read: {why(error)}"]) from error
    except ValueError as error:
        raise BenchError([f"{configuration}: {error}"]) from error
    tables = tomllib.loads(imported.text)
    beside = configuration.with_suffix(".toml")
    if not beside.exists():
        raise BenchError(
            [f"{beside}: missing: the ports or the device, such as device.driver and tester.left.port: docs/imports.md"]
        )
    try:
        own = tomllib.loads(read_text(beside, BENCH_BYTES).removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        raise BenchError([f"{beside}: not TOML: {' '.join(str(error).split())}"]) from error
    except UnicodeDecodeError as error:
        raise BenchError([f"{beside}: can't be read: {why(error)}"]) from error
    measures = [{**_measure_of(tables), **{name: value for name, value in _measure_of(own).items() if name in _KEPT}}]
    lines = in_words(one for one in imported.left_out if one.matters)
    told = [f"{configuration}: not taken over: {line}" for line in lines]
    told += _not_used(own, beside)
    return Tables({**_merged(tables, own), "measure": measures}, told)


def _measure_of(tables: Mapping[str, Any]) -> dict[str, Any]:
    """The last one, or none."""
    given = tables.get("measure")
    return given[-1] if isinstance(given, list) and given and isinstance(given[-1], dict) else {}


def _not_used(own: Mapping[str, Any], beside: Path) -> Iterator[str]:
    """What these programs don't look at in the file beside the configuration."""
    given = own.get("measure")
    if isinstance(given, list) and len(given) > 1:
        yield f"{beside}: of {len(given)} tables [[measure]] the last one counts"
    names = [name for name in _measure_of(own) if name not in _KEPT]
    if names:
        yield f"{beside}: not used: measure's {', '.join(names)}: the arguments say what is measured"


def is_stateful(tables: Mapping[str, Any]) -> bool:
    """Whether the programs have the arguments of stateful tests."""
    technology = tables.get("technology")
    model = registry.of(technology) if isinstance(technology, dict) else None
    return model is not None and model.stateful


def bench_of(tables: dict[str, Any], arguments: Arguments, configuration: Path) -> Bench:
    """With one measure, whose trial has the arguments' rate. Raises BenchError."""
    traffic = tables.setdefault("traffic", {})
    if isinstance(traffic, dict):
        traffic["mix"] = [list(arguments.mix)]
        traffic.setdefault("hops", "learn")  # these programs look at no hop limit
    beside = configuration.with_suffix(".toml")
    bench = bench_of_tables(
        {**tables, "measure": [_measure(tables, arguments, configuration)]}, f"{configuration}, {beside}"
    )
    return located(bench, configuration.parent)


def _measure(tables: Mapping[str, Any], arguments: Arguments, configuration: Path) -> dict[str, Any]:
    known = _measure_of(tables)
    of_phase_1 = known.get("procedure") == "establishment"
    if of_phase_1 and arguments.kind is not Kind.THROUGHPUT:
        allowed = "1 in one of them: of phase 1 alone no delays are measured"
        raise BenchError([not_allowed(f"{configuration}: Forward, Reverse", 0, allowed)])
    traffic = tables.get("traffic")
    of_ipv4 = isinstance(traffic, dict) and traffic.get("frame_size_of") == "ipv4"
    rate = float(arguments.rate_fps)
    measure: dict[str, Any] = {
        **{name: known[name] for name in (*_KEPT, "direction") if name in known},
        "frame_sizes": [arguments.ipv6_size - (_IPV4_IS_SMALLER if of_ipv4 else 0)],
        "timeout_s": arguments.timeout_ms / 1000,
        "repetitions": 1,
    }
    if arguments.connections is not None:
        measure["connections"] = [arguments.connections.count]
    if of_phase_1:
        return {**measure, "procedure": "establishment"}
    measure["duration_s"] = float(arguments.duration_s)
    if arguments.connections is not None:
        measure["establish_fps"] = float(arguments.connections.establish_fps)
    if arguments.frame_timeout_ms:
        measure["frame_timeout_ms"] = float(arguments.frame_timeout_ms)
    if arguments.kind is Kind.THROUGHPUT or arguments.frame_timeout_ms:
        return {**measure, "procedure": "frame_loss", "rates_fps": [rate]}
    return {**measure, "procedure": "latency" if arguments.kind is Kind.LATENCY else "pdv", "rate_fps": rate}


def _merged(below: dict[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Tables are joined, all else is replaced."""
    merged = dict(below)
    for name, value in above.items():
        known = merged.get(name)
        merged[name] = _merged(known, value) if isinstance(known, dict) and isinstance(value, dict) else value
    return merged
