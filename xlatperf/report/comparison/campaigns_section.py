"""What is compared: the campaigns beside each other, and in what they are not the same."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial

from xlatperf.keys.in_words import plural
from xlatperf.meaning.refusals import what
from xlatperf.report import heading, words
from xlatperf.report.comparison.campaign import Campaign
from xlatperf.report.markup import Markup, badge, element
from xlatperf.report.numerals import NONE
from xlatperf.report.section import Section
from xlatperf.report.table import Column, table, text

_ONE_OF_A_KIND = ("Title", "Folder", "Date", "Trials")
"""Differ always."""
_MEASURED = {
    "Duration of trials, s": "duration_s",
    "Timeout, s": "timeout_s",
    "Repetitions": "repetitions",
    "Error of searches, %": "stop_width_percent",
}
"""Keys of measures. They should be the same in the procedures that all have."""
_REFUSED = "Wrong frames refused"
_EXPECTED = ("Device", "Technology")
"""What is compared differs there."""


def _kernel(campaign: Campaign) -> str:
    return str(campaign.evidence.part("host").get("kernel") or "not recorded")


def _engine(campaign: Campaign) -> str:
    engine = campaign.evidence.part("engine")
    return ", ".join(str(engine[name]) for name in ("version", "dpdk") if engine.get(name)) or "not recorded"


def _ports(campaign: Campaign) -> str:
    drivers = (str(campaign.evidence.part("engine", side).get("driver") or "") for side in ("left", "right"))
    return ", ".join(dict.fromkeys(driver for driver in drivers if driver)) or "not recorded"


def _of_measures(key: str, campaign: Campaign, procedures: Collection[str] | None = None) -> str:
    """The values that the measures of the bench file have; only those of these procedures."""
    wanted = [one for one in campaign.evidence.measures if procedures is None or one.get("procedure") in procedures]
    found = sorted({measure[key] for measure in wanted if isinstance(measure.get(key), int | float)})
    return ", ".join(f"{value:g}" for value in found) or NONE


def _procedures(campaign: Campaign) -> set[str]:
    return {str(measure.get("procedure")) for measure in campaign.evidence.measures}


def _trials(campaign: Campaign) -> str:
    trials = campaign.results.trials
    return f"{len(trials):,}, {sum(trial.says_nothing for trial in trials):,} invalid"


def _refused(campaign: Campaign) -> str:
    """A device that lets through what it must refuse does less for each frame."""
    tests = campaign.results.negative_tests
    tried = [one for one in tests if one.untried is None]
    if not tried:
        return NONE
    through = sum(not one.refused for one in tried)
    said = f"{len(tried) - through} of {plural(len(tried), 'kind')}; not refused: " if through else "all kinds"
    said += _let_through(campaign)
    return said + (f"; {len(tests) - len(tried)} not tried" if len(tried) < len(tests) else "")


def _let_through(campaign: Campaign) -> str:
    """Of what was tried; another technology has other such frames, or none."""
    tests = campaign.results.negative_tests
    through = dict.fromkeys(what(one.test) for one in tests if one.untried is None and not one.refused)
    return f"frames {'; '.join(through)}" if through else ""


def _frame_sizes(campaign: Campaign) -> str:
    of = campaign.results.measurements
    sizes = sorted({(campaign.ipv4_size(item), campaign.ipv4_sizes(item)) for item in of})
    return ", ".join(several or f"{size:,}" for size, several in sizes) + " (IPv4)" if sizes else NONE


_FACTS: dict[str, Callable[[Campaign], str]] = {
    "Title": lambda campaign: campaign.results.title,
    "Folder": lambda campaign: str(campaign.folder),
    "Device": lambda campaign: campaign.evidence.device,
    "Technology": lambda campaign: words.technology(campaign.results.technology),
    "Date": lambda campaign: heading.date(campaign.evidence),
    "Host": lambda campaign: heading.host(campaign.evidence),
    "Kernel": _kernel,
    "xlatperf": lambda campaign: campaign.results.xlatperf_version,
    "Engine": _engine,
    "Ports' drivers": _ports,
    **{name: partial(_of_measures, key) for name, key in _MEASURED.items()},
    "Frame sizes": _frame_sizes,
    "Seed": lambda campaign: str(campaign.results.seed),
    "Complete": lambda campaign: "yes" if campaign.results.complete else "no",
    _REFUSED: _refused,
    "Trials": _trials,
}


def not_the_same(campaigns: Sequence[Campaign]) -> list[str]:
    """Facts that differ although nothing says that they are what is compared."""
    common = set.intersection(*(_procedures(campaign) for campaign in campaigns))
    facts = {name: fact for name, fact in _FACTS.items() if name not in _ONE_OF_A_KIND + _EXPECTED}
    facts |= {name: partial(_of_measures, key, procedures=common) for name, key in _MEASURED.items()}
    values = {name: {fact(campaign) for campaign in campaigns} for name, fact in facts.items()}
    values[_REFUSED] = {_let_through(campaign) for campaign in campaigns}
    return [name for name, different in values.items() if len(different) > 1]


def disturbed(campaigns: Sequence[Campaign]) -> list[str]:
    """Letters of those in which the Tester itself failed more often than not."""
    return [
        one.letter
        for one in campaigns
        if 2 * sum(trial.says_nothing for trial in one.results.trials) > len(one.results.trials)
    ]


def warnings(campaigns: Sequence[Campaign]) -> list[Markup]:
    """What must be known before results are compared; empty if there is nothing."""
    found = []
    if differing := not_the_same(campaigns):
        names = "; ".join(name.partition(",")[0].lower() for name in differing)
        said = f"{names}. “What is compared” and “What differs” have the details."
        found.append(element("p", element("strong", "Not the same in all: "), said, class_="note warn"))
    if noisy := disturbed(campaigns):
        said = (
            f"In {', '.join(noisy)} most trials are invalid: the Tester could not do what it had to, which other work "
        )
        said += "on its cores does to it. Results are then lower and spread wider than the devices'."
        found.append(element("p", said, class_="note warn"))
    return found


def section(campaigns: Sequence[Campaign]) -> Section:
    """The facts; what should be the same and isn't is marked."""
    differing = not_the_same(campaigns)
    columns: list[Column[str]] = [
        text("", str),
        *[text(one.title, partial(_fact, one), class_="wrap") for one in campaigns],
        text("", lambda name: badge("differs", "warn") if name in differing else None),
    ]
    return Section("campaigns", "What is compared", table(columns, _FACTS))


def _fact(campaign: Campaign, name: str) -> str:
    return _FACTS[name](campaign)
