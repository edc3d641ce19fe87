"""Where the measures of a bench file do something else than their standards say."""

from __future__ import annotations

from collections.abc import Iterator

from xlatperf.campaign.experiment import OWN_ENTRIES
from xlatperf.campaign.old_connections import TRIED
from xlatperf.config.bench import Bench
from xlatperf.config.connections import ConnectionSpace
from xlatperf.config.measure import (
    AfterPhase1,
    AtRate,
    BackToBack,
    Capacity,
    DelayMeasure,
    Establishment,
    Latency,
    Measure,
    MeasureBase,
    Reset,
    Teardown,
    Throughput,
    TimedRates,
    TrafficMeasure,
)
from xlatperf.procedures.capacity import ACCIDENT_SHARE
from xlatperf.procedures.full_table import FACTOR, RATES

Line = tuple[str, str, str]

SHORTEST = {
    "latency": ("RFC 8219 §7.2", 120.0),
    "pdv": ("RFC 8219 §7.3.1", 60.0),
    "ipdv": ("RFC 8219 §7.3.2", 60.0),
    "system_recovery": ("RFC 2544 §26.5", 60.0),
}
"""Sections and durations in s; a burst and a reset have none."""


def of_measures(bench: Bench) -> Iterator[Line]:
    """Section, what it says, what is done here."""
    for measure in bench.measure:
        name = measure.name or measure.procedure.replace("_", " ")
        yield from _of_trials(measure, name)
        if isinstance(measure, TimedRates) and measure.frame_timeout_ms is not None:
            yield (
                "RFC 2544 §26.1",
                "a frame may arrive until the end of the trial",
                f"{name}: results in which a frame that took longer than {measure.frame_timeout_ms:g} ms counts as "
                "lost stand beside the classic ones",
            )
        if isinstance(measure, TrafficMeasure) and measure.direction != "bidirectional":
            yield ("RFC 8219 §5.3", "traffic in both directions", f"{name}: {measure.direction} only")
        if 84 in measure.frame_sizes and bench.traffic.frame_size_of == "ipv6":
            yield (
                "RFC 8219 §5.1.1",
                "64-byte frames",
                f"{name}: 84-byte IPv6 frames in their place, as RFC 8219 itself says: 64 bytes can't hold IPv6 and "
                "UDP",
            )
        if isinstance(measure, Throughput):
            yield from _of_throughput(measure, name)
        if bench.traffic.connections is not None:
            yield from _of_connections(bench.traffic.connections, measure, name)
        if isinstance(measure, AtRate):
            yield from _of_rate(measure, name)
        if isinstance(measure, BackToBack):
            yield (
                "RFC 8219 §7.5",
                "back-to-back frames as in RFC 2544 §26.4",
                f"{name}: RFC 9004, which updates that section; bursts go at the highest rate that the Tester can send "
                "where the media's is higher, and buffer times are calculated with that rate",
            )


def _of_connections(space: ConnectionSpace, measure: Measure, name: str) -> Iterator[Line]:
    """Stateful DUTs."""
    if space.enumeration == "pseudorandom":
        yield ("RFC 9693 §4.4", "four tuples are enumerated pseudorandomly, by a shuffle", "by a keyed permutation")
    else:
        yield ("RFC 9693 §4.4", "four tuples are enumerated pseudorandomly", f"in {space.enumeration} order")
    yield (
        "RFC 9693 §4.4",
        "the DUT's table is empty before each experiment",
        f"the driver empties it and counts; up to {OWN_ENTRIES} entries that the DUT holds for itself are reported, "
        f"more make the experiment invalid. {TRIED} frames from the Responder on connections of the experiment before "
        "must not come in",
    )
    if space.read_order != "pseudorandom":
        yield ("RFC 9693 §4.10", "the state table is read pseudorandomly (recommended)", "round robin")
    if space.write_order != "round_robin":
        yield ("RFC 9693 §4.10", "the state table is written round robin (recommended)", "pseudorandomly")
    if isinstance(measure, TrafficMeasure):
        yield (
            "RFC 9693 §4.7",
            "the Responder updates its state table in phase 2",
            "phase 2 keeps to what phase 1 has learnt: a mapping that changes counts as wrong",
        )
    if isinstance(measure, Teardown):
        yield (
            "RFC 9693 §4.8",
            "tear-down rate = N / (TimestampB - TimestampA)",
            "less what deleting an empty table takes (draft-lencse-v6ops-transition-scalability); both are stated",
        )
    if isinstance(measure, Establishment):
        yield (
            "RFC 9693 §4.5",
            "binary search of the rate",
            f"{name}: ends where the same number of connections works at {RATES} rates or more, the highest {FACTOR:g} "
            "times the lowest: the table is full, and no rate helps",
        )
    if isinstance(measure, Capacity):
        yield (
            "RFC 9693 §4.9",
            "binary search of the rate for each number of connections",
            f"{name}: the last safe rate is tried first, then a guess, then the lowest rate that counts (abandoned if "
            "that fails), then halves: the same outcome within the stop width in fewer experiments; a lowest rate that "
            f"lost at most {100 * ACCIDENT_SHARE:g} % is tried twice",
        )
        yield (
            "RFC 9693 §4.9",
            "how a collapse of the DUT is detected is left open",
            f"{name}: its driver says so, or it doesn't answer ARP or Neighbor Discovery; a DUT with gateway_mac isn't "
            "asked",
        )
        yield (
            "RFC 9693 §4.9",
            "R0 is found with C0, a number known to be safe",
            f"{name}: C0 and R0 grow from {measure.safe_connections:,} connections until phase 1 takes "
            f"{measure.minimum_phase_1_s:g} s at R0, as buffers take a shorter one",
        )
    if isinstance(measure, Capacity | Establishment | Teardown) and measure.repetitions < 2:
        yield ("RFC 9693 §6", "measurements are executed multiple times", f"{name}: once")
    if isinstance(measure, AfterPhase1) and measure.establish_fps is not None:
        yield (
            "RFC 9693 §4.2",
            "phase 1 is safely below the maximum connection establishment rate, which is measured first",
            f"{name}: phase 1 at the {measure.establish_fps:g} connections/s that the bench file says",
        )


