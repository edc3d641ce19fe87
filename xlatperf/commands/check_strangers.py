"""`xlatperf check`: frames that no DUT may translate, as they are under another prefix or for another address.

A DUT that takes the last 32 bits of any destination, or looks at a port alone, forwards all right frames rightly.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from xlatperf.campaign.session import Session
from xlatperf.campaign.tester import trial_message
from xlatperf.commands.check_connections import ATTEMPTS, complete
from xlatperf.commands.show import frame_sizes
from xlatperf.config.bench import Bench
from xlatperf.config.request import ALL_FOREGROUND, configure_message
from xlatperf.engine.client import parse_trial
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.procedures.connections import Connections
from xlatperf.procedures.trial import DirectionName, TrialRequest
from xlatperf.technologies.stateful import PoolTechnology

FRAMES, RATE_FPS = 10, 100.0
OTHER_PREFIXES = ("2001:2:0:9999::/96", "2001:2:0:9998::/96", "2001:db8:9999::/96")
_FIRST_TAG = 31000  # beyond those of the check


@dataclass(frozen=True)
class Strangers:
    """Frames that must not come through. `translated`: how many did; None: they could not be tried."""

    what: str
    why: str
    translated: int | None

    def line(self) -> str:
        """What is to be said of them."""
        if self.translated is None:
            return f"{self.what}: not tried, as the trial before them was not valid or not complete."
        if not self.translated:
            return f"{self.what}: none of {FRAMES} was translated, as it must be."
        return f"{self.what}: {self.translated} of {FRAMES} were translated, and none may be: {self.why}."


def strangers(bench: Bench, running: Session, timeout_s: float) -> Iterator[Strangers]:
    """All that the technology has. Nothing for `native`, which translates nothing. Raises EngineError, EngineDied."""
    technology = bench.technology
    tags = count(_FIRST_TAG)
    size = frame_sizes(bench)[0]
    request = TrialRequest(size, bench.traffic.frame_size_of, RATE_FPS, FRAMES / RATE_FPS, timeout_s)

    def trial(wanted: TrialRequest) -> TrialAnswer:
        for _ in range(ATTEMPTS):
            answer = parse_trial(running.engine.trial(trial_message(bench, wanted, next(tags))))
            if answer.valid:
                break
        return answer

    def opening() -> TrialRequest:
        return request.experiment(Connections(FRAMES, "establish", draw=next(tags)), RATE_FPS, "check")

    if technology.translation_prefix is not None:
        own = technology.translation_prefix
        prefix = other_prefix(own)
        running.engine.configure(with_prefix(bench, prefix))
        if technology.stateful:
            answer = trial(opening())
        else:
            from_ipv6: DirectionName = "forward" if technology.families[0] == 6 else "reverse"
            answer = trial(replace(request, directions=(from_ipv6,)))
        why = f"the DUT takes the IPv4 address out of a destination that isn't in {own} (RFC 6052 §2.3)"
        yield Strangers(f"frames under another prefix, {prefix}", why, _translated(answer))
    running.engine.configure(configure_message(bench, ALL_FOREGROUND))
    if isinstance(technology, PoolTechnology):
        to = other_address(bench, technology)
        opened = complete(trial(opening()))
        some = Connections(FRAMES, "each_once", some=FRAMES, to=to)
        found = _translated(trial(request.experiment(some, RATE_FPS, "check"))) if opened else None
        why = "the DUT looks at the port alone, or has this address too: compare technology.pool with its configuration"
        yield Strangers(f"frames to {to}, which isn't in the pool, on ports of open connections", why, found)


def other_prefix(own: str) -> str:
    """A translation prefix, out of benchmarking space (RFC 5180 §8) if possible, that doesn't overlap this one."""
    network = ipaddress.IPv6Network(own)
    return next(prefix for prefix in OTHER_PREFIXES if not ipaddress.IPv6Network(prefix).overlaps(network))


def with_prefix(bench: Bench, prefix: str) -> dict[str, Any]:
    """The engine's `configure` request with another translation prefix.

    SIIT: without the mappings of the hosts on the IPv4 side, which are then under that prefix; those on the IPv6 side
    are what they were, where they have mappings.
    """
    message = configure_message(bench, ALL_FOREGROUND)
    technology = message["technology"]
    technology["prefix"] = prefix
    if bench.technology.hosts:
        hosts = bench.traffic.right.hosts if bench.technology.families[0] == 6 else bench.traffic.left.hosts
        far = ipaddress.ip_network(hosts.prefix, strict=False)
        rows = technology.get("eam", [])
        technology["eam"] = [row for row in rows if not ipaddress.ip_network(row["ipv4"]).overlaps(far)]
    return message


def other_address(bench: Bench, technology: PoolTechnology) -> str:
    """The first address after the pool's that is neither a server's nor the Tester's or the DUT's own."""
    assert bench.traffic.connections is not None  # noqa: S101 - the caller has looked
    pool = technology.pool
    servers, right = bench.traffic.connections.servers, bench.tester.right
    address = ipaddress.ip_address(pool.first) + pool.addresses
    own = [ipaddress.ip_interface(one).ip for one in (right.ipv4, right.ipv6)]
    own += [ipaddress.ip_address(one) for one in (right.gateway_ipv4, right.gateway_ipv6)]
    while address in own or servers.holds_any(int(address), int(address)):
        address += 1
    return str(address)


def _translated(answer: TrialAnswer) -> int | None:
    """Frames that came out on the other side, whatever became of them; None if nothing is known."""
    if not answer.valid:
        return None
    return sum(
        counters.expected + sum(number for reason, number in counters.wrong().items() if reason != "untranslated")
        for _, direction in answer.directions()
        for _, counters in direction.classes()
    )
