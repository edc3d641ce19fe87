"""What the report says in words: directions, mixes, frame sizes, reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from xlatperf.engine.message import SideName
from xlatperf.procedures.class_loss import limiting
from xlatperf.procedures.conditions import Throughput
from xlatperf.procedures.in_words import MORE_POSSIBLE
from xlatperf.procedures.quantity import LimitedBy
from xlatperf.procedures.registry import BY_NAME
from xlatperf.report.bounds import of_share
from xlatperf.report.numerals import NONE
from xlatperf.results.frames import Mix, SideSizes
from xlatperf.results.results import Measurement
from xlatperf.technologies import registry as technologies

ARROWS = {
    "forward": "forward\N{NO-BREAK SPACE}→",
    "reverse": "reverse\N{NO-BREAK SPACE}←",
    "bidirectional": "both\N{NO-BREAK SPACE}⇄",
}
DIRECTIONS = {
    "forward": "left to right",
    "reverse": "right to left",
    "bidirectional": "in both directions at once",
}
LIMITS = {
    "dut": "DUT",
    "tester": "Tester",
    "maximum": "highest rate asked",
    "minimum": "lowest rate failed",
    "resolution": "too few connections",
    "buffers": "phase 1 below 1 s",
}


def technology(settings: dict[str, object]) -> str:
    """`SIIT`, `native IPv6 forwarding`; the name of what isn't known."""
    model = technologies.of(settings)
    return str(settings.get("name", "")) if model is None else model.in_words(settings)


def verb(settings: dict[str, object], mix: Mix) -> str:
    """What the DUT did with the frames; native IPv6 alone is forwarded (RFC 8219 §5.3)."""
    if not mix.take:
        return "forwarded"
    model = technologies.of(settings)
    return "carried" if model is None else model.verb


def sizes(size: SideSizes) -> str:
    """`84/64`, left before right; `128` if they are the same; of several as one traffic what they are."""
    if size.mixed is not None:
        return f"{size.mixed.text} (mean {of_side(size, 'left')}/{of_side(size, 'right')})"
    return f"{size.left:,}" if size.left == size.right else f"{size.left:,}/{size.right:,}"


def of_bytes(size: int, several: str) -> str:
    """`64 bytes`; of several sizes as one traffic these."""
    return f"{several or format(size, ',')} bytes"


def mixed(size: SideSizes) -> str:
    """What the sequence of sizes is."""
    return size.text or "one size"


def of_side(size: SideSizes, side: SideName) -> str:
    """On one side; of several the mean."""
    exact = size.exact(side)
    return f"{exact:,}" if size.mixed is None else f"{exact:,.1f}"


def mix(value: Mix) -> str:
    """`100 %`, or how much is foreground and how much native."""
    if value.take == value.of:
        return "100 %"
    share = 100 * value.take / value.of
    if not share:
        return "native IPv6 alone"
    return f"{share:g} % + {100 - share:g} % native IPv6"


def with_mix(measurement: Measurement) -> str:
    """` with 50 % native IPv6 in the mix`; nothing without background."""
    value = measurement.mix
    if not value.take:
        return " of native IPv6 alone"
    return "" if standard_mix(measurement) else f" with {100 * (1 - value.take / value.of):g} % native IPv6 in the mix"


def limited_by(measurement: Measurement) -> str:
    """What limits the repetitions: `DUT`, or `DUT 2, Tester 1`."""
    return limits([item.limited_by for item in measurement.repetitions if item.limited_by is not None])


def limits(found: Sequence[LimitedBy]) -> str:
    """The same of these."""
    counts = Counter(LIMITS[one] for one in found)
    if len(counts) <= 1:
        return next(iter(counts), NONE)
    return ", ".join(f"{name} {count}" for name, count in counts.most_common())


def limiting_class(measurement: Measurement) -> str | None:
    """Of which class more is lost just above the rate found, in the first repetition where they differ; None: none."""
    each = (limiting(item.search.class_loss_percent_above) for item in measurement.repetitions if item.search)
    return next((said for said in each if said is not None), None)


def share(measurement: Measurement) -> str:
    """`50 % of the throughput`; `no more than` that if it is a lower bound. Only where there is a share."""
    said = f"{100 * (measurement.share or 0):g} % of the throughput"
    return f"no more than {said}" if of_share(measurement) else said


def throughput(measurement: Measurement) -> str:
    """That the rates follow from: `1,000 fps`; of a lower bound why it's one."""
    return Throughput(measurement.throughput_fps or 0.0, measurement.throughput_more_possible).in_words()


def only_limit(measurement: Measurement, limit: str) -> bool:
    """True if this alone limits all repetitions that have a result."""
    limits = {item.limited_by for item in measurement.repetitions if item.limited_by is not None}
    return limits == {limit}


def limited_elsewhere(measurement: Measurement) -> bool:
    """True if of some repetition it isn't the DUT that keeps the result from being higher: it's a lower bound."""
    return any(item.limited_by in MORE_POSSIBLE for item in measurement.repetitions)


def where_alone(measurements: Sequence[Measurement]) -> str:
    """Where the Tester was measured alone."""
    places = {item.tester_alone.over for item in measurements if item.tester_alone is not None}
    over = ("over the same ports, joined to each other without the DUT",) if "ports" in places else ()
    memory = ("in a loopback in memory, without ports, drivers and DUT",) if places - {"ports"} or not places else ()
    return ", or ".join((*over, *memory))


def standards(measurements: Sequence[Measurement]) -> str:
    """`RFC 9693 §4.5; RFC 9693 §4.6`: by what they were measured."""
    classic = [item for item in measurements if item.frame_timeout_ms is None]  # the others say the same and more
    said = "; ".join(dict.fromkeys(item.standard for item in classic or measurements))
    return f"{said[:1].upper()}{said[1:]}"


def tolerance(measurement: Measurement) -> str:
    """`without loss`, or with how much."""
    allowed = {name: ratio for name, ratio in measurement.loss_tolerance.items() if ratio}
    if not allowed:
        return "without loss"
    isnt = (
        "RFC 2544 throughput" if BY_NAME[measurement.procedure].facts.finds == "throughput" else "the rate of RFC 9693"
    )
    if len(set(measurement.loss_tolerance.values())) == 1:
        return f"with at most {100 * next(iter(allowed.values())):g} % loss (not {isnt})"
    parts = " and ".join(f"{100 * ratio:g} % {name}" for name, ratio in allowed.items())
    return f"with at most {parts} loss (not {isnt})"


def timely(measurement: Measurement) -> str:
    """` and with every frame within 5 ms`; nothing without a frame timeout."""
    timeout = measurement.frame_timeout_ms
    return "" if timeout is None else f" and with every frame back within {timeout:g} ms"


def frame_timeout(measurement: Measurement) -> str:
    """`5 ms`, or `none`, as RFC 2544 has it."""
    timeout = measurement.frame_timeout_ms
    return "none" if timeout is None else f"{timeout:g} ms"


def standard_mix(measurement: Measurement) -> bool:
    """True if all frames are foreground."""
    return measurement.mix.take == measurement.mix.of