def _of_trials(measure: Measure, name: str) -> Iterator[Line]:
    section, shortest = SHORTEST.get(measure.procedure, ("RFC 2544 §24", 60.0))
    short = isinstance(measure, TrafficMeasure) and measure.duration_s < shortest
    if isinstance(measure, TrafficMeasure) and short and not isinstance(measure, BackToBack | Reset):
        said = f"trials of at least {shortest:g} s"
        yield (section, said, f"{name}: trials of {measure.duration_s:g} s")
    if measure.timeout_s < 2:
        yield ("RFC 2544 §23(d)", "wait 2 s for residual frames", f"{name}: {measure.timeout_s:g} s")
    if measure.settle_s < 5:
        yield ("RFC 2544 §23(e)", "wait at least 5 s after a trial", f"{name}: {measure.settle_s:g} s")
    if measure.learning_wait_s < 2:
        yield ("RFC 2544 §23(b)", "wait 2 s after the learning frames", f"{name}: {measure.learning_wait_s:g} s")


def _of_throughput(measure: Throughput, name: str) -> Iterator[Line]:
    tolerance = measure.loss_tolerance
    if tolerance.forward or tolerance.reverse:
        yield (
            "RFC 2544 §26.1",
            "no frame may be lost",
            f"{name}: a share of {tolerance.forward:g} forward and {tolerance.reverse:g} reverse may be lost; this is "
            "not RFC 2544 throughput",
        )
    if measure.search_duration_s is not None and measure.search_duration_s < measure.duration_s:
        yield (
            "RFC 2544 §24",
            "full-length trials; shorter ones may be used to search",
            f"{name}: the search uses trials of {measure.search_duration_s:g} s, its result is determined with "
            f"{measure.duration_s:g} s",
        )
    if measure.repetitions < 2:
        yield ("RFC 8219 §12", "several iterations", f"{name}: one")


def _of_rate(measure: AtRate, name: str) -> Iterator[Line]:
    """Latency, delay variation, reset."""
    if isinstance(measure, Reset):
        if measure.event_at_s < 15:
            said = "the DUT forwards for at least 15 s before the reset"
            yield ("RFC 6201 §4", said, f"{name}: {measure.event_at_s:g} s")
        if measure.event == "restart":
            yield (
                "RFC 6201 §4.2.1, §4.3.1",
                "reset of the operating system and interruption of power are required",
                f"{name}: the DUT's process is restarted (§4.2.2)",
            )
        if measure.reset_of == "power" and measure.power_off_s < 15:
            said = "the power is interrupted for at least 15 s"
            yield ("RFC 6201 §4.3.1", said, f"{name}: {measure.power_off_s:g} s")
        return
    section = SHORTEST[_procedure(measure)][0]
    if isinstance(measure, DelayMeasure) and measure.repetitions < 20:
        yield (section, "at least 20 repetitions", f"{name}: {measure.repetitions} repetitions")
    if isinstance(measure, Latency) and measure.first_tag_s < 60:
        yield (section, "tagged frames after 60 s", f"{name}: after {measure.first_tag_s:g} s")
    if measure.rate_fps is not None:
        yield (section, "the rate is the throughput", f"{name}: {measure.rate_fps:g} fps per direction")
    if measure.rate_fps is None and set(measure.shares) != {1.0}:
        shares = ", ".join(f"{100 * share:g} %" for share in measure.shares)
        yield (section, "the rate is the throughput", f"{name}: {shares} of it")


def _procedure(measure: MeasureBase) -> str:
    return str(getattr(measure, "procedure", ""))
