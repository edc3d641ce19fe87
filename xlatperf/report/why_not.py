"""Why a measurement has no result."""

from __future__ import annotations

from dataclasses import replace

from xlatperf.keys.in_words import plural
from xlatperf.procedures.failure import Failure
from xlatperf.report.markup import Content, badge
from xlatperf.report.values import has_result
from xlatperf.results.results import Measurement


def why_not(item: Measurement) -> Content:
    """Why a measurement has no result, for the rest of its line; None if it has one."""
    if has_result(item):
        return None
    if item.no_result is not None:
        kind, standard = item.no_result.kind, item.no_result.standard
        before = "" if kind == "no result" else f" ({standard}):" if standard else ""
        return [badge(kind, "warn"), f"{before} {item.no_result.text}"]
    if item.failures:
        others = plural(len(item.failures) - 1, "other repetition")
        more = f" ({others} likewise without a result)" if len(item.failures) > 1 else ""
        return [badge("failed", "bad"), f" {short(item.failures[0], 160)}{more}"]
    said = [value.remark for one in item.values for value in one.values if value.remark]
    return [badge("no result", "warn"), " ", said[0] if said else "no repetition has ended yet"]


def short(failure: Failure, longest: int = 0) -> str:
    """A failure with no more details than fit into so many characters; the section has them all."""
    if not longest or not failure.details:
        return failure.what
    details = failure.details
    while len(details) > 1 and len(replace(failure, details=details).why) > longest:
        details = details[:-1]
    return replace(failure, details=details).why
