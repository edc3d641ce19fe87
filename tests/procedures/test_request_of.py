"""The journal's request is the request: whatever is asked for is read back as it was."""

from __future__ import annotations

import json
from typing import get_args

from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from xlatperf.procedures.alteration import Change, HeaderField
from xlatperf.procedures.connections import Connections
from xlatperf.procedures.trial_request import RateFor, Tags, TrialRequest, request_of

RATES = st.floats(1, 1e9)
TIMES = st.floats(0, 1e4)
ADDRESSES = st.integers(0, 2**128 - 1)
CONNECTIONS = st.builds(
    Connections, st.integers(0, 2**32), st.sampled_from(["establish", "each_once", "steady"]), st.none() | RATES, TIMES
)
REQUESTS = st.builds(
    TrialRequest,
    frame_size=st.integers(64, 9216),
    frame_size_of=st.sampled_from(["ipv4", "ipv6"]),
    rate_fps=RATES,
    duration_s=TIMES,
    directions=st.sampled_from([("forward",), ("reverse",), ("forward", "reverse")]),
    frame_timeout_ms=st.none() | TIMES,
    then=st.lists(st.builds(RateFor, RATES, TIMES), max_size=2).map(tuple),
    tags=st.none() | st.builds(Tags, st.integers(1, 10**6), TIMES),
    histograms=st.booleans(),
    connections=st.none() | CONNECTIONS,
    alter=st.lists(
        st.builds(Change, st.sampled_from(get_args(HeaderField)), ADDRESSES, st.none() | ADDRESSES), max_size=2
    ).map(tuple),
    part=st.none() | st.integers(0, 100),
)


@given(REQUESTS)
def test_as_the_journal_has_it(asked: TrialRequest) -> None:
    assert request_of(json.loads(asked.fingerprint())) == asked


@given(REQUESTS)
def test_as_the_results_have_it(asked: TrialRequest) -> None:
    adapter = TypeAdapter(TrialRequest)
    assert adapter.validate_json(adapter.dump_json(asked)) == asked
