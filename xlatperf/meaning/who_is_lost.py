"""Who the lost frames of a class are, in words: what they have in common, and those that came don't.

A list of rules, of which the first that holds is told: from what a bench file has few of to what it has many of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address

from xlatperf.engine.lost_among import LostAmong
from xlatperf.meaning.apart import every, most_of_each, ranges, whole_values

NAMED = 3
"""So many values are named, of more their number."""
PORTS = {
    "left_port": "on the left",
    "right_port": "on the right",
    "source_port": "as the source",
    "destination_port": "as the destination",
}


@dataclass(frozen=True)
class Frames:
    """Those of a class.

    `routed`: the DUT only forwards them. `groups`: what each domain is called, if not by its number in the bench file.
    `to_left`: where they go.
    `opens`: each opens its connection, so that none is lost for one that the DUT deleted later.
    """

    columns: Mapping[str, Sequence[int]]
    lost: Sequence[bool]
    routed: bool
    groups: Sequence[str] = ()
    to_left: bool = False
    opens: bool = False

    @property
    def stateful(self) -> bool:
        """Whether they belong to connections that the DUT keeps."""
        return "connection" in self.columns

    def number_of(self, name: str) -> int:
        """Different values."""
        return len(set(self.columns[name]))


def who_is_lost(frames: Frames) -> str | None:
    """`all of 2 of 100 servers, and none of the others: ...`. None: nothing sets them apart, or that may be chance."""
    for rule in RULES:
        for told in rule(frames):
            return told
    return None


def example(among: LostAmong) -> str:
    """The first lost frame, and whose it is."""
    shown = among.example
    whose = [f"of {shown.subscriber.text}"] if shown.subscriber is not None else []
    whose += [f"to {shown.to_subscriber.text}"] if shown.to_subscriber is not None else []
    return f"for instance frame {', '.join([str(shown.number), *whose])}: {shown.known.text}"


def _domains(frames: Frames) -> Iterator[str]:
    look = (
        "the DUT doesn't have this rule, or can't do it: compare the prefixes and the PSID's offset and length with "
        "its configuration"
    )
    for name, what in (("domain", "from"), ("to_domain", "to")):
        gone = _whole(frames, name)
        if gone:
            where = "of" if "to_domain" not in frames.columns else what
            yield f"all {where} {_names(gone, frames.groups)}, and no others: {look}"


def _shared(frames: Frames) -> Iterator[str]:
    """What several subscribers that are lost have in common: an address, or a PSID."""
    common = {
        "ipv4": "not known to the DUT, without a route, or dropped by a filter",
        "psid": "the DUT drops their ports, or has another offset or length of the PSID",
    }
    for to, which in (("", "subscribers"), ("to_", "subscribers that frames go to")):
        lost = _whole(frames, f"{to}subscriber")
        for name, look in common.items():
            gone = _whole(frames, f"{to}{name}")
            if not lost or not gone or len(gone) >= len(lost):
                continue
            of = f"{len(gone):,} of {frames.number_of(f'{to}{name}'):,}"
            if name == "ipv4":
                said = f"behind {of} IPv4 addresses, {_some(map(str, map(IPv4Address, sorted(gone))))}"
            else:
                said = f"with {of} PSIDs, {_some(map(str, sorted(gone)))}"
            yield f"all {which} {said}, and none of the others: {look}; compare them with the DUT's configuration"


def _some(values: Iterable[str]) -> str:
    named = list(values)
    return ", ".join(named[:NAMED]) + (" ..." if len(named) > NAMED else "")


def _members(frames: Frames) -> Iterator[str]:
    """Of those with a place in a table of the DUT's."""
    what = {"subscriber": "subscribers", "to_subscriber": "subscribers that frames go to", "b4": "B4s"}
    for name, those in what.items():
        gone = _whole(frames, name)
        if gone:
            yield (
                f"{_share(frames, name, gone, those)}: they are missing in the DUT's table or rules, or stand there "
                "with other addresses or ports; compare one with the DUT's configuration"
            )


def _hosts(frames: Frames) -> Iterator[str]:
    sides = (
        ("client", "clients", "clients"),
        ("left_host", "networks on the left", "hosts"),
        ("server", "servers", "servers"),
        ("right_host", "networks on the right", "hosts"),
    )
    for name, what, those in sides:
        gone = _whole(frames, name)
        if gone:
            yield f"{_share(frames, name, gone, what)}: {_unreachable(frames, name, those)}"


