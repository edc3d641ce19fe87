"""What was found, in words and in a few large numbers."""

from __future__ import annotations

from xlatperf.engine.trial_answer import ClassCounters
from xlatperf.keys.in_words import plural
from xlatperf.report import words
from xlatperf.report.card import card
from xlatperf.report.evidence import Evidence
from xlatperf.report.markup import Content, Markup, bullets, element, paragraph, render
from xlatperf.report.numerals import percent, rate, whole
from xlatperf.report.section import Section
from xlatperf.report.sections import negative, summary_connections, summary_times
from xlatperf.report.series import performance, place
from xlatperf.report.sweep import clean, sweep
from xlatperf.results.results import Measurement

_CARDS = 3
_SENTENCES = 6
_TIMELY = frozenset({"duplicate", "late", "beyond_window"})


def section(evidence: Evidence) -> Section:
    """The first section."""
    results = evidence.results
    parts: list[Content] = []
    if not results.complete:
        parts.append(
            element(
                "p",
                element("strong", "Incomplete. "),
                "Some runs are missing; running the campaign again on this "
                "folder goes on where it stopped. What is here is final.",
                class_="note warn",
            )
        )
    parts.append(element("div", _cards(evidence), class_="cards"))
    sentences: list[Content] = []
    for what, said in summary_connections.sentences(evidence):
        sentences += _shortened(said, what)
    sentences += [
        *_shortened([_throughput(evidence, item) for item in evidence.measurements("throughput")], "throughputs"),
        *_shortened([_frame_loss(item) for item in evidence.measurements("frame_loss")], "frame losses"),
    ]
    for what, said in summary_times.sentences(evidence):
        sentences += _shortened(said, what)
    if not sentences:
        sentences = ["Nothing was measured: the bench file names no measure, or no run has ended yet."]
    sentences += negative.sentences(evidence)
    parts += [bullets(sentences), paragraph(_verified(evidence), _worst(evidence)), paragraph(_trust(evidence))]
    return Section("summary", "Summary", render(parts))


def _shortened(sentences: list[Content], what: str) -> list[Content]:
    more = len(sentences) - _SENTENCES
    return sentences if more <= 0 else [*sentences[:_SENTENCES], f"{more} more {what} are in the tables below."]


def _throughput(evidence: Evidence, item: Measurement) -> Content:
    where = f"at {words.sizes(item.frame_size)} bytes{words.with_mix(item)}{place(item)}"
    allowed = f"{words.tolerance(item)}{words.timely(item)}"
    found = performance(item)
    if found is None:
        why = f": {item.failures[0]}" if item.failures else ""
        return f"No throughput {where}{words.timely(item)}, {words.DIRECTIONS[item.direction]}{why}."
    if found.n == 1:
        spread = "a single search, N = 1: nothing is known about the spread"
    else:
        spread = f"median of {found.n} searches, from {found.minimum:,.0f} to {found.maximum:,.0f}"
    if found.maximum == 0:
        return (
            f"{evidence.device} did not pass even the lowest rate of {whole(item.minimum_fps)} frames per second per "
            f"direction {where} {allowed}, {words.DIRECTIONS[item.direction]} (N = {found.n})."
        )
    sentence: list[Content] = [
        f"{evidence.device} {words.verb(evidence.results.technology)} up to ",
        element("strong", rate(found.median)),
        f" frames per second per direction {where}, {words.DIRECTIONS[item.direction]}, {allowed} ({spread}).",
    ]
    if words.only_limit(item, "tester"):
        sentence.append(element("em", " The Tester could not do more: the device's limit is this or higher."))
    elif words.only_limit(item, "maximum"):
        sentence.append(element("em", " That was the highest rate asked for: the device's limit is this or higher."))
    elif by_tester := sum(repetition.limited_by == "tester" for repetition in item.repetitions):
        sentence.append(
            element("em", f" In {by_tester} of {len(item.repetitions)} the Tester was the limit, not the device.")
        )
    if item.failures:
        sentence.append(f" {plural(len(item.failures), 'repetition')} gave no result.")
    return sentence


