"""What results.json says about connections of a stateful DUT (RFC 9693). Units are in the names."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from xlatperf.results.trial_records import Record


class AddressesRecord(Record):
    """Address i is first + i * step."""

    first: str
    addresses: int
    step: int


class ConnectionsRecord(Record):
    """The connections of a measurement (RFC 9693 §5.1, §6: numbers and ranges are to be reported)."""

    count: int | None = Field(description="N; None where the procedure varies it")
    clients: AddressesRecord
    client_ports: tuple[int, int] = Field(description="first and last")
    servers: AddressesRecord
    server_ports: tuple[int, int] | None = Field(
        description="first and last that N connections used; None if no trial says so"
    )
    enumeration: Literal["pseudorandom", "increasing", "decreasing"]
    read_order: Literal["pseudorandom", "round_robin"]
    write_order: Literal["round_robin", "pseudorandom"]
    bytes_per_connection: int | None = Field(description="in the Responder's state table")


class ElementaryTestRecord(Record):
    """One experiment of a search for the table's capacity (RFC 9693 §4.9)."""

    rate_fps: float
    offered_fps: float | None = Field(
        description="connections per second that phase 1 really opened; None: not known (schema 1)"
    )
    validation_fps: float | None
    verdict: Literal["passed", "phase_1", "validation", "tester", "collapsed"]
    phase_1_lost: int | None
    validation_lost: int | None
    held: int | None
    collapsed: str | None
    trials: tuple[int, ...]


class CapacityStepRecord(Record):
    """One number of connections of the search for the capacity and what came of it."""

    repetition: int
    stage: Literal["initial", "exponential", "final", "recovery"]
    connections: int
    rate_fps: float | None = Field(description="validated establishment rate; None: below floor_fps")
    floor_fps: float = Field(description="the search was abandoned when an experiment failed there")
    passed: bool
    tests: tuple[ElementaryTestRecord, ...]


class TimeoutCheckRecord(Record):
    """Whether the DUT keeps connections as long as phase 1, gap and phase 2 need (RFC 9693 §4.4)."""

    run: str
    verdict: Literal["remembers", "forgets", "unclear"]
    text: str
    waited_s: float
    connections: int
    lost: int
    trials: tuple[int, ...]
