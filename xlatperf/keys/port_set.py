"""The ports of one of several who share an IPv4 address (RFC 7597 §5.1): A, PSID and j of a port's bits."""

from __future__ import annotations

PORT_BITS = 16


def port_set(offset: int, length: int, psid: int) -> tuple[range, ...]:
    """Those of a PSID, in order; `offset`: bits of A, `length`: of the PSID. With an offset, A = 0 is nobody's: there
    are the system ports.
    """
    each = 1 << (PORT_BITS - offset - length)
    firsts = (high << (PORT_BITS - offset) | psid * each for high in range(1 if offset else 0, 1 << offset))
    return tuple(range(first, first + each) for first in firsts)
