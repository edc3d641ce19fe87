"""A line of the journal: one trial, with two checksums, so that damage shows wherever it is.

`sum` is that of the line itself, up to it; `before` that of the line before, so that a line that was taken out, put in
or moved shows as well. Journals of older versions have neither.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.files.checksum import checksum
from xlatperf.files.reading import parse_json
from xlatperf.procedures.plausible import implausible
from xlatperf.procedures.trial import Trial
from xlatperf.procedures.trial_request import request_of

NONE_BEFORE = "0" * 16
"""Of the first line."""
_SUMS = re.compile(rb',"before":"([0-9a-f]{16})","sum":"([0-9a-f]{16})"}\n\Z')
_BEHIND_SUM = len(b'"0123456789abcdef"}\n')


class Damaged(ValueError):
    """A line that can't be believed, or not understood; the message says what it is."""


@dataclass(frozen=True)
class Line:
    """A trial, and the checksum of its line; None: it has none."""

    entry: Trial
    sum: str | None


def written(record: Mapping[str, Any], before: str | None) -> tuple[bytes, str | None]:
    """The line, and its checksum. `before`: that of the line before; None: that is of an older version, without one."""
    text = json.dumps(record, separators=(",", ":")).encode()
    if before is None:
        return text + b"\n", None
    summed = text[:-1] + f',"before":"{before}","sum":'.encode()
    own = checksum(summed)
    return summed + f'"{own}"}}\n'.encode(), own


def begin_of(number: int) -> bytes:
    """How the line of a trial begins, in all versions."""
    return f'{{"number":{number},'.encode()


def read(line: bytes, number: int, before: str | None) -> Line:
    """The trial of line `number`, from 0. `before`: what `written` needs for it. Raises Damaged."""
    sums = _SUMS.search(line)
    if before is not None and sums is None and (number > 0 or b'"sum":' in line[-64:]):
        raise Damaged("is damaged: its checksum is missing")
    if sums is not None:
        said_before, own = (one.decode() for one in sums.groups())
        if checksum(line[:-_BEHIND_SUM]) != own:
            raise Damaged("is damaged: something in it was changed, as its checksum shows")
        if said_before != before:
            raise Damaged("stands behind another line than when it was written: one is missing, was changed or moved")
        return Line(_trial(line, number, "is of another version"), own)
    return Line(_trial(line, number, "is damaged, or of another version"), None)


def _trial(line: bytes, number: int, otherwise: str) -> Trial:
    try:
        record = parse_json(line.decode())
        request = request_of(record["request"])
        entry = Trial.of(record["number"], record["run"], request, TrialAnswer.model_validate(record["answer"]))
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise Damaged(f"{otherwise}: it isn't a trial") from error
    if entry.number != number:
        raise Damaged(f"{otherwise}: it is trial {entry.number}, not {number}")
    if json.loads(request.fingerprint()) != record["request"]:
        raise Damaged(f"{otherwise}: it asks for what this one doesn't know")
    fault = implausible(request, entry)
    if fault is not None:
        raise Damaged(f"can't be: {fault}")
    return entry
