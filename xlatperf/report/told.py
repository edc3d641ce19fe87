"""Words of a section: fixed ones, or a template for what was reported of how it was measured."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from string import Formatter

from xlatperf.report.values import parameters
from xlatperf.results.results import Measurement

Told = str | Callable[[Sequence[Measurement]], str]


def told(words: Sequence[Told], measurements: Sequence[Measurement]) -> str:
    """All of them, those with nothing to say left out."""
    said = (one if isinstance(one, str) else one(measurements) for one in words)
    return " ".join(filter(None, said))


def of_parameters(template: str, names: Mapping[str, Mapping[str, str]] | None = None) -> Told:
    """`{duration_s} s` of each measurement, once if they're alike; nothing of those where one isn't known.

    `names`: how values of a parameter are called; nothing is said of one that has no name.
    """
    wanted = [name for _, name, _, _ in Formatter().parse(template) if name]

    def say(measurements: Sequence[Measurement]) -> str:
        said = []
        for item in measurements:
            found = parameters(item, *wanted)
            if found is None or any(found[name] not in of for name, of in (names or {}).items()):
                continue
            called = {name: of[found[name]] for name, of in (names or {}).items()}
            said.append(template.format(**found | called))
        return " ".join(dict.fromkeys(said))

    return say


INCREMENTAL = of_parameters(
    "Flows begin {flow_interval_s} s apart, each at its share of the rate (RFC 8219 §10.2.2). Trials are longer by the "
    "time until all have begun; frames are tagged so much later, and what is lost or delayed meanwhile counts."
)
"""Of measures under incremental load."""
