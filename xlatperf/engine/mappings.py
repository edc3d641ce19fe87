"""The engine's answer to `mappings`: what the Responder has learnt in phase 1 (RFC 9693 §4.4)."""

from __future__ import annotations

from xlatperf.engine.message import Message


class Mappings(Message):
    """The DUT's mappings, all together.

    `shared`: connections whose four tuple on the right side isn't their own, of the `compared` ones (None: of all).
    `addresses`: translated sources with their numbers of connections, at most 64; `other_addresses`: how many more
    there are. `ports_kept`: connections whose source port is the client's.
    """

    count: int
    learnt: int
    compared: int | None = None
    shared: int
    addresses: tuple[tuple[str, int], ...] = ()
    other_addresses: int = 0
    lowest_port: int | None = None
    highest_port: int | None = None
    ports_kept: int = 0
    examples: tuple[str, ...] = ()
