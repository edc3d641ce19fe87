"""What results.json says about connections of a stateful DUT (RFC 9693). Units are in the names."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from xlatperf.engine.message import Message


class AddressesRecord(Message):
    """Address i is first + i * step."""

    first: str
    addresses: int
    step: int


class ConnectionsRecord(Message):
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