def _frame_loss(item: Measurement) -> Content:
    valid = sorted((point for point in sweep(item) if point.valid), key=lambda point: point.rate_fps)
    where = f"Frame loss at {words.sizes(item.frame_size)} bytes{words.with_mix(item)}{place(item)}"
    if item.frame_timeout_ms is not None:
        where += f", with frames that took longer than {item.frame_timeout_ms:g} ms lost as well"
    if not valid:
        return f"{where}: no rate could be measured."
    without = clean(valid)
    sweeps = len({point.repetition for point in valid})
    sentence = f"{where}: at every rate"
    if without:
        sentence = f"{where}: none up to {without[-1]:,.0f} frames per second per direction"
    if any(point.lossy for point in valid):
        last = valid[-1]
        worst = ", ".join(f"{percent(loss)} % {name}" for name, loss in last.loss_percent.items())
        sentence += f"; {worst} at {last.rate_fps:,.0f}"
    return f"{sentence} ({plural(sweeps, 'sweep')})."


def _classes(evidence: Evidence) -> list[ClassCounters]:
    return [
        counters
        for trial in evidence.results.trials
        for phase in trial.phases
        if phase.valid
        for _, direction in phase.directions()
        for _, counters in direction.classes()
    ]


def _verified(evidence: Evidence) -> str:
    classes = _classes(evidence)
    sent = sum(item.sent for item in classes)
    if not sent:
        return "No valid trial has sent frames."
    expected = sum(item.expected for item in classes)
    wrong = sum(count for item in classes for name, count in item.wrong.items() if name not in _TIMELY)
    said = (
        f"In all valid trials together {sent:,} frames were sent and {expected:,} came back exactly as they must: "
        f"every "
        "frame is verified in full, with addresses, ports, lengths, hop limit, checksums and data. "
    )
    said += f"{wrong:,} frames came back wrong." if wrong else "No frame came back wrong."
    untimely = sum(count for item in classes for name, count in item.wrong.items() if name in _TIMELY)
    return said + (f" {untimely:,} came more than once or too late." if untimely else "")


def _worst(evidence: Evidence) -> str:
    """The most frequent error, so that the reason for a bad result stands beside it."""
    errors = [item for item in evidence.results.findings if item.kind == "error"]
    if not errors:
        return ""
    worst = max(errors, key=lambda item: item.count)
    return f" Most often, {worst.count:,} times in all trials: {worst.meaning}."


def _trust(evidence: Evidence) -> str:
    trials = evidence.results.trials
    invalid = sum(not trial.valid for trial in trials)
    if not trials:
        return ""
    if not invalid:
        return f"All {len(trials):,} trials are valid." if len(trials) > 1 else "The one trial is valid."
    return (
        f"{invalid:,} of {plural(len(trials), 'trial')} {'is' if invalid == 1 else 'are'} invalid by the Tester's "
        f"own verdict: "
        "they count neither as loss of the device nor as a pass."
    )


def _cards(evidence: Evidence) -> list[Markup]:
    cards = summary_connections.cards(evidence)
    measured = [(item, found) for item in evidence.measurements("throughput") if (found := performance(item))]
    classic = [(item, found) for item, found in measured if item.frame_timeout_ms is None]
    for item, found in (classic or measured)[:_CARDS]:
        span = f"{found.minimum:,.0f} to {found.maximum:,.0f}" if found.n > 1 else "one search only"
        mix = "" if words.standard_mix(item) else f", {words.mix(item.mix)}"
        at_least = words.only_limit(item, "tester") or words.only_limit(item, "maximum")
        caption = [
            element("b", f"{words.sizes(item.frame_size)} bytes, {words.ARROWS[item.direction]}{mix}{place(item)}"),
            element("br"),
            f"N = {found.n}: {span}",
        ]
        if at_least:
            caption += [element("br"), element("em", f"limited by: {words.limited_by(item)}")]
        shown = ["≥ " if at_least else "", rate(found.median)]
        cards.append(card(shown, "frames/s per direction", caption, "" if found.maximum else "bad"))
    cards += summary_times.cards(evidence)
    classes = _classes(evidence)
    wrong = sum(count for item in classes for name, count in item.wrong.items() if name not in _TIMELY)
    if classes:
        arrived = sum(item.expected + sum(item.wrong.values()) for item in classes)
        cards.append(
            card(whole(wrong), "frames wrong", f"of {arrived:,} received and verified", "bad" if wrong else "good")
        )
    cards += negative.cards(evidence)
    trials = evidence.results.trials
    if trials:
        valid = sum(trial.valid for trial in trials)
        cards.append(
            card(
                f"{valid:,}",
                f"of {plural(len(trials), 'trial')} valid",
                "the Tester's verdict on itself",
                "warn" if valid < len(trials) else "good",
            )
        )
    return cards
