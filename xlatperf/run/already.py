"""What a campaign's folder already has: results, which must be of the journal beside them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from xlatperf.files.reading import read_text, why
from xlatperf.keys.in_words import plural
from xlatperf.procedures.trial import Trial
from xlatperf.results.compact import compact
from xlatperf.results.file import OtherVersion, ResultsChanged, read_results
from xlatperf.results.results import Results
from xlatperf.run.folder import CampaignFolder, FolderError
from xlatperf.run.journal_content import Content, JournalError, content_of, lines_of


@dataclass(frozen=True)
class Already:
    """`results`: None where they are to be written anew, from the journal: there are none, or another version's.
    `journal`: what was read of it; None: nothing yet.
    """

    results: Results | None = None
    journal: Content | None = None


def already_there(campaign: CampaignFolder, from_line: int | None = None) -> Already:
    """What the folder has.

    What results were made of is on the disk before they are: a journal that has less, or something else, isn't theirs,
    and measuring again in silence would hide it. `from_line`: this line and those behind it are to be measured again,
    so they needn't be there. Nothing is changed. Raises FolderError, JournalError.
    """
    path, where = campaign.path / "results.json", campaign.path / "journal.jsonl"
    if not os.path.lexists(path):
        return Already()
    try:
        known = read_results(read_text(path))
    except OtherVersion:
        return Already()
    except (OSError, UnicodeDecodeError) as error:
        raise FolderError(f"{path}: can't be read: {why(error)}; {_anew(path, where)}") from error
    except ResultsChanged as error:
        raise FolderError(f"{path}: {error}; {_anew(path, where)}") from error
    if known.all_trials and not os.path.lexists(where):
        raise JournalError(f"{where}: it isn't there, and {path} was made of it: {_otherwise(path)}")
    if not known.all_trials:
        return Already(known)
    kept = None if from_line is None else from_line - 1
    content = content_of(where, lines_of(where)[:kept])
    _check(known.all_trials[:kept], content.entries, path, where)
    return Already(known, content)


def _check(wanted: Sequence[Trial], entries: Sequence[Trial], path: Path, where: Path) -> None:
    if len(entries) < len(wanted):
        raise JournalError(
            f"{where}: it has {plural(len(entries), 'whole trial')}, {path} was made of {len(wanted)}: something of it "
            f"was removed; {_otherwise(path)}"
        )
    other = next((one for one in wanted if one != compact(entries[one.number])), None)
    if other is not None:
        raise JournalError(
            f"{where}: trial {other.number} in it isn't the one that {path} was made of: one of them is of another "
            f"campaign, or was changed; put the right one back, or remove {path}, to go on with this journal"
        )


def _otherwise(results: Path) -> str:
    return f"put the right one back, or remove {results}, to measure again what is missing"


def _anew(results: Path, journal: Path) -> str:
    return f"put the right one back, or, if {journal} is whole, remove {results}: it is written anew"
