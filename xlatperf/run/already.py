"""What a campaign's folder already has: results, which must be of the journal beside them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from xlatperf.files.reading import read_text
from xlatperf.keys.in_words import plural
from xlatperf.procedures.trial import Trial
from xlatperf.results.file import ResultsChanged, read_results
from xlatperf.results.results import Results
from xlatperf.run.folder import CampaignFolder
from xlatperf.run.journal import Journal, JournalError


def results_there(campaign: CampaignFolder, say: Callable[[str], None]) -> Results | None:
    """The folder's results; None: they are to be written anew, from the journal. Raises JournalError.

    What results were made of is on the disk before they are. A journal that has less, or something else, has been
    damaged: measuring again in silence would hide it.
    """
    path = campaign.path / "results.json"
    if not path.is_file():
        return None
    try:
        known = read_results(read_text(path))
    except ResultsChanged as error:
        say(f"{path}: {error}: it is written anew, from the journal")
        return None
    except ValueError:
        return None  # of another version
    where = campaign.path / "journal.jsonl"
    if known.all_trials and not where.exists():
        raise JournalError(f"{where}: it isn't there, and {path} was made of it: {_otherwise(path)}")
    journal = Journal(where)
    try:
        _check(known, journal.entries, path, where)
    finally:
        journal.close()
    return known


def _check(known: Results, entries: Sequence[Trial], path: Path, journal: Path) -> None:
    trials = known.all_trials
    if len(entries) < len(trials):
        raise JournalError(
            f"{journal}: it has {plural(len(entries), 'trial')}, {path} was made of {len(trials)}: something of it was "
            f"removed; {_otherwise(path)}"
        )
    other = next((one for one in trials if _essence(one) != _essence(entries[one.number])), None)
    if other is not None:
        raise JournalError(
            f"{journal}: trial {other.number} in it isn't the one that {path} was made of: another journal is in its "
            f"place; put the right one back, or remove {path}, to go on with this one"
        )


def _otherwise(results: Path) -> str:
    return f"put the right one back, or remove {results}, to measure again what is missing"


def _essence(trial: Trial) -> tuple[Any, ...]:
    """What is the same in all versions."""
    counted = [
        (name, one.intended, one.sent, *((of, each.expected, each.lost) for of, each in one.classes.items()))
        for name, one in trial.directions.items()
    ]
    return trial.number, trial.run, trial.request, counted
