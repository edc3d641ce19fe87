"""Test data: measurements of connections that no one made, through a stateful NAT44 that doesn't exist."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.report import fabricated
from tests.report.fabricated_experiment import experiment
from xlatperf.procedures import capacity_result, establishment, teardown
from xlatperf.procedures.quantity import Quantity, Search, Value
from xlatperf.procedures.registry import BY_NAME
from xlatperf.results.connection_records import (
    AddressesRecord,
    CapacityStepRecord,
    ConnectionsRecord,
    ElementaryTestRecord,
    TimeoutCheckRecord,
)
from xlatperf.results.results import Measurement, ProcedureName, Repetition, Results
from xlatperf.results.selftest_records import SelfTestEntry
from xlatperf.results.trial_records import Mix, SideSizes, TrialRecord
from xlatperf.run.measurement import derived_record, series

TECHNOLOGY: dict[str, Any] = {
    "name": "nat44",
    "pool": {"first": "198.19.0.1", "addresses": 2, "first_port": 1024, "last_port": 65535},
}
DEVICE = {
    "nft.rules": "table ip nat { }",
    "net.netfilter.nf_conntrack_max": "65536",
    "net.netfilter.nf_conntrack_buckets": "16384",
}
BENCH: dict[str, Any] = {
    **fabricated.BENCH,
    "device": {"driver": "nft-nat44"},
    "traffic": {"connections": {"server_ports": {"first": 1, "last": 49151}}},
}
ENVIRONMENT: dict[str, Any] = {**fabricated.ENVIRONMENT, "device": DEVICE}


def space(count: int | None, **changes: Any) -> ConnectionsRecord:
    """One client with 40,000 ports, one server."""
    fields: dict[str, Any] = {
        "count": count,
        "clients": AddressesRecord(first="10.0.0.2", addresses=1, step=1),
        "client_ports": (1024, 41023),
        "servers": AddressesRecord(first="198.19.0.2", addresses=1, step=1),
        "server_ports": None if count is None else (1, -(-count // 40_000)),
        "enumeration": "pseudorandom",
        "read_order": "pseudorandom",
        "write_order": "round_robin",
        "bytes_per_connection": 8,
    }
    return ConnectionsRecord(**{**fields, **changes})


def measurement(
    procedure: ProcedureName, values: Mapping[Quantity, Sequence[float | None]], **changes: Any
) -> Measurement:
    """One cell with a value for each repetition."""
    count = max((len(found) for found in values.values()), default=0)
    found = {number: [Value(one, None, values[one][number - 1]) for one in values] for number in range(1, count + 1)}
    fields: dict[str, Any] = {
        "measure": procedure,
        "procedure": procedure,
        "standard": BY_NAME[procedure].standard,
        "frame_size": SideSizes(left=84, right=84),
        "frame_size_named": 84,
        "mix": Mix(take=1, of=1),
        "direction": "forward",
        "media_mbps": 10000.0,
        "theoretical_maximum_fps": 12_019_230.77,
        "minimum_fps": 100.0,
        "maximum_fps": 1e6,
        "tester_limit_fps": 600_000.0,
        "loss_tolerance": {},
        "repetitions": tuple(_repetition(procedure, number) for number in found),
        "failures": (),
        "series": procedure.replace("_", " "),
        "complete": True,
        "values": series(found),
    }
    return Measurement(**{**fields, **changes})


def _repetition(run: str, number: int, **changes: Any) -> Repetition:
    fields: dict[str, Any] = {
        "number": number,
        "run": f"{run}/{number}",
        "limited_by": None,
        "final_trial": None,
        "trials": (),
    }
    return Repetition(**{**fields, **changes})


def rates(
    connections: int,
    found: Sequence[float],
    *,
    alpha: float | None = None,
    cores: int | None = None,
    trials: Sequence[int] = (),
    several: bool = True,
    **changes: Any,
) -> Measurement:
    """Establishment rates, with an error of 1 %."""
    name = "establishment" if alpha is None else "validated establishment"
    name += f", {connections:,} connections" if several else ""
    name += f", {cores} {'core' if cores == 1 else 'cores'}" if cores is not None else ""
    run = f"1-establishment/alpha={alpha}/connections={connections}/cores={cores}"
    quantity = establishment.RATE if alpha is None else establishment.VALIDATED_RATE
    repetitions = tuple(
        _repetition(
            run,
            number,
            limited_by="dut",
            search=Search(lower_fps=rate, upper_fps=rate * 1.01, loss_percent_above=None, inversions=0),
            trials=tuple(trials),
            final_trial=trials[0] if trials else None,
        )
        for number, rate in enumerate(found, 1)
    )
    return measurement(
        "establishment",
        {quantity: found, establishment.ERROR: [round(rate * 0.01, 3) for rate in found]},
        **{
            "measure": name,
            "standard": "RFC 9693 §4.5" if alpha is None else "RFC 9693 §4.5, §4.6",
            "repetitions": repetitions,
            "connections": space(connections),
            "device_cores": cores,
            "parameters": {"alpha": alpha, "stop_width_percent": 1.0},
            **changes,
        },
    )


def teardowns(connections: int, seconds: Sequence[float], **changes: Any) -> Measurement:
    """Deleting none takes a millisecond."""
    of_medians = teardown.rate_of_medians(connections, seconds, [0.001] * len(seconds), resolved=True)
    return measurement(
        "teardown",
        {
            teardown.RATE: [connections / (full - 0.001) for full in seconds],
            teardown.GROSS_RATE: [connections / full for full in seconds],
            teardown.DELETING: seconds,
            teardown.DELETING_EMPTY: [0.001] * len(seconds),
        },
        **{
            "measure": f"teardown, {connections:,} connections",
            "connections": space(connections),
            "establish_fps": 60_000.0,
            "derived": (derived_record(of_medians),),
            **changes,
        },
    )


def throughputs(connections: int, found: tuple[float, ...], *, cores: int | None = None, **changes: Any) -> Measurement:
    """Of phase 2."""
    name = f"throughput, {connections:,} connections"
    name += f", {cores} {'core' if cores == 1 else 'cores'}" if cores is not None else ""
    return fabricated.throughput(84, found, ()).model_copy(
        update={
            "measure": name,
            "connections": space(connections),
            "device_cores": cores,
            "frame_size": SideSizes(left=84, right=84),
            "establish_fps": 60_000.0,
            **changes,
        }
    )


def step(
    stage: str,
    connections: int,
    rate: float | None,
    verdict: str = "passed",
    trials: tuple[int, ...] = (),
    **lost: int | None,
) -> CapacityStepRecord:
    """With one experiment. A table of 65,536 that drops its oldest entries."""
    test = ElementaryTestRecord(
        **{
            "rate_fps": rate or 4000.0,
            "offered_fps": rate or 4000.0,
            "validation_fps": (rate or 4000.0) * 0.8,
            "verdict": verdict,
            "phase_1_lost": 0,
            "validation_lost": max(0, connections - 65_534),
            "held": min(connections + 2, 65_536),
            "collapsed": None,
            "trials": trials,
            **lost,
        }
    )
    return CapacityStepRecord(
        repetition=1,
        stage=stage,
        connections=connections,
        rate_fps=rate,
        floor_fps=4000.0,
        passed=rate is not None,
        tests=(test,),
    )


STEPS = (
    step("initial", 10_000, 61_000.0, trials=(900,)),
    step("exponential", 20_000, 60_000.0),
    step("exponential", 40_000, 58_000.0),
    step("exponential", 80_000, None, "validation"),
    step("final", 60_000, 57_000.0),
    step("final", 70_000, None, "validation"),
    step("final", 65_000, 56_500.0),
    step("final", 67_500, None, "validation"),
    step("final", 66_250, None, "validation"),
    step("final", 65_625, None, "validation"),
)


def capacities(**changes: Any) -> Measurement:
    """65,000 of 65,536 within 1,000."""
    return measurement(
        "capacity",
        {
            capacity_result.CAPACITY: [65_000],
            capacity_result.FAILED: [65_625],
            capacity_result.INITIAL_RATE: [61_000.0],
            capacity_result.SAFE_RATE: [56_500.0],
        },
        connections=space(None),
        capacity_steps=STEPS,
        parameters={"alpha": 0.8, "beta": 0.1, "gamma": 0.5, "safe_connections": 10_000, "tolerated_error": 1000},
        remarks=("emptied, the DUT's table still held up to 2 entries that are not the Tester's",),
        repetitions=(_repetition("3-capacity/size=84", 1, trials=(900,)),),
    ).model_copy(update=changes)


def timeout_check(verdict: str = "forgets") -> TimeoutCheckRecord:
    """30 s are too short."""
    text = "the DUT forgets connections within 62 s: 200 of 200 were gone after that time, none without waiting: set "
    return TimeoutCheckRecord(
        run="2-throughput/timeout-check",
        verdict=verdict,
        text=text + "its UDP timeout longer (RFC 9693 §4.4)",
        waited_s=60.0,
        connections=200,
        lost=200,
        trials=(40, 41),
    )


def experiments() -> tuple[TrialRecord, ...]:
    """Of the search with 40,000 connections: it fails in the validation."""
    run = "1-establishment/alpha=0.8/connections=40000/cores=None/1"
    cpu = {"clat": 0.98, "plat": 0.41}
    return (
        experiment(0, run, 50_000.0, 40_000, alpha=0.8, cpu=cpu),
        experiment(1, run, 50_500.0, 40_000, alpha=0.8, validation_lost=4000, held=36_000, cpu=cpu),
        experiment(2, run, 100_000.0, 40_000, alpha=0.8, lost=1000),
        experiment(900, "3-capacity/size=84/1", 61_000.0, 10_000, alpha=0.8),
    )


def measurements() -> tuple[Measurement, ...]:
    """Over three numbers of connections and, of some, over alpha."""
    cpu = {"clat": 0.98, "plat": 0.41}
    return (
        rates(4_000, (62_000.0, 61_000.0, 63_000.0), device_cpu=cpu),
        rates(40_000, (60_000.0, 59_000.0, 61_000.0), device_cpu=cpu),
        rates(400_000, (45_000.0, 44_000.5, 46_000.0), device_cpu=cpu),
        rates(40_000, (50_000.0,), alpha=0.8, trials=(0, 1, 2), several=False),
        rates(40_000, (60_000.0,), alpha=0.2, several=False),
        rates(40_000, (39_000.0,), alpha=1.5, several=False),
        teardowns(4_000, (0.006, 0.005, 0.007)),
        teardowns(40_000, (0.041, 0.040, 0.042)),
        capacities(),
        throughputs(4_000, (150_000.0, 149_000.0, 151_000.0), device_cpu={"clat": 0.99, "plat": 0.97}),
        throughputs(40_000, (120_000.0, 119_000.0, 121_000.0), device_cpu={"clat": 0.5, "plat": 0.3}),
    )


def over_cores() -> tuple[Measurement, ...]:
    """One and two cores."""
    return (
        rates(40_000, (60_000.0, 59_000.0), cores=1, several=False),
        rates(40_000, (96_000.0, 95_000.0), cores=2, several=False),
        throughputs(40_000, (120_000.0,), cores=1),
        throughputs(40_000, (180_000.0,), cores=2),
    )


def results(**changes: Any) -> Results:
    """A whole campaign with the kernel's NAT44."""
    values: dict[str, Any] = {
        "title": "NAT44 by nftables",
        "bench": BENCH,
        "technology": TECHNOLOGY,
        "measurements": measurements(),
        "trials": experiments(),
        "findings": (),
        "timeout_checks": (timeout_check(),),
        "selftest": (
            SelfTestEntry(
                frame_size_named=84,
                frame_size=SideSizes(left=84, right=84),
                direction="forward",
                phase="establish",
                limit_fps=600_000.0,
                ceiling_fps=None,
                reason="sent less than intended",
                delays=(),
            ),
        ),
    }
    return fabricated.results(**{**values, **changes})
