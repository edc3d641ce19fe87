"""Connection tear-down rate (RFC 9693 §4.8): as the RFC has it, and less what deleting an empty table takes."""

from __future__ import annotations

from functools import partial

from xlatperf.procedures.teardown import DELETING, DELETING_EMPTY, Teardown
from xlatperf.report.bounds import IN_WORDS
from xlatperf.report.columns import always, median, repetitions, spread_of_rate
from xlatperf.report.evidence import Evidence
from xlatperf.report.headline import rate_card
from xlatperf.report.markup import Content, element
from xlatperf.report.numerals import rate, whole
from xlatperf.report.of_procedure import OfProcedure
from xlatperf.report.scale import best, milli
from xlatperf.report.sentence import of_connections, spread
from xlatperf.report.series import bound_of, connections_of, performance, with_the_call
from xlatperf.report.table import Column
from xlatperf.report.values import median_of
from xlatperf.results.results import Measurement

_RATES, _DELETING = "Connections per second", "Deleting, median, ms"


def _sentence(evidence: Evidence, item: Measurement) -> Content:
    def said() -> Content:
        found = performance(item)
        if found is None:
            return None
        gross = with_the_call(item)
        call = f"; {whole(gross)} with what an empty table takes" if gross is not None else ""
        bound = IN_WORDS[bound_of(item, found.median)]
        return [
            f"{evidence.device} deletes {connections_of(item) or 0:,} connections in "
            f"{best(median_of(item, DELETING, None), 's')}: ",
            element("strong", bound, rate(found.median)),
            f" connections per second{call} ({spread(found, 'deletion', 'deletions')}).",
        ]

    return of_connections(item, said)


REPORT = OfProcedure(
    procedure=Teardown,
    about=(
        "N connections are opened, then the whole table is deleted at once by the device's driver. What the same call "
        "takes for an empty table is measured before and subtracted: rate = N / (median of deleting the full table - "
        "median of deleting the empty one). Deleting the whole table may be faster than deleting connections one by "
        "one. ≥: too few connections to tell, so only a lower bound, N / time of the call.",
    ),
    scale=milli,
    given=(always(Column("Phase 1", lambda line: whole(line.item.establish_fps), "connections/s")),),
    values=(
        repetitions("N", "deletions"),
        median("full", DELETING, _DELETING),
        median("empty", DELETING_EMPTY, _DELETING),
        spread_of_rate(_RATES),
        always(
            Column("With the call", lambda line: rate(with_the_call(line.item), "connections per second"), "", _RATES)
        ),
    ),
    sentence=_sentence,
    cards=partial(rate_card, unit="connections deleted/s"),
)
