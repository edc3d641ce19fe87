"""What must be known to read a table's values, in words below it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from xlatperf.keys.in_words import plural
from xlatperf.report import words
from xlatperf.report.markup import Content, Markup, bullets, element, folded, paragraph, render
from xlatperf.report.series import place, validated_at
from xlatperf.report.values import classes
from xlatperf.report.why_not import why_not
from xlatperf.results.results import Measurement


def class_note(measurements: Sequence[Measurement], more: str = "") -> Content:
    """What the classes are; nothing without background."""
    if not any(len(classes(item)) > 1 for item in measurements):
        return None
    return paragraph(
        "Class: all frames of the stream, as RFC 8219 §7.3 wants them; of them those that the DUT translates "
        f"(foreground) and the native ones between them (background).{more}",
        class_="muted",
    )


def remarks(measurements: Sequence[Measurement]) -> Markup:
    """What must be known to read the values; what stands in a row of its own is not repeated."""
    said: dict[str, list[str]] = {}
    for item in measurements:
        where = _where(item)
        lines = list(item.remarks)
        if item.share is not None and item.throughput_more_possible:
            lines.append(f"the rate follows from a throughput that is a lower bound: {words.throughput(item)}")
        if why_not(item) is None:
            lines += _of_values(item)
            if item.no_result:
                lines.append(item.no_result.in_words())
            if item.failures:
                lines.append(f"{plural(len(item.failures), 'repetition')} gave no result")
        if item.tester_alone is not None and item.tester_alone.failure is not None:
            lines.append(f"the Tester alone has no delays here: {item.tester_alone.failure}")
        for line in dict.fromkeys(lines):
            said.setdefault(line, []).append(where)
    failures = [f"{_where(item)}, {failure.in_words()}" for item in measurements for failure in item.failures]
    shown = ([element("strong", "; ".join(dict.fromkeys(where))), f": {line}"] for line, where in said.items())
    return render(
        [
            bullets(shown),
            folded(f"Why repetitions have no result ({len(failures):,})", bullets(failures), class_="more")
            if failures
            else None,
        ]
    )


def _where(item: Measurement) -> str:
    """Size, direction, connections and share."""
    where = f"{words.sizes(item.frame_size)} bytes, {words.ARROWS[item.direction]}"
    where += "" if words.standard_mix(item) else f", {words.mix(item.mix)}"
    alpha = validated_at(item)
    where += place(item) + (f", alpha = {alpha:g}" if alpha is not None else "")
    return where if item.share is None else f"{where}, {words.share(item)}"


def _of_values(item: Measurement) -> list[str]:
    counts: dict[str, set[int]] = {}
    for value in chain.from_iterable(one.values for one in item.values):
        if value.remark:
            counts.setdefault(value.remark, set()).add(value.repetition)
    numbers = {line: ", ".join(str(number) for number in sorted(found)) for line, found in counts.items()}
    return [f"{line} (repetition {numbers[line]})" for line in numbers]
