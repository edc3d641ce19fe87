"""A Tester that answers with what was measured, in the same order, and knows its ports from the results."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from xlatperf.config.bench import Bench
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.procedures.trial import MeasurementFailed
from xlatperf.procedures.trial_request import FIRST_LOOK, TrialRequest
from xlatperf.results.frames import SideSizes
from xlatperf.run.cell_sizes import CellSizes
from xlatperf.run.first_look import OLDER
from xlatperf.run.runs import Run


class RecordedTester:
    """`results`: results.json of the recorded campaign; `left`: lines of its journal that aren't in the folder's.

    `same_requests`: recorded by this version, which asks for the same again.
    """

    def __init__(
        self, results: dict[str, Any], left: Sequence[dict[str, Any]] = (), *, same_requests: bool = False
    ) -> None:
        self._measurements = results["measurements"]
        self._same_requests = same_requests
        self.left = list(left)

    def sizes(self, frame_size: int, _: object) -> CellSizes:
        one = next(one for one in self._measurements if one["frame_size_named"] == frame_size)
        return CellSizes.alike(SideSizes.model_validate(one["frame_size"]), frame_size)

    def media_mbps(self) -> float | None:
        return float(self._measurements[0]["media_mbps"])

    def require(self, bench: Bench) -> None:
        """Nothing is learnt in these campaigns."""

    def trial(self, run: Run, request: TrialRequest, frame_tag: int) -> TrialAnswer:
        if request.purpose == FIRST_LOOK and (not self.left or self.left[0]["run"] != run.key):
            raise MeasurementFailed(OLDER)  # recorded before there was one
        assert self.left, f"{run.key} asks for a trial that is not in the journal: {request}"
        entry = self.left.pop(0)
        assert entry["run"] == run.key
        if self._same_requests:
            assert entry["request"] == json.loads(request.fingerprint())
        return TrialAnswer.model_validate(entry["answer"])
