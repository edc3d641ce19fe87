"""Nothing that the engine says of a trial is lost between it and the journal, whatever it was asked for."""

from __future__ import annotations

from pathlib import Path

from tests.engine_client.by_reason import by_reason
from tests.engine_system.engine_process import engine
from tests.engine_system.messages import configuration, open_loopback, trial
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.results.histograms import take_out


def test_of_all_that_can_be_asked_for(tmp_path: Path) -> None:
    message = configuration(loopback=True)
    message["traffic"]["foreground"] = {"take": 1, "of": 2}
    asked = trial(
        tags={"count": 10, "from_s": 0.01},
        then=[{"rate_fps": 10_000, "duration_s": 0.05}],
        delay_variation=True,
        due_delays=True,
        histograms=True,
        raw_delays=str(tmp_path / "raw"),
        frame_timeout_ms=1000,
    )
    over_time = trial(number=2, interval_s=0.05)
    with engine() as process:
        process.do("configure", **message)
        open_loopback(process)
        answer = process.do("trial", number=1, **asked)
        told = process.do("trial", **over_time)
    assert TrialAnswer.model_validate(told).dump() == by_reason(told)
    assert len(told["forward"]["intervals"]) == 2
    read = TrialAnswer.model_validate(answer)
    assert read.dump() == by_reason(answer)
    kept, histograms = take_out(read)
    assert kept.dump() == read.dump()
    assert histograms["forward"]["background"]["delay_from_due"] == {
        "histogram": answer["forward"]["background"]["delay_from_due"]["histogram"]
    }
    assert set(histograms["reverse"]) == {"foreground", "background", "together", "departure"} & set(answer["reverse"])
