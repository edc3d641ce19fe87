"""What the Tester itself takes at the rate of a measurement, in results.json."""

from __future__ import annotations

from xlatperf.procedures.procedure import Procedure
from xlatperf.results.value_records import TesterAlone, TesterAloneDelay
from xlatperf.run.cell_result import CellResult


def tester_alone(measure: Procedure, done: CellResult) -> TesterAlone | None:
    """TL, WCL and PDV of the Tester itself; None: it wasn't measured."""
    request = measure.alone(done.conditions)
    if request is None or done.alone is None:
        return None
    rate_fps, duration_s = request.rate_fps, request.duration_s
    if isinstance(done.alone, str):
        return TesterAlone(rate_fps=rate_fps, duration_s=duration_s, trial=None, delays=(), failure=done.alone)
    delays: list[TesterAloneDelay] = []
    for name, direction in done.alone.directions.items():
        for of, found in direction.delays():
            low, high = found.delay.min_ns, found.delay.p999_ns
            delays.append(
                TesterAloneDelay(
                    direction=name,
                    traffic_class=of,
                    tl_ns=found.tagged.median_ns if found.tagged is not None else None,
                    wcl_ns=found.tagged.p999_ns if found.tagged is not None else None,
                    pdv_ns=high - low if high is not None and low is not None else None,
                    tagged=found.tagged,
                    delay=found.delay,
                    delay_variation=found.delay_variation,
                )
            )
    return TesterAlone(
        over=done.alone.over or "memory",
        rate_fps=rate_fps,
        duration_s=duration_s,
        trial=done.alone.number,
        delays=tuple(delays),
        failure=None,
    )
