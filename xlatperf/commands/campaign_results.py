"""The results in a campaign's folder, which may be anybody's, damaged, or changed by hand."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from xlatperf.commands.exits import UserError
from xlatperf.commands.row_folder import nothing_yet, refuse_row
from xlatperf.files.reading import read_text, why
from xlatperf.results.file import OtherVersion, ResultsChanged, read_results
from xlatperf.results.results import Results


def read_folder(folder: Path) -> Results:
    """The results of a campaign's folder. Raises UserError."""
    path = folder / "results.json"
    try:
        return read_results(read_text(path))
    except FileNotFoundError as error:
        if (folder / "bench.toml").is_file():
            raise UserError(nothing_yet(folder)) from error
        refuse_row(folder)
        raise UserError(f"{folder}: not a campaign's folder: results.json is missing") from error
    except OSError as error:
        raise UserError(f"{path}: can't be read: {why(error)}") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: can't be read: {why(error)}") from error
    except ResultsChanged as error:
        anew = "if the journal is whole, remove it, and xlatperf run with its bench file writes it anew"
        raise UserError(f"{path}: not as it was written: {error}; {anew}") from error
    except OtherVersion as error:
        raise UserError(f"{path}: not the results of this version: {error}") from error


@contextmanager
def values_of(what: str) -> Iterator[None]:
    """Of results that somebody may have changed: what can't be shown is said as a failure of the user's file.

    Raises UserError.
    """
    try:
        yield
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        why_not = f"{type(error).__name__}: {error}"
        raise UserError(
            f"{what}: no report can be made of its values ({why_not}): were they changed by hand? "
            "(XLATPERF_DEBUG=1 shows where)"
        ) from error
