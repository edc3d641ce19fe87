"""What was found, in words and in a few large numbers."""

from __future__ import annotations

from collections.abc import Sequence

from xlatperf.engine.acceptable import ACCEPTED, reason_of
from xlatperf.engine.direction_answer import TOO_LATE, ClassCounters
from xlatperf.keys.emulated import SOFTWARE_EMULATION
from xlatperf.keys.in_words import plural
from xlatperf.meaning.lost_findings import MISSING
from xlatperf.meaning.unrecognised import UNRECOGNISED, came_otherwise
from xlatperf.procedures.first_look import TRAFFIC_CLASS
from xlatperf.report import words
from xlatperf.report.card import card
from xlatperf.report.evidence import Evidence
from xlatperf.report.markup import Content, Markup, bullets, element, paragraph, render
from xlatperf.report.numerals import whole
from xlatperf.report.section import Section
from xlatperf.report.sections import connections, negative, rules
from xlatperf.report.sections.of_procedures import OF_PROCEDURES

_UNTIMELY = TOO_LATE | {"duplicate"}


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
    sentences = connections.sentences(evidence)
    for one in OF_PROCEDURES:
        sentences += one.sentences(evidence)
    if not sentences:
        sentences = ["Nothing was measured: the bench file names no measure, or no run has ended yet."]
    sentences += [
        *_emulated(evidence),
        *_first_look(evidence),
        *negative.sentences(evidence),
        *rules.sentences(evidence),
    ]
    parts += [bullets(sentences), paragraph(_verified(evidence), _worst(evidence)), paragraph(_trust(evidence))]
    return Section("summary", "Summary", render(parts))


def _emulated(evidence: Evidence) -> list[Content]:
    """A machine in software shows whether a device is right, and not how fast it is."""
    if not any(SOFTWARE_EMULATION in str(fact) for fact in evidence.part("device").values()):
        return []
    return [
        "The device runs in a virtual machine by software emulation: rates and delays are those of the emulation, not "
        "of the device on a processor of its own."
    ]


def _classes(evidence: Evidence) -> list[ClassCounters]:
    return [
        counters
        for trial in evidence.results.trials
        for phase in trial.phases
        if phase.valid
        for direction in phase.directions.values()
        for counters in direction.classes.values()
    ]


def _verified(evidence: Evidence) -> str:
    classes = _classes(evidence)
    sent = sum(item.sent for item in classes)
    if not sent:
        return "No valid trial has sent frames."
    accepted = sum(item.remarks.get(ACCEPTED, 0) for item in classes)
    expected = sum(item.expected for item in classes) - accepted
    wrong = sum(count for item in classes for name, count in item.wrong.items() if name not in _UNTIMELY)
    said = (
        f"In all valid trials together {sent:,} frames were sent and {expected:,} came back exactly as they must: "
        f"every "
        "frame is verified in full, with addresses, ports, lengths, hop limit, checksums and data. "
    )
    if accepted:
        fields = ", ".join(_accepted_fields(classes))
        said += f"{accepted:,} were otherwise in what traffic.accept has ({fields}), and count as received. "
    others = " otherwise" if accepted else ""
    beyond = _unrecognised(evidence)
    if wrong or not beyond:
        said += f"{wrong:,} frames came back wrong{others}." if wrong else f"No frame came back wrong{others}."
    if beyond:
        said += f" About {beyond:,} came back so wrong that they aren't known as the Tester's, and count as lost."
    untimely = sum(count for item in classes for name, count in item.wrong.items() if name in _UNTIMELY)
    return said + (f" {untimely:,} came more than once or too late." if untimely else "")


def _unrecognised(evidence: Evidence) -> int:
    """About so many frames of valid trials came that nobody knew, where as many were missing."""
    return sum(
        counters.lost
        for trial in evidence.results.trials
        for phase in trial.phases
        if phase.valid
        for name, direction in phase.directions.items()
        if (found := came_otherwise(name, phase)) is not None and found.reason == UNRECOGNISED
        for counters in direction.classes.values()
    )


def _accepted_fields(classes: Sequence[ClassCounters]) -> list[str]:
    seen = dict.fromkeys(reason_of(remark) for item in classes for remark in item.remarks)
    return [name for name in seen if name is not None]


def _first_look(evidence: Evidence) -> list[Content]:
    """What only the first frames showed."""
    known = {item.reason for item in evidence.results.findings}
    errors = [item for item in evidence.results.first_look_findings if item.kind == "error"]
    lost = dict.fromkeys(
        f"{words.ARROWS[item.direction]} {item.traffic_class}: {item.meaning}" if item.direction else item.meaning
        for item in errors
        if item.reason in MISSING
    )
    meanings = dict.fromkeys(item.meaning for item in errors if item.reason not in known | MISSING)
    sent = f"The first frames, sent with traffic class 0x{TRAFFIC_CLASS:02x}"
    return [
        *[f"Of the first frames, sent without load: {one}." for one in lost],
        *([f"{sent}, show what those of the measures don't: {'; '.join(meanings)}."] if meanings else []),
    ]


def _worst(evidence: Evidence) -> str:
    """The most frequent error, so that the reason for a bad result stands beside it."""
    errors = [item for item in evidence.results.findings if item.kind == "error"]
    if not errors:
        return ""
    worst = max(errors, key=lambda item: item.count)
    return f" Most often, {worst.count:,} times in all trials: {worst.meaning}."


def _trust(evidence: Evidence) -> str:
    trials = evidence.results.trials
    invalid = sum(trial.says_nothing for trial in trials)
    if not trials:
        return ""
    resets = sum(not trial.valid for trial in trials) - invalid
    followed = f", though in {plural(resets, 'reset')} the Tester's port went down with the device's" if resets else ""
    if not invalid:
        return f"{f'All {len(trials):,} trials are' if len(trials) > 1 else 'The one trial is'} valid{followed}."
    return (
        f"{invalid:,} of {plural(len(trials), 'trial')} {'is' if invalid == 1 else 'are'} invalid by the Tester's "
        f"own verdict: "
        "they count neither as loss of the device nor as a pass."
    )


def _cards(evidence: Evidence) -> list[Markup]:
    cards = [shown for one in OF_PROCEDURES for shown in one.large(evidence)]
    classes = _classes(evidence)
    beyond = _unrecognised(evidence)
    wrong = beyond + sum(count for item in classes for name, count in item.wrong.items() if name not in _UNTIMELY)
    if classes:
        arrived = beyond + sum(item.expected + sum(item.wrong.values()) for item in classes)
        verified = f"of {arrived:,} received" + (" and verified" if not beyond else "")
        cards.append(card(whole(wrong), "frames wrong", verified, "bad" if wrong else "good"))
    cards += negative.cards(evidence)
    trials = evidence.results.trials
    if trials:
        valid = sum(not trial.says_nothing for trial in trials)
        cards.append(
            card(
                f"{valid:,}",
                f"of {plural(len(trials), 'trial')} valid",
                "the Tester's verdict on itself",
                "warn" if valid < len(trials) else "good",
            )
        )
    return cards
