"""`xlatperf check`: its last line, whatever it saw, and its exit code."""

from __future__ import annotations

from collections.abc import Sequence

from xlatperf.commands.checked import Checked, usual_came
from xlatperf.config.bench import Bench
from xlatperf.failures import Exit
from xlatperf.keys.in_words import plural
from xlatperf.meaning.spoilt import spoilt_fields
from xlatperf.meaning.unusual import unusual
from xlatperf.procedures.negative import NegativeOutcome

SILENT = "Verdict: the DUT did not answer, so nothing was tried."


def verdict(
    bench: Bench, seen: Sequence[Checked], refusals: Sequence[NegativeOutcome], rate_fps: float
) -> tuple[Exit, str]:
    """What a DUT does wrong comes before what the Tester couldn't do."""
    wrong = sum(one.answer.valid and not one.right for one in seen)
    forwarded = sum(bool(one.wrongly) for one in refusals)
    said = [f"not all was right in {wrong} of {plural(len(seen), 'trial')}"] if wrong else []
    lossy = len({(one.test.direction, one.test.part) for one in refusals if one.right_missing})
    if lossy:
        said.append(
            f"right frames of {plural(lossy, 'part')} of the traffic did not all come, when only these were sent"
        )
    if forwarded:
        said.append(f"it did not refuse {forwarded} of {plural(len(refusals), 'kind')} of frames that it must")
    may_drop = [kind for kind in unusual(bench).values() if kind.allowed]
    if len(said) == 1 and may_drop and wrong == sum(usual_came(one, seen, bench) is True for one in seen):
        return Exit.MEASUREMENT_FAILED, f"Verdict: {may_drop[0].verdict}."
    if said:
        return Exit.MEASUREMENT_FAILED, f"Verdict: the DUT does not do what it must: {'; '.join(said)}."
    invalid = [one for one in seen if not one.answer.valid and not one.burst]
    if not invalid:
        return Exit.DONE, _all_came(seen, rate_fps)
    if {reason.code for one in invalid for reason in one.answer.reasons} != {"not_emptied"}:
        tried = f"{len(invalid)} of {plural(len(seen), 'trial')}"
        return Exit.TESTER, f"Verdict: nothing is known of the DUT: the Tester could not do {tried}."
    # That isn't the Tester's failure; the command of the driver `manual` is the user's.
    code = Exit.USER if bench.device.users_own else Exit.MEASUREMENT_FAILED
    return code, "Verdict: nothing is known of the DUT: its connection tracking table could not be emptied."


def _all_came(seen: Sequence[Checked], rate_fps: float) -> str:
    """Where nothing was wrong; what a burst lost, and what couldn't be tried, isn't among all."""
    bursts = [one.answer for one in seen if one.burst]
    each = [one for answer in bursts if answer.valid for one in answer.directions.values()]
    sent, lost = sum(one.sent for one in each), sum(counters.lost for one in each for counters in one.classes.values())
    untried = sum(not answer.valid for answer in bursts)
    accepted = spoilt_fields((one.answer for one in seen), ())
    but = f", but for what traffic.accept has ({', '.join(accepted)})" if accepted else ""
    if not lost and not untried:
        return f"All frames came back as they must{but}."
    said = [f"At {rate_fps:,g} per second all frames came back as they must{but}"]
    if lost:
        said.append(f"in bursts {lost:,} of {sent:,} were lost")
    if untried:
        said.append(f"{plural(untried, 'burst')} could not be tried")
    return f"{'; '.join(said)}."
