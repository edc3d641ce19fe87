"""Why frames of a class may be lost: all of them, or some."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from xlatperf.engine.direction_answer import Direction
from xlatperf.engine.message import DirectionName, TrafficClass
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.keys.does import Does
from xlatperf.keys.in_words import significant
from xlatperf.meaning.about import About
from xlatperf.meaning.beside import other_direction
from xlatperf.meaning.refused import refused_class, refused_text
from xlatperf.meaning.unrecognised import came_otherwise
from xlatperf.meaning.who_is_lost import Frames, example, who_is_lost

_RUNNING: Mapping[Does, str] = {
    "routes": "",
    "translates": " is the translator running,",
    "changes_addresses": " is the NAT running,",
    "tunnels": " is the tunnel up,",
}


LOST = "lost"


class Lost(NamedTuple):
    """`which`: how many and who of a class is lost, and why, as far as the trial shows it. `instance`: one of them.

    `reason`: of a finding.
    """

    which: str
    instance: str | None = None
    reason: str = LOST

    def in_lines(self, what: str) -> list[str]:
        """`what`: direction and class."""
        return [f"{what}: {self.which}", *([] if self.instance is None else [f"  {self.instance}"])]


def lost_frames(name: DirectionName, of: TrafficClass, answer: TrialAnswer, about: About) -> Lost | None:
    """None: none is."""
    direction = answer.directions[name]
    counters = direction.classes[of]
    if not counters.lost:
        return None
    otherwise = came_otherwise(name, answer)
    if otherwise is not None:
        which = f"{counters.lost} of {counters.sent} frames did not come back as themselves"
        return Lost(f"{which}: {otherwise.in_words()}.", reason=otherwise.reason)
    among = counters.lost_among
    instance = example(among) if among is not None else None
    if counters.lost >= counters.sent:
        return Lost(f"all {counters.sent} frames lost{_why(name, answer, about)}", instance)
    share = f"{counters.lost} of {counters.sent} frames lost ({significant(100 * counters.lost / counters.sent)} %)"
    if among is not None:
        who = _who(name, of, answer, about)
        if who is not None:
            known = len(among.lost)
            of_first = f" of the first {known:,}" if known < counters.sent else ""
            return Lost(f"{share}:{of_first} {who}.", instance)
    said = (
        f"{share}, the others came: at this low rate it is not the DUT's capacity; look for "
        f"{_met(of, direction, about.does)}."
    )
    return Lost(said, instance)


def unexplained(answer: TrialAnswer, about: About) -> bool:
    """Whether some of a class are lost, and nothing shows who: more frames might."""
    return any(
        0 < counters.lost < counters.sent
        and came_otherwise(name, answer) is None
        and _who(name, of, answer, about) is None
        for name, direction in answer.directions.items()
        for of, counters in direction.classes.items()
    )


def _who(name: DirectionName, of: TrafficClass, answer: TrialAnswer, about: About) -> str | None:
    among = answer.directions[name].classes[of].lost_among
    if among is None:
        return None
    routed = of == "background" or about.does == "routes"
    opens = answer.connections is not None and answer.connections.phase == "establish"
    return who_is_lost(Frames(among.columns, among.lost, routed, among.groups, name == "reverse", opens))


def _met(of: TrafficClass, direction: Direction, does: Does) -> str:
    """What some frames of a class may meet."""
    others_came = len(direction.classes) > 1 and all(
        counters.lost == 0 for name, counters in direction.classes.items() if name != of
    )
    if not others_came:
        mapping = "" if does == "routes" else " or a mapping"
        return f"a queue or a rate limit, a filter on ports, hosts without a route{mapping}"
    if of == "background":
        return (
            "what native IPv6 alone meets, since all others came: networks of traffic.left.background_hosts or "
            "traffic.right.background_hosts without a route (`xlatperf show` names them), a filter for IPv6, a rate "
            "limit"
        )
    if does == "routes":
        return (
            "what these alone meet, since all native IPv6 frames came: a filter on ports, a rate limit, hosts without "
            "a route"
        )
    return (
        "what the transition technology alone meets, since all native IPv6 frames came: hosts without a mapping, "
        "ports outside a range, a limit of mappings or of its rate"
    )


def _why(name: DirectionName, answer: TrialAnswer, about: About) -> str:
    """Nothing came: errors say why, or it's one class only, or what came in other trials, or silence."""
    does, refused = about.does, refused_class(answer.directions[name].classes)
    if any(gateway.given for gateway in answer.moved_gateways):
        return "; see gateway_mac below."
    if answer.left.returned or answer.right.returned:
        return "; frames came back to the side that sent them: is a route missing?"
    told = bool(answer.left.icmp_errors or answer.right.icmp_errors)
    kind = about.unusual.get(name)
    if kind is not None and refused != "background" and about.usual_came is not False:
        errors = "; the ICMP errors below say more" if told and not about.usual_came else ""
        return f": {kind.why(came=about.usual_came is True)}{errors}"
    if about.by_size is not None and not told:
        return f": {about.by_size}."
    if about.came is not None and not told:
        return f": {other_direction(about.came, refused, does)}"
    if refused == "background" or (refused and not (does == "routes" and told)):
        return f": {refused_text(refused, does)}."
    if told:
        return "; the ICMP errors below say why."
    return (
        f", and the DUT sent no error: is forwarding on,{_RUNNING[does]} does the DUT have routes to the hosts on "
        "both sides (`xlatperf show` names them), does it know its neighbours, does a filter drop them?"
    )
