"""Test data: measurements of times that no one made, and the histograms that belong to them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.report.fabricated_trial import delay
from xlatperf.engine.message import DirectionName
from xlatperf.engine.trial_answer import DelayVariation
from xlatperf.procedures import back_to_back, ipdv, latency, pdv, reset, system_recovery
from xlatperf.procedures.quantity import NoResult, Quantity, Value
from xlatperf.procedures.registry import BY_NAME
from xlatperf.results.results import (
    DerivedValue,
    HistogramFile,
    Measurement,
    Mix,
    ProcedureName,
    Repetition,
    SideSizes,
    TesterAlone,
    TesterAloneDelay,
)
from xlatperf.run.measurement import series

DIRECTIONS: tuple[DirectionName, ...] = ("forward", "reverse")
Values = Mapping[Quantity, Sequence[float | None]]
"""Of each quantity a value for each repetition."""


def measurement(procedure: ProcedureName, values: Values, **changes: Any) -> Measurement:
    """One cell; the reverse direction has 10 % more of everything."""
    count = max((len(found) for found in values.values()), default=0)
    found = {
        number: [
            _value(quantity, name, values[quantity][number - 1])
            for quantity in values
            for name in ((None,) if quantity in (back_to_back.BURST, back_to_back.STEP, reset.RESTART) else DIRECTIONS)
        ]
        for number in range(1, count + 1)
    }
    standard = BY_NAME[procedure].standard
    repetitions = tuple(
        Repetition(
            number=number,
            run=f"{procedure}/{number}",
            limited_by=None,
            final_trial=number,
            trials=(number,),
        )
        for number in found
    )
    fields: dict[str, Any] = {
        "measure": procedure.replace("_", " "),
        "procedure": procedure,
        "standard": standard,
        "frame_size": SideSizes(left=84, right=64),
        "frame_size_named": 84,
        "mix": Mix(take=1, of=1),
        "direction": "bidirectional",
        "media_mbps": 10000.0,
        "theoretical_maximum_fps": 12_019_230.77,
        "minimum_fps": None,
        "maximum_fps": 12_019_230.77,
        "tester_limit_fps": 1_204_000.0,
        "loss_tolerance": {},
        "repetitions": repetitions,
        "failures": (),
        "series": procedure.replace("_", " "),
        "complete": True,
        "rate_fps": 103_412.0,
        "share": 1.0,
        "throughput_fps": 103_412.0,
        "values": series(found),
    }
    return Measurement(**{**fields, **changes})


def _value(quantity: Quantity, direction: DirectionName | None, value: float | None) -> Value:
    if value is None:
        return Value(quantity, direction, None, "why")
    return Value(quantity, direction, value * 1.1 if direction == "reverse" else value)


def latencies(**changes: Any) -> Measurement:
    """Three trials; a tenth of a thousandth of the tagged frames is lost."""
    values: Values = {
        latency.TL: (61_056.0, 60_000.0, 70_123.0),
        latency.WCL: (1_204_224.0, 1_300_000.0, 900_000.0),
        latency.TAGS_SENT: (10_000, 10_000, 10_000),
        latency.TAGS_RECEIVED: (9_999, 9_998, 10_000),
        latency.TAGS_LOST: (1, 2, 0),
        latency.FRAMES_LOST: (10, 20, 0),
    }
    return measurement(
        "latency",
        values,
        **{
            "definition": latency.DEFINITION,
            "parameters": {"duration_s": 120.0, "timeout_s": 2.0, "tags": 10000, "tags_from_s": 60.0},
            "histograms": (
                HistogramFile(file="histograms/1.json", trial=1, tester_alone=False),
                HistogramFile(file="histograms/0.json", trial=0, tester_alone=True),
            ),
            "tester_alone": tester_alone(),
            **changes,
        },
    )


def tester_alone(**changes: Any) -> TesterAlone:
    """A tenth of the delays with the DUT."""
    fields: dict[str, Any] = {
        "rate_fps": 103_412.0,
        "duration_s": 10.0,
        "trial": 0,
        "failure": None,
        "delays": tuple(
            TesterAloneDelay(
                direction=name,
                tl_ns=5_321.0,
                wcl_ns=19_876.0,
                pdv_ns=17_000.0,
                tagged=None,
                delay=delay(1000, 0.1),
                delay_variation=DelayVariation(pairs=999, min_ns=-900.0, median_ns=0.0, max_ns=950.0, mean_ns=0.01),
            )
            for name in DIRECTIONS
        ),
    }
    return TesterAlone(**{**fields, **changes})


def pdvs(**changes: Any) -> Measurement:
    """Three trials."""
    values: Values = {
        pdv.PDV: (1_182_821.0, 1_000_000.0, 1_500_000.0),
        pdv.D999: (1_204_224.0, 1_021_403.0, 1_521_403.0),
        pdv.ERROR: (1024.0, 512.0, 1024.0),
        pdv.DMIN: (21_403.0, 21_403.0, 21_403.0),
        pdv.DELAYS: (206_824, 206_824, 206_800),
        latency.FRAMES_LOST: (0, 0, 24),
        pdv.FROM_DUE: (1_190_000.0, 1_010_000.0, None),
    }
    return measurement(
        "pdv",
        values,
        **{"tester_alone": tester_alone(), "parameters": {"duration_s": 60.0, "timeout_s": 2.0}, **changes},
    )


def ipdvs(**changes: Any) -> Measurement:
    """Three trials."""
    values: Values = {
        ipdv.MINIMUM: (-812_345.0, -900_000.0, -700_000.0),
        ipdv.MEDIAN: (12.0, 0.0, -3.0),
        ipdv.MAXIMUM: (1_812_345.0, 1_900_000.0, 1_700_000.0),
        ipdv.MEAN: (0.4, 0.2, 0.3),
        ipdv.PAIRS: (206_823, 206_823, 206_790),
        latency.FRAMES_LOST: (0, 0, 24),
    }
    return measurement("ipdv", values, **{"tester_alone": tester_alone(), **changes})


def bursts(**changes: Any) -> Measurement:
    """RFC 9004 §6.4: average 26,000 frames at 14,880,952 fps with a throughput of 11,000,000."""
    values: Values = {back_to_back.BURST: (25_000, 26_000, 27_000), back_to_back.STEP: (200, 200, 260)}
    times = back_to_back.buffer_times(26_000, 11_000_000.0, 14_880_952.0)
    return measurement(
        "back_to_back",
        values,
        **{
            "rate_fps": 14_880_952.0,
            "throughput_fps": 11_000_000.0,
            "theoretical_maximum_fps": 14_880_952.38,
            "share": None,
            "derived": tuple(
                DerivedValue(
                    quantity=one.name, unit=one.unit, meaning=one.meaning, standard=one.standard, value=one.value
                )
                for one in times
            ),
            "parameters": {
                "duration_s": 2.0,
                "timeout_s": 2.0,
                "search": "binary search with loss verification",
                "maximum_repeats": 2,
                "repeat_up_to_frames": None,
                "step_frames": None,
                "step_percent": 1.0,
            },
            **changes,
        },
    )


def not_applicable() -> Measurement:
    """RFC 9004 §6.1."""
    why = NoResult("not applicable", "the throughput of 9000 fps reaches the highest rate of 9000 fps", "RFC 9004 §6.1")
    return measurement(
        "back_to_back",
        {},
        no_result=why,
        frame_size=SideSizes(left=1280, right=1260),
        frame_size_named=1280,
        share=None,
    )


def recoveries(**changes: Any) -> Measurement:
    """Two trials."""
    values: Values = {
        system_recovery.RECOVERY: (0.0125, 0.0135),
        system_recovery.LAST_LOST: (6_000_000, 6_000_010),
        latency.FRAMES_LOST: (500, 510),
    }
    parameters = {"duration_s": 60.0, "overload_percent": 110.0, "reduced_percent": 50.0, "reduced_s": 60.0}
    return measurement("system_recovery", values, **{"parameters": parameters, "share": None, **changes})


def resets(**changes: Any) -> Measurement:
    """Two trials with a restart."""
    values: Values = {
        reset.BY_LOSS: (1.25, 1.35),
        reset.BY_TIME_STAMPS: (1.26, None),
        latency.FRAMES_LOST: (125_000, 135_000),
        reset.RESTART: (0.4, 0.5),
    }
    parameters = {"duration_s": 60.0, "event": "restart", "event_at_s": 15.0, "reset_of": "process"}
    return measurement("reset", values, **{"parameters": parameters, "share": None, **changes})


def everything() -> tuple[Measurement, ...]:
    """One measurement of each procedure on times, and one that does not apply."""
    return latencies(), pdvs(), ipdvs(), bursts(), not_applicable(), recoveries(), resets()


def histogram_file(folder: Path, trial: int, counts: Sequence[tuple[int, int]]) -> None:
    """A file as the campaign writes it (docs/protocol.md)."""
    found = {"foreground": {"delay": {"histogram": {"sub_bucket_bits": 10, "counts": [list(pair) for pair in counts]}}}}
    path = folder / "histograms" / f"{trial}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"trial": trial, "run": "run", "forward": found, "reverse": found}), encoding="utf-8")
