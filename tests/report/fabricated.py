"""Test data: results that no one measured, but that could be."""

from __future__ import annotations

from typing import Any

from tests.report.fabricated_trial import EXPECTED_IPV4, WRONG_IPV4, delay, trial
from xlatperf.procedures.frame_loss import LOSS, OFFERED
from xlatperf.procedures.quantity import LimitedBy, Search, Value
from xlatperf.procedures.throughput import ERROR, RATE
from xlatperf.results.results import Deviation, FailureRecord, Finding, Measurement, Repetition, Results
from xlatperf.results.selftest_records import SelfTestDelay, SelfTestEntry
from xlatperf.results.trial_records import Mix, SampleRecord, SideSizes
from xlatperf.run.measurement import series

ENVIRONMENT: dict[str, Any] = {
    "host": {
        "name": "lab-7",
        "system": "Linux-6.18.0-x86_64",
        "kernel": "6.18.0",
        "cpu": "Example CPU E5-0000 @ 2.00GHz",
        "cpu_count": 2,
        "hypervisor": True,
        "memory": "8152044 kB",
        "kernel_parameters": {"/proc/sys/net/core/netdev_max_backlog": "1000"},
    },
    "software": {"xlatperf": "0.1.0", "python": "3.11.2", "packages": {"numpy": "2.4.6", "plotly": "7.1.0"}},
    "engine": {
        "version": "0.1.0",
        "dpdk": "DPDK 22.11.11",
        "hugepages": False,
        "cores": [1],
        "clock": {"source": "tsc", "hz": 1999999000.1, "uncertainty_ppm": 0.2, "invariant": True},
        "left": {
            "port": "net_af_packet0,iface=t0",
            "driver": "net_af_packet",
            "mac": "02:00:00:00:00:01",
            "link_up": True,
            "speed_mbps": 10000,
            "mtu": 1500,
            "receive_drops_known": True,
        },
        "right": {
            "port": "net_af_packet1,iface=t1",
            "driver": "net_af_packet",
            "mac": "02:00:00:00:00:02",
            "link_up": True,
            "speed_mbps": 0,
            "mtu": 1500,
            "receive_drops_known": False,
        },
    },
    "device": {
        "tayga": "0.9.2",
        "tayga.conf": "tun-device nat64\nprefix 2001:db8:6464::/96\nmap 198.18.0.0/16 2001:2::/112\n",
        "tun.queue_length": "10000",
        "kernel": "Linux 6.18.0 #1 SMP",
        "mtu": "1500",
    },
    "sessions": [{"started": "2026-11-20T14:05:11+00:00", "changed": []}],
}

BENCH: dict[str, Any] = {
    "tester": {
        "seed": 1,
        "schedule": {"burst": 32, "late_us": 10000},
        "left": {"ipv4": "192.168.18.2/30", "ipv6": "2001:2:0:7fff::2/64"},
        "right": {"ipv4": "192.168.19.2/30", "ipv6": "2001:2:0:ffff::2/64"},
    },
    "device": {"driver": "tayga"},
    "technology": {"name": "siit", "ipv6_side": "left"},
}


def failure(what: str, *details: str) -> FailureRecord:
    """Of the first repetition."""
    return FailureRecord(repetition=1, what=what, details=details)


def throughput(
    size: int,
    rates: tuple[float, ...],
    trials: tuple[int, ...],
    *,
    mix: tuple[int, int] = (1, 1),
    limited_by: LimitedBy = "dut",
    tester_limit: float | None = 1_204_000.0,
) -> Measurement:
    """One cell of a throughput matrix."""
    repetitions = tuple(
        Repetition(
            number=index + 1,
            run=f"1-throughput/size={size}/{index + 1}",
            limited_by=limited_by,
            search=Search(
                lower_fps=rate or None,
                upper_fps=rate * 1.02,
                loss_percent_above={"forward": 0.4, "reverse": 0.0},
                inversions=0,
            ),
            final_trial=trials[index] if index < len(trials) else None,
            trials=trials,
        )
        for index, rate in enumerate(rates)
    )
    maximum = 10e9 / 8 / (size + 20)
    return Measurement(
        measure="throughput",
        series="throughput",
        procedure="throughput",
        standard="RFC 2544 §26.1, RFC 8219 §7.1",
        frame_size=SideSizes(left=size, right=size - 20),
        frame_size_named=size,
        mix=Mix(take=mix[0], of=mix[1]),
        direction="bidirectional",
        media_mbps=10000.0,
        theoretical_maximum_fps=maximum,
        minimum_fps=1000.0,
        maximum_fps=200000.0,
        tester_limit_fps=tester_limit,
        loss_tolerance={"forward": 0.0, "reverse": 0.0},
        repetitions=repetitions,
        values=series(
            {number: (Value(RATE, None, rate), Value(ERROR, None, 2000.0)) for number, rate in enumerate(rates, 1)}
        ),
        failures=() if rates else (failure("the DUT does not answer"),),
        complete=True,
    )


def without_losses(sweep: Measurement) -> Measurement:
    """The Tester could do none of its rates."""
    values = tuple(
        one.model_copy(
            update={"summary": None, "values": tuple(value.model_copy(update={"value": None}) for value in one.values)}
        )
        for one in sweep.values
        if one.quantity == LOSS.name
    )
    return sweep.model_copy(update={"values": values})


