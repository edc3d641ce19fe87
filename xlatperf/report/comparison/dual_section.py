"""Which device of a dual DUT limits, in words, with the numbers that say so."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from xlatperf.procedures.quantity import Bound
from xlatperf.report.bounds import IN_WORDS, SIGNS
from xlatperf.report.comparison.campaign import Campaign
from xlatperf.report.comparison.dual import Dual, Verdict, busy, dual, expected, verdicts
from xlatperf.report.comparison.rows import Row
from xlatperf.report.markup import Content, element, paragraph, render
from xlatperf.report.numerals import NONE, rate
from xlatperf.report.section import Section
from xlatperf.report.table import Column, table, text


def section(campaigns: Sequence[Campaign], lines: Sequence[Row]) -> Section | None:
    """None without a dual DUT that has rates."""
    found = dual(campaigns)
    known = [] if found is None else verdicts(found, lines)
    if found is None or not known:
        return None
    parts = [
        element("p", conclusion(found, known), class_="note"),
        element("ul", [element("li", element("strong", one.row.kind.text), f": {_said(found, one)}") for one in known]),
        _table(found, known, campaigns),
        paragraph(
            "CPU use: cores' worth of processor time of each process, with what the kernel did in it, during the "
            f"trials that determined the dual DUT's result. {_pollers(found)}{_what_is_expected(found, known)}",
            class_="muted",
        ),
    ]
    return Section("limits", "Which device limits", render(parts))


def _pollers(found: Dual) -> str:
    if not found.polls:
        return ""
    say = "takes" if len(found.polls) == 1 else "take"
    return (
        f"{' and '.join(found.polls)} {say} all there is of a core, whatever comes: processor time says nothing here "
        "about which device limits. "
    )


def _what_is_expected(found: Dual, known: Sequence[Verdict]) -> str:
    left, right = found.parts
    if any(_told(found, one) is not None for one in known):
        if not found.one_core:
            return "To be expected: the slower one's rate."
        return (
            f"To be expected: {left} and {right} share core {found.one_core}, where their times for a frame add up, so "
            f"1 / (1 / {left} + 1 / {right})."
        )
    if len(found.alone) < len(found.parts):
        return ""
    if found.one_core and found.polls:
        return f"What is to be expected of devices that poll on one core, {found.one_core}, isn't known."
    if not found.one_core and not found.apart:
        return f"What is to be expected isn't known, as it isn't known on which cores {left} and {right} are."
    return ""


def conclusion(found: Dual, known: Sequence[Verdict]) -> Content:
    """All kinds together: throughput counts, where the devices were the limit; else whatever there is."""
    own = [one for one in known if not one.limited_elsewhere]
    those = own or list(known)
    counted = [one for one in those if one.row.kind.procedure == "throughput"] or those
    named = [one.narrower for one in counted]
    parts = {part for part in named if part is not None}
    part = next(iter(parts)) if len(parts) == 1 else None
    if part is not None and None not in named:
        return _clear(found, part, bool(own), {one.by_processor for one in counted} == {part})
    both = " and ".join(found.parts)
    if own and found.one_core and all(busy(found, one) for one in counted):
        return [
            element("strong", f"Core {found.one_core} limits, which {both} share: nothing of it is left."),
            f" {_almost_alike(named, part)} Each on a core of its own would show the slower one.",
        ]
    return [element("strong", "These measurements don't tell which device limits."), f" {_clearer(found, known)}"]


def _clearer(found: Dual, known: Sequence[Verdict]) -> str:
    """What would tell it."""
    missing = [part for part in found.parts if part not in found.alone]
    if missing:
        return f"What the {' and the '.join(missing)} does alone isn't among the campaigns."
    others = {one.limited_elsewhere for one in known}
    if "" not in others:
        return f"No rate of both is their own limit: see what limited, below ({', '.join(sorted(others))})."
    return "More repetitions, longer trials, and a machine without other work make them clearer."


def _clear(found: Dual, name: str, own: bool, by_processor: bool) -> Content:
    """All that count name this device, by processor time too."""
    if not own:
        return [
            element("strong", f"The {name} is the narrower device,"),
            " but nothing here has found the limit of both together: see what limited, below.",
        ]
    if found.one_core and by_processor:
        return [
            element("strong", f"The {name} limits."),
            f" {' and '.join(found.parts)} share core {found.one_core}, and the {name} needs the larger part of it "
            "for a frame.",
        ]
    least = ", with the least left" if by_processor else ", by what each forwards alone"
    return [element("strong", f"The {name} limits."), f" It is the slower one of both{least}."]


def _almost_alike(named: Sequence[str | None], part: str | None) -> str:
    if part is not None:
        count = sum(one == part for one in named)
        return f"In {count} of {len(named)} rates the {part} needs the larger part of it, else both are alike."
    return "They differ in which of both needs more." if any(named) else "Both need about as much of it for a frame."


def _said(found: Dual, verdict: Verdict) -> str:
    together = verdict.row.found[found.both]
    value = 0.0 if together is None or together.value is None else together.value
    said = [f"both in a row {'' if together is None else IN_WORDS[together.bound]}{value:,.0f} {verdict.row.kind.unit}"]
    if verdict.limited_elsewhere:
        said[0] += f" (limited by: {verdict.limited_elsewhere}, not the devices)"
    if verdict.alone:
        said.append(", ".join(_single(found, verdict, part) for part in verdict.alone))
    if verdict.cpu:
        total = sum(verdict.cpu.values())
        use = " and ".join(f"{part} {one:.2f}" for part, one in verdict.cpu.items())
        said.append(f"CPU use {use}, together {total:.2f} cores" + ("" if found.polls else _shares(verdict, total)))
    if verdict.idle:
        said.append("idle: " + ", ".join(f"{core} {100 * share:.0f} %" for core, share in verdict.idle.items()))
    said.append(_therefore(found, verdict))
    return "; ".join(said) + "."


def _single(found: Dual, verdict: Verdict, part: str) -> str:
    one = verdict.row.found[found.alone[part]]
    bound = "" if one is None else IN_WORDS[one.bound]
    return f"{part} alone {bound}{verdict.alone[part]:,.0f}"


def _shares(verdict: Verdict, total: float) -> str:
    if len(verdict.cpu) < 2 or not total:
        return ""
    part = max(verdict.cpu, key=lambda one: verdict.cpu[one])
    return f", {100 * verdict.cpu[part] / total:.0f} % of that the {part}"


def _therefore(found: Dual, verdict: Verdict) -> str:
    if verdict.contradict:
        return "rates and processor time contradict each other: open"
    if verdict.narrower is None:
        return "the two can't be told apart"
    by = " and ".join(
        reason
        for reason, part in (("its rate alone", verdict.by_rate), ("its processor time", verdict.by_processor))
        if part is not None
    )
    said = f"the {verdict.narrower} is the narrower one, by {by}"
    if not verdict.limited_elsewhere and busy(found, verdict) is False:
        said += ", though no core was busy all the time: queues that are too short for bursts lose frames earlier"
    return said


def _table(found: Dual, known: Sequence[Verdict], campaigns: Sequence[Campaign]) -> Content:
    medians = f"Median ({campaigns[found.both].letter} and each alone)"
    columns: list[Column[Verdict]] = [
        text("", lambda one: one.row.kind.text, class_="wrap"),
        text("Unit", lambda one: one.row.kind.unit),
        Column("both in a row", partial(_both, found), "", medians),
        *[Column(f"{part} alone", partial(_alone, found, part), "", medians) for part in found.parts],
        Column("To be expected", partial(_expected, found), "of both"),
        *[Column(part, partial(_used, part), "cores", "CPU use, both in a row") for part in found.parts],
        text("Narrower", lambda one: NONE if one.narrower is None else element("strong", one.narrower)),
    ]
    return table(columns, known)


def _both(found: Dual, verdict: Verdict) -> Content:
    together = verdict.row.found[found.both]
    value = element("strong", rate(None if together is None else together.value))
    return ["" if together is None else SIGNS[together.bound], value]


def _used(part: str, verdict: Verdict) -> str:
    return f"{verdict.cpu[part]:.2f}" if part in verdict.cpu else NONE


def _told(found: Dual, verdict: Verdict) -> tuple[float, Bound] | None:
    """What is expected of both, if that is more than their own measurement says."""
    singles = {part: verdict.row.found[index] for part, index in found.alone.items()}
    known = {part: (one.value, one.bound) for part, one in singles.items() if one is not None and one.value is not None}
    told = expected(found, known)
    together = verdict.row.found[found.both]
    if told is None or (told[1] == ">=" and together is not None and told[0] <= (together.value or 0.0)):
        return None
    return told


def _expected(found: Dual, verdict: Verdict) -> Content:
    told = _told(found, verdict)
    return NONE if told is None else [SIGNS[told[1]], rate(told[0])]


def _alone(found: Dual, part: str, verdict: Verdict) -> Content:
    one = verdict.row.found[found.alone[part]] if part in found.alone else None
    if one is None or one.value is None:
        return NONE
    return [SIGNS[one.bound], rate(one.value)]