def _unreachable(frames: Frames, name: str, those: str) -> str:
    """Hosts to which frames go, or from which they come."""
    on_left = name in ("client", "left_host")
    mapping = ", or no mapping" if on_left and not frames.routed else ""
    if name == "client" and "b4" in frames.columns:
        return f"behind whichever B4: a filter drops them{mapping}"
    look = "`xlatperf show` names what it must route"
    if on_left == frames.to_left:
        return f"the DUT has no route to these {those}{mapping}, or a filter drops them; {look}"
    back = "or no route back to them, which it asks for before it forwards (RFC 3704)"
    return f"the DUT doesn't take frames from these {those}: a filter{mapping}, {back}; {look}"


def _ports(frames: Frames) -> Iterator[str]:
    for name, where in PORTS.items():
        if name not in frames.columns:
            continue
        found = ranges(frames.columns[name], frames.lost)
        if found:
            several = ", ".join(f"{first}" if first == last else f"{first} to {last}" for first, last in found)
            limit = "" if frames.routed else ", or these ports are outside of a range that the DUT gives or knows"
            yield f"all with ports {several} {where}, and no others: a filter on ports{limit}"


def _limits_of_each(frames: Frames) -> Iterator[str]:
    if not frames.stateful or frames.number_of("connection") <= max(frames.columns["connection"]):
        return  # not all of them have been tried
    for name, what in (("b4", "B4"), ("client", "client"), ("server", "server")):
        if name not in frames.columns:
            continue
        of = (frames.columns[name], frames.columns["connection"], frames.lost)
        most = most_of_each(*of)
        if most:
            yield (
                f"of each {what} the first {most:,} connections came, and none after them: the DUT has a limit of "
                f"sessions per {what}, or no more ports for it"
            )
        most = most_of_each(*of, latest=True)
        if most and not frames.opens:
            yield (
                f"of each {what} the latest {most:,} connections came, and none before them: the DUT keeps so many "
                f"sessions per {what}, and deletes the oldest for a new one"
            )


def _limits(frames: Frames) -> Iterator[str]:
    """The oldest or the newest connections, in which order frames may use them."""
    one = _one_range(frames.columns["connection"], frames.lost) if frames.stateful else None
    if one is None:
        return
    first, last = one
    opened = frames.columns["connection"]
    if first == min(opened) and not frames.opens:
        yield (
            f"all connections up to the {_ordinal(last + 1)} that was opened, and none after it: the DUT deletes the "
            "oldest ones, as its table is full or their timeout is over"
        )
    elif last == max(opened):
        yield (
            f"all connections from the {_ordinal(first + 1)} on that was opened, and none before it: the DUT takes no "
            "more: its table is full, or its pool has no more ports"
        )


def _in_a_row(frames: Frames) -> Iterator[str]:
    one = _one_range(range(len(frames.lost)), frames.lost)
    if one is None:
        return
    first, last = one
    if first == 0:
        brings = "a neighbour, a route or a mapping that the first frame brought only then"
        yield f"the first {last + 1:,}, and none after them: {brings}"
    elif last == len(frames.lost) - 1:
        limit = "of its rate" if frames.routed else "of mappings or of its rate"
        yield f"all behind the first {first:,}, and none of these: the DUT stopped, or reached a limit {limit}"
    else:
        yield f"{last - first + 1:,} in a row, behind the first {first:,}: the DUT was interrupted for that time"


def _in_turn(frames: Frames) -> Iterator[str]:
    found = every(frames.lost)
    if found:
        step, first = found
        which = f"every {_ordinal(step)} one, beginning with the {_ordinal(first + 1)}"
        yield f"{which}: a filter that counts, or one of {step} paths, queues or cores that take turns"


Rule = Callable[[Frames], Iterator[str]]
RULES: tuple[Rule, ...] = (
    *(_domains, _shared, _members, _hosts, _ports),
    *(_limits_of_each, _limits, _in_a_row, _in_turn),
)


def _whole(frames: Frames, name: str) -> set[int] | None:
    return whole_values(frames.columns[name], frames.lost) if name in frames.columns else None


def _one_range(column: Sequence[int], lost: Sequence[bool]) -> tuple[int, int] | None:
    found = ranges(column, lost)
    return found[0] if found is not None and len(found) == 1 else None


def _names(values: set[int], groups: Sequence[str]) -> str:
    """Domains by their place in the bench file; or groups of a table's rows."""
    if groups:
        named, plural = [f"the {groups[value]}" for value in sorted(values)], "groups of softwires"
    else:
        named, plural = [f"technology.domains[{value}]" for value in sorted(values)], "domains"
    return " and ".join(named) if len(named) <= NAMED else f"{len(named)} {plural}, for instance {named[0]}"


def _share(frames: Frames, name: str, gone: set[int], what: str) -> str:
    return f"all of {len(gone):,} of {frames.number_of(name):,} {what}, and none of the others"


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number:,}{ending}"
