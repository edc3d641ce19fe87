"""What a series says: relative scale-up and degradation. Pure numbers.

RFC 9693 §5 asks for series over connections and over CPU cores; draft-lencse-v6ops-transition-scalability states them
relative to their first point. RFC 8219 §10.2.1 states a degradation between one flow and n flows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Better = Literal["higher", "lower"]


def by_cores(performance: Mapping[int, float | None]) -> dict[int, float | None]:
    """P(n) / (n P(1)) by number of active CPU cores: 1 is linear scale-up.

    None: not known, because P(n) or P(1) was not measured or P(1) is 0.
    """
    one = performance.get(1)
    return {
        cores: measured / (cores * one) if measured is not None and one else None
        for cores, measured in sorted(performance.items())
    }


def by_number(performance: Mapping[int, float | None]) -> dict[int, float | None]:
    """P(ni) / P(n0) by number of connections or subscribers, n0 being the smallest: 1 is no loss from more of them."""
    if not performance:
        return {}
    first = performance[min(performance)]
    return {
        number: measured / first if measured is not None and first else None
        for number, measured in sorted(performance.items())
    }


def degradation_percent(one_flow: float, n_flows: float, better: Better) -> float | None:
    """Xpd of RFC 8219 §10.2.1; positive: n flows are worse than one. None: X1 is 0.

    Lower is better (delays): (Xn - X1) / X1 * 100. Higher is better (rates): (X1 - Xn) / X1 * 100.
    """
    if not one_flow:
        return None
    worse = n_flows - one_flow if better == "lower" else one_flow - n_flows
    return 100 * worse / one_flow
