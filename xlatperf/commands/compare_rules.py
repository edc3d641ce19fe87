"""`xlatperf compare` of files that `xlatperf check --all --output` wrote."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pydantic import ValidationError

from xlatperf.commands.exits import UserError
from xlatperf.conformance.record import ConformanceRecord
from xlatperf.files.reading import MEGABYTE, parse_json, read_text, why
from xlatperf.report.comparison import rules_page


def is_rules(path: Path) -> bool:
    """Whether it is such a file by its name; else it is a campaign's folder."""
    return path.suffix == ".json" and not path.is_dir()


def compare_rules(paths: Sequence[Path], output: Path) -> list[Path]:
    """Writes the page and the table; their paths. Raises UserError, OSError."""
    for path in paths:
        if not path.exists():
            raise UserError(f"{path}: can't be read: it isn't there")
        if not is_rules(path):
            raise UserError(f"compare: {path}: beside files of check --all --output only such files (.json)")
    return rules_page.write([(path, _read(path)) for path in paths], output)


def _read(path: Path) -> ConformanceRecord:
    try:
        return ConformanceRecord.model_validate(parse_json(read_text(path, MEGABYTE)))
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: can't be read: {why(error)}") from error
    except ValidationError as error:
        first = error.errors()[0]
        what = "not a table of JSON" if first["type"] == "model_type" else first["msg"]
        told = ": ".join(filter(None, (".".join(map(str, first["loc"])), what)))
        raise UserError(f"{path}: not a file of check --all --output: {told}") from error
    except ValueError as error:
        raise UserError(f"{path}: not JSON: {error}") from error