def frame_loss(
    size: int, maximum: float = 200_000.0, theoretical: float | None = 12_019_230.77, lost: float | None = None
) -> Measurement:
    """One sweep from the highest rate down, with one rate that the Tester could not offer. `lost`: at each, in %."""
    values = []
    for step in range(10):
        rate = maximum * (10 - step) / 10
        loss = max(0.0, 100 * (1 - 104_000 / rate)) if lost is None else lost
        valid = step != 0
        remark = None if valid else "the Tester sent 301,204 of 400,000 frames"
        for name, share in (("forward", 1.0), ("reverse", 0.6 if lost is None else 1.0)):
            found = loss * share if valid else None
            values.append(Value(LOSS, name, found, remark, rate_fps=rate, trial=20 + step))  # type: ignore[arg-type]
        values.append(Value(OFFERED, None, rate, rate_fps=rate, trial=20 + step))
        if step > 6:
            break
    return Measurement(
        measure="frame loss",
        series="frame loss",
        procedure="frame_loss",
        standard="RFC 2544 §26.3, RFC 8219 §7.4",
        frame_size=SideSizes(left=size, right=size - 20),
        frame_size_named=size,
        mix=Mix(take=1, of=1),
        direction="bidirectional",
        media_mbps=10000.0 if theoretical else None,
        theoretical_maximum_fps=theoretical,
        minimum_fps=None,
        maximum_fps=maximum,
        tester_limit_fps=1_204_000.0,
        loss_tolerance={},
        repetitions=(),
        values=series({1: values}),
        failures=(),
        complete=True,
    )


def sample(**changes: Any) -> SampleRecord:
    """A frame with a wrong destination address."""
    return SampleRecord(
        **{
            "side": "right",
            "direction": "forward",
            "reason": "wrong_address",
            "number": 17,
            "traffic_class": "foreground",
            "received": WRONG_IPV4,
            "expected": EXPECTED_IPV4,
            "text": "destination 198.19.0.3, expected 198.19.0.2",
            **changes,
        }
    )


def finding(**changes: Any) -> Finding:
    """The same as a finding."""
    return Finding(
        **{
            "kind": "error",
            "reason": "wrong_address",
            "direction": "forward",
            "traffic_class": "foreground",
            "count": 1234,
            "trials": 3,
            "first_trial": 2,
            "example": sample(),
            "meaning": "the addresses are not those that the translation must give (RFC 7915 §4.1, §5.1; RFC 6052 "
            "§2.3)",
            **changes,
        }
    )


def selftest(size: int, limit: float = 1_204_000.0) -> SelfTestEntry:
    """The Tester alone."""
    return SelfTestEntry(
        frame_size_named=size,
        frame_size=SideSizes(left=size, right=size - 20),
        direction="bidirectional",
        limit_fps=limit,
        ceiling_fps=None,
        reason="sent less than intended",
        delays=(
            SelfTestDelay(
                percent_of_limit=10.0, rate_fps=limit / 10, forward=delay(1000, 0.1), reverse=delay(1000, 0.1)
            ),
        ),
    )


def results(**changes: Any) -> Results:
    """A whole campaign with TAYGA; `changes` replace parts of it."""
    trials = [
        trial(number, f"1-throughput/mix=1of1/size=84/bidirectional/{number // 6 + 1}", rate, loss=loss, valid=valid)
        for number, (rate, loss, valid) in enumerate(
            (
                (200_000.0, 0.0, False),
                (150_000.0, 0.31, True),
                (100_000.0, 0.0, True),
                (125_000.0, 0.16, True),
                (103_412.0, 0.0, True),
                (106_250.0, 0.000_01, True),
            )
            * 3
        )
    ]
    trials[2] = trial(2, trials[2].run, 100_000.0, wrong={"wrong_address": 1234})
    values: dict[str, Any] = {
        "xlatperf_version": "0.1.0",
        "title": "SIIT through TAYGA",
        "bench": BENCH,
        "technology": {"name": "siit", "ipv6_side": "left", "prefix": "2001:db8:6464::/96"},
        "seed": 1,
        "complete": True,
        "selftest": (selftest(84), selftest(256, 1_150_000.0), selftest(1280, 800_000.0)),
        "measurements": (
            throughput(84, (103_412.0, 101_200.0, 104_000.0), (4, 10, 16)),
            throughput(84, (121_000.0, 118_750.5, 122_000.0), (), mix=(5, 10)),
            throughput(256, (99_000.0, 98_000.0, 99_100.0), ()),
            throughput(1280, (81_000.0, 80_500.0, 82_000.0), ()),
            frame_loss(84),
        ),
        "trials": tuple(trials),
        "findings": (
            finding(),
            finding(
                kind="icmp",
                reason="ICMPv6 1/0",
                count=40,
                direction=None,
                traffic_class=None,
                example=None,
                meaning="no route to the destination",
            ),
            finding(kind="remark", reason="reordered", count=7, example=None, meaning="frames overtook each other"),
            finding(kind="tester", reason="sent_less", count=3, example=None, meaning="the Tester could not send"),
        ),
        "deviations": (
            Deviation(section="RFC 2544 §24", standard="trials of at least 60 s", here="throughput: trials of 2 s"),
            Deviation(section="RFC 2544 §23(e)", standard="wait at least 5 s after a trial", here="throughput: 0.5 s"),
        ),
        "tester_limits": ("time stamps are taken in software",),
    }
    return Results(**{**values, **changes})
