"""Reset: how long the DUT does not forward when it is reset (RFC 6201 §4, by RFC 8219 §7.7).

The drivers here restart the DUT's process (RFC 6201 §4.2.2, optional there). Resets of the operating system (§4.2.1)
and of the power (§4.3) are done by hand or by a switched socket, with `event = manual`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from pydantic import model_validator

from xlatperf.engine.message import DirectionName
from xlatperf.engine.trial_answer import MovedGateway
from xlatperf.keys.model import REQUIRED, Number, Whole, key
from xlatperf.keys.needs import Need
from xlatperf.keys.not_allowed import exact, refuse
from xlatperf.procedures.at_rate import AtRate
from xlatperf.procedures.conditions import Conditions
from xlatperf.procedures.deviation import Deviation
from xlatperf.procedures.facts import Facts
from xlatperf.procedures.latency import FRAMES_LOST
from xlatperf.procedures.procedure import Parameter
from xlatperf.procedures.quantity import Measured, Quantity, Value, nothing_found
from xlatperf.procedures.trial import Measure, MeasurementFailed, Trial, link_followed
from xlatperf.procedures.trial_request import TrialRequest

BY_LOSS = Quantity(
    "reset time by frame loss", "s", "frames lost / offered rate", "RFC 6201 §1.3, frame loss method", headline="mean"
)
BY_TIME_STAMPS = Quantity(
    "reset time by time stamps",
    "s",
    "arrival of the first frame after the reset - arrival of the last one before: the longest gap between two arrivals",
    "RFC 6201 §1.3, time stamp method",
    headline="mean",
)
RESTART = Quantity("restart call", "s", "how long the driver's restart took by itself", headline="mean", role="beside")
HELD_BACK = 0.1
"""The methods may differ by this share before it is said why."""


class Reset(AtRate):
    """RFC 8219 §7.7, RFC 6201 §4: how long the DUT does not forward when it is reset."""

    facts = Facts(
        title="Reset",
        standard="RFC 6201 §4, RFC 8219 §7.7",
        quantities=(BY_LOSS, BY_TIME_STAMPS, FRAMES_LOST, RESTART),
        shortest=("RFC 6201 §4", 0.0),
        smallest_only=True,
        needs_a_result=True,
        not_with_connections="a stateful DUT that is reset loses its connections, so phase 2 can't go on",
    )

    procedure: Literal["reset"] = key(REQUIRED, "procedure")
    duration_s: Number = key(
        60.0,
        "how long each trial sends, in s; the DUT must forward again before it ends",
        gt=0,
        le=86400,
        source="RFC 6201 §4 gives none",
    )
    event: Literal["restart", "manual"] = key(
        "restart",
        "the reset: restart (the driver restarts the DUT's process) or manual (you, or a switched socket, do it)",
        source="RFC 6201 §4.2.2: process reset; §4.2.1 and §4.3 by hand",
    )
    reset_of: Literal["process", "operating_system", "routing_processor", "line_card", "power"] | None = key(
        None,
        "what is reset; needed with manual, which may be any of them",
        source="RFC 6201 §4.1.1, §4.1.2 hardware; §4.2.1, §4.2.2 software; §4.3 power",
    )
    power_off_s: Number = key(
        15.0,
        "with reset_of power: how long the power is off, which is subtracted",
        ge=0,
        le=3600,
        source="RFC 6201 §4.3.1: at least 15 s, subtracted from the result",
    )
    event_at_s: Number = key(
        15.0,
        "when the reset is started, in s after the trial",
        ge=0,
        le=86400,
        source="RFC 6201 §4: the DUT forwards for at least 15 s before",
    )
    repetitions: Whole = key(
        10, "number of trials", ge=1, le=10000, source="RFC 6201 §4: several, their number is to be reported"
    )

    @model_validator(mode="after")
    def _event_within(self) -> Reset:
        if self.event_at_s >= self.duration_s:
            refuse("event_at_s", self.event_at_s, f"less than duration_s, which is {exact(self.duration_s)}")
        if self.event == "manual" and self.reset_of is None:
            refuse(
                "reset_of",
                None,
                "with event = manual process, operating_system, routing_processor, line_card or power",
            )
        if self.event == "restart" and self.reset_of not in (None, "process"):
            refuse("reset_of", self.reset_of, "process with event = restart")
        return self

    @property
    def interruption_s(self) -> float:
        """Of the power, which isn't the DUT's (RFC 6201 §4.3.1)."""
        return self.power_off_s if self.reset_of == "power" else 0.0

    @property
    def needs(self) -> frozenset[Need]:
        """The driver restarts the DUT, unless that is done by hand."""
        return super().needs | ({"restart"} if self.event == "restart" else frozenset())

    def parameters(self) -> dict[str, Parameter]:
        """The event."""
        known: dict[str, Parameter] = {
            **super().parameters(),
            "event": self.event,
            "event_at_s": self.event_at_s,
            "reset_of": self.reset_of or "process",
        }
        return {**known, "power_off_s": self.power_off_s} if self.interruption_s else known

    def deviations(self) -> Iterator[Deviation]:
        """RFC 6201 §4."""
        yield from super().deviations()
        if self.event_at_s < 15:
            said = "the DUT forwards for at least 15 s before the reset"
            yield Deviation("RFC 6201 §4", said, f"{self.label}: {self.event_at_s:g} s")
        if self.event == "restart":
            yield Deviation(
                "RFC 6201 §4.2.1, §4.3.1",
                "reset of the operating system and interruption of power are required",
                f"{self.label}: the DUT's process is restarted (§4.2.2)",
            )
        if self.reset_of == "power" and self.power_off_s < 15:
            said = "the power is interrupted for at least 15 s"
            yield Deviation("RFC 6201 §4.3.1", said, f"{self.label}: {self.power_off_s:g} s")

    def request(self, conditions: Conditions) -> TrialRequest:
        """RFC 6201 §4: traffic for at least 15 s before the event, timed from when the trial was asked for."""
        return replace(conditions.at_rate, purpose="reset", event=self.event, event_at_s=self.event_at_s)

    def run(self, conditions: Conditions, measure: Measure) -> Measured:
        """One trial. Raises MeasurementFailed."""
        request = self.request(conditions)
        attempts: list[Trial] = []
        for _ in range(self.retries + 1):
            attempts.append(measure(request))
            if attempts[-1].valid or link_followed(reason.code for reason in attempts[-1].reasons):
                break
        else:
            raise MeasurementFailed(f"no valid trial in {len(attempts)} attempts", *attempts[-1].why_invalid)
        outcome = attempts[-1]
        event = outcome.event
        if event is not None and event.error is not None:
            raise MeasurementFailed("the DUT could not be restarted", event.error)
        trials = tuple(attempt.number for attempt in attempts)
        values = [value for name in outcome.directions for value in reset_values(self, request, outcome, name)]
        if event is not None and event.kind == "restart":
            values.append(Value(RESTART, None, event.ended_s - event.started_s))
        remarks = [_moved(gateway) for gateway in outcome.moved_gateways]
        if not outcome.valid:
            remarks.append("the Tester's port went down with the DUT's: only the time stamp method is right")
        return Measured(
            tuple(values),
            trials,
            outcome.number,
            tuple(remarks),
            nothing_found(values),
        )


def _moved(gateway: MovedGateway) -> str:
    came = f"{gateway.side}: {gateway.gateway} came back with the MAC address {gateway.answers_from}"
    if gateway.given:
        return (
            f"{came}, but frames went on to {gateway.sent_to}, which tester.{gateway.side}.gateway_mac of the bench "
            "file says: without it the Tester asks again"
        )
    return (
        f"{came} instead of {gateway.sent_to}: the Tester asked for it after 10 ms of silence, then each hundredth of "
        "the silence, by which the values may be too high"
    )


def reset_values(wanted: Reset, request: TrialRequest, outcome: Trial, name: DirectionName) -> list[Value]:
    """One direction's, by both methods (RFC 6201 §1.3: if both are possible, the more accurate one should be used)."""
    direction = outcome.directions[name]
    lost = direction.loss
    values = [Value(FRAMES_LOST, name, float(lost))]
    if direction.expected == 0 or direction.last_lost == direction.sent - 1:
        after = request.duration_s - wanted.event_at_s
        why = f"the DUT did not forward again within {after:g} s: a longer duration_s shows when it does"
        return [Value(BY_LOSS, name, None, why), Value(BY_TIME_STAMPS, name, None, why), *values]
    gap = direction.longest_gap
    event_s = outcome.event.started_s if outcome.event is not None else 0.0
    before = gap is not None and gap.before / request.rate_fps + gap.ns / 1e9 < event_s
    if before and lost:
        why = "the longest gap lies before the reset: it is not the reset's, and neither may the lost frames be"
        return [Value(BY_LOSS, name, None, why), Value(BY_TIME_STAMPS, name, None, why), *values]
    by_loss_s, gap_s = lost / direction.offered_fps, gap.ns / 1e9 if gap is not None and not before else None
    remark = None
    if gap_s is not None and gap_s - by_loss_s > max(HELD_BACK * gap_s, 2 / direction.offered_fps):
        remark = "frames that the DUT held back are not lost: it stood still for longer than the frame loss method says"
    if lost == 0:
        remark = "no frame was lost: the reset took less than a frame's interval, or did not take place"
    off_s = wanted.interruption_s
    longest_s = max(by_loss_s if outcome.valid else 0.0, gap_s or 0.0)
    if longest_s < off_s:
        why = f"the DUT stood still for {longest_s:.3g} s, less than the {off_s:g} s for which its power must be off"
        return [Value(BY_LOSS, name, None, why), Value(BY_TIME_STAMPS, name, None, why), *values]
    return [
        Value(BY_LOSS, name, max(0.0, by_loss_s - off_s), remark) if outcome.valid else Value(BY_LOSS, name, None),
        Value(BY_TIME_STAMPS, name, max(0.0, gap_s - off_s) if gap_s is not None else None, remark),
        *values,
    ]
