"""The self-test over ports that the user joined by a cable: kept beside the bench file, for when the DUT is back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from xlatperf.config.bench import Bench
from xlatperf.engine.message import Message
from xlatperf.files.reading import parse_json, read_text
from xlatperf.files.writing import write_whole
from xlatperf.results.selftest_records import Cabled, SelfTest, SelfTestEntry
from xlatperf.run.environment import changes, flat, host, software
from xlatperf.run.folder import FolderError
from xlatperf.run.selftest import Choice, choices, of_choice

SAME = (
    *("device.namespace", "technology.name", "tester.host"),
    *("tester.cores", "tester.one_port", "tester.left.port", "tester.right.port"),
)
"""Without these it was another Tester, or other frames: the limit says nothing of this one."""


class CableFile(Message):
    """The file beside the bench file."""

    schema_version: Literal[1] = 1
    measured: str
    bench: dict[str, Any]
    host: dict[str, Any]
    software: dict[str, Any]
    entries: tuple[SelfTestEntry, ...]


def path_of(bench_file: Path) -> Path:
    """`isp.toml` has its self-test in `isp.selftest.json`."""
    return bench_file.with_suffix(".selftest.json")


def keep(bench_file: Path, bench: Bench, entries: Sequence[SelfTestEntry]) -> Path:
    """Writes what was measured over the ports, with all that it depends on. Raises FolderError."""
    path = path_of(bench_file)
    kept = CableFile(
        measured=datetime.now(UTC).isoformat(timespec="seconds"),
        bench=_conditions(bench),
        host=_host(bench),
        software=software(),
        entries=tuple(entry for entry in entries if entry.over == "ports"),
    )
    try:
        write_whole(path, kept.model_dump_json(indent=1) + "\n")
    except OSError as error:
        raise FolderError(f"{path}: can't be written: {error.strerror}") from error
    return path


def kept(bench_file: Path, bench: Bench) -> SelfTest:
    """What is known of the bench's ports from a cable, and how far it still holds. Raises FolderError."""
    path = path_of(bench_file)
    if not bench.device.users_own or not path.exists():
        return SelfTest()
    try:
        file = CableFile.model_validate(parse_json(read_text(path)))
    except (OSError, ValueError) as error:
        what = error.errors()[0]["msg"] if isinstance(error, ValidationError) else str(error)
        raise FolderError(
            f"{path}: not a self-test's result: {what}; delete it, or measure anew with a cable: "
            f"xlatperf selftest {bench_file} --cable"
        ) from error
    now = _conditions(bench)
    other = changes(*({name: conditions.get(name) for name in SAME} for conditions in (file.bench, now)))
    if other:
        return SelfTest(cabled=Cabled(measured=file.measured, why_not="; ".join(other)))
    wanted = choices(bench)
    entries = tuple(entry for entry in file.entries if any(of_choice(entry, choice) for choice in wanted))
    missing = [choice for choice in wanted if not any(of_choice(entry, choice) for entry in entries)]
    changed = changes(
        {"bench": file.bench, "host": file.host, "software": file.software},
        {"bench": now, "host": _host(bench), "software": software()},
    )
    return SelfTest(
        entries=entries,
        cabled=Cabled(
            measured=file.measured, changed=tuple(changed), not_measured=tuple(_in_words(choice) for choice in missing)
        ),
    )


def _host(bench: Bench) -> dict[str, Any]:
    """Of another one only its name is known here: `tester.host`."""
    return host() if bench.tester.host is None else {}


def _conditions(bench: Bench) -> dict[str, Any]:
    """The keys that frames and ports follow from, as the bench file names them."""
    document = bench.model_dump(mode="json", include={"technology", "traffic", "tester"})
    del document["tester"]["selftest_runs"]  # how often, not what
    return flat({**document, "device": bench.device.model_dump(mode="json", include={"namespace"})})


def _in_words(choice: Choice) -> str:
    return ", ".join(
        [
            f"{choice.mixed or choice.frame_size} bytes",
            choice.direction,
            *([choice.phase] if choice.phase is not None else []),
        ]
    )
