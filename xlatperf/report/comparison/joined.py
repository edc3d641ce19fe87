"""Series of several campaigns joined: columns that all have in common, and who has which rate there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from xlatperf.report import words
from xlatperf.report.comparison.campaign import Campaign
from xlatperf.report.comparison.found import NO_QUANTITY
from xlatperf.report.comparison.kind import Kind, kind_of
from xlatperf.report.scalability.groups import ALPHA, SIZES, Curve, Group, Over, Place, Spot, groups, in_order
from xlatperf.report.series import CONNECTIONS, HASH_SIZE, TABLE_SIZE, Axis, point
from xlatperf.results.results import Measurement


@dataclass(frozen=True)
class JoinedLine:
    """One rate. `curves`: of each campaign that has it, by the campaign's place."""

    curves: Mapping[int, Curve]


@dataclass(frozen=True)
class Joined:
    """Rates of several campaigns over the same: one table. `where`: frames, by the size of the IPv4 one."""

    where: str
    over: Over
    fixed: Place
    columns: tuple[Spot, ...]
    lines: tuple[JoinedLine, ...]

    def any_at(self, index: int, spot: Spot) -> Measurement | None:
        """Some measurement of a campaign there, rather one whose servers' ports are known: they're those of all."""
        curves = [line.curves[index] for line in self.lines if index in line.curves]
        having = [curve.members[spot] for curve in curves if spot in curve.members]
        full = (item for item in having if item.connections and item.connections.server_ports)
        return next(full, having[0] if having else None)


_OF_TABLES = (TABLE_SIZE, HASH_SIZE)
_Family = tuple[str, Over, Place]
_Name = tuple[Kind, int]
_Found = dict[_Name, dict[int, dict[Spot, Measurement]]]


def joined(campaigns: Sequence[Campaign]) -> list[Joined]:
    """Wherever one has a series, with what the others measured by the same rules in some of its columns."""
    families: dict[_Family, list[tuple[int, Group]]] = {}
    every = [(index, group) for index, one in enumerate(campaigns) for group in groups(one.results.measurements)]
    known = Counter((index, _family(campaigns[index], group, whole=False)) for index, group in every)
    apart = {family for (_, family), count in known.items() if count > 1}  # some campaign varies its table's size
    for index, group in every:
        whole = _family(campaigns[index], group, whole=False) in apart
        families.setdefault(_family(campaigns[index], group, whole=whole), []).append((index, group))
    made = (_join(campaigns, family, members) for family, members in _without_connections(campaigns, families))
    return [one for one in made if len({index for line in one.lines for index in line.curves}) > 1]


def _family(campaign: Campaign, group: Group, *, whole: bool) -> _Family:
    """`where` with the size of the IPv4 frame instead of one for each side.

    `whole`: with the sizes of the DUT's table, of which each device has its own.
    """
    first = next(iter(group.lines[0].members.values()))
    sizes = f"{words.sizes(first.frame_size)} bytes"
    plain = f"{campaign.ipv4_bytes(first)}{group.where.removeprefix(sizes)}"
    fixed = tuple(one for one in group.fixed if whole or one[0] not in _OF_TABLES)
    return plain if group.where.startswith(sizes) else group.where, group.over, fixed


def _without_connections(
    campaigns: Sequence[Campaign], families: dict[_Family, list[tuple[int, Group]]]
) -> Iterator[tuple[_Family, list[tuple[int, Group]]]]:
    """A stateless DUT's series stands beside those of others through any number of connections."""
    alone = {key for key, members in families.items() if not any(campaigns[i].evidence.stateful for i, _ in members)}
    absorbed = set()
    for where, over, fixed in families.keys() - alone:
        plain = (where, over, tuple(one for one in fixed if one[0] != CONNECTIONS))
        if plain in alone:
            families[where, over, fixed].extend(families[plain])
            absorbed.add(plain)
    yield from ((key, members) for key, members in families.items() if key not in absorbed)


def _join(campaigns: Sequence[Campaign], family: _Family, members: Sequence[tuple[int, Group]]) -> Joined:
    where, over, fixed = family
    doubled = [group for _, group in members if len({spot.value for spot in group.columns}) < len(group.columns)]
    taken = {spot.value for group in doubled for spot in group.columns}

    def spot_of(campaign: Campaign, item: Measurement) -> Spot:
        value = over.value(item) if over != SIZES else campaign.ipv4_size(item)
        return Spot(value, () if not doubled else (campaign.ipv4_size(item), *point(item), _ports(item)))

    found: _Found = {}
    like: dict[tuple[_Name, int], Curve] = {}
    for index, group in members:
        campaign = campaigns[index]
        for line in group.lines:
            first = next(iter(line.members.values()))
            kind = _line_kind(campaign, first, over)
            further = sum(known == kind and place == index for (known, _), place in like)
            like[(kind, further), index] = line
            items = [item for item in line.members.values() if group in doubled or over.value(item) not in taken]
            found.setdefault((kind, further), {})[index] = {spot_of(campaign, item): item for item in items}
    _fill(campaigns, found, dict(fixed))
    columns = in_order(over, dict.fromkeys(spot for of in found.values() for own in of.values() for spot in own))
    lines = []
    for name, of in found.items():
        model = next(line for (known, _), line in like.items() if known == name)
        curves = {index: replace(model, members=own) for index, own in sorted(of.items()) if own}
        lines.append(JoinedLine(curves))
    return Joined(where, over, fixed, columns, tuple(lines))


def _fill(campaigns: Sequence[Campaign], found: _Found, fixed: Mapping[Axis, int]) -> None:
    """Measurements that are no part of a series of their campaign, or have no column of their own."""
    for (_, further), of in found.items():
        known = {spot: (index, item) for index, own in of.items() for spot, item in own.items()}
        for index in range(len(campaigns)):
            own = of.setdefault(index, {})
            placed = [id(one) for one in own.values()] if campaigns[index].evidence.stateful else []
            for spot, (other, item) in known.items():
                same = None if spot in own else _same(campaigns[index], campaigns[other], item, further)
                if same is not None and id(same) not in placed and _fits(same, fixed):
                    own[spot] = same


def _fits(item: Measurement, fixed: Mapping[Axis, int]) -> bool:
    return all(axis.value(item) in (None, fixed[axis]) for axis in _OF_TABLES if axis in fixed)


def _same(campaign: Campaign, other: Campaign, item: Measurement, further: int) -> Measurement | None:
    """The campaign's measurement of the same kind as the other's, rather one through the same ports and tables."""
    any_number = not (campaign.evidence.stateful and other.evidence.stateful)

    def kind(owner: Campaign, one: Measurement) -> Kind:
        found = kind_of(owner, one, NO_QUANTITY, "", one.direction)
        return replace(found, connections=None) if any_number else found

    wanted = kind(other, item)
    same = [one for one in campaign.results.measurements if kind(campaign, one) == wanted]
    same.sort(key=lambda one: (_ports(one) != _ports(item)) + ((one.table_size, one.hash_size) != _table(item)))
    return same[further] if further < len(same) else None


def _line_kind(campaign: Campaign, item: Measurement, over: Over) -> Kind:
    """What is the same in all columns of a rate."""
    kind = kind_of(campaign, item, NO_QUANTITY, "", item.direction)
    plain = replace(
        kind, ipv4_size=0, sizes="", connections=None, subscribers=None, networks=None, flows=None, cores=None
    )
    return replace(plain, alpha=None) if over == ALPHA else plain


def _ports(item: Measurement) -> tuple[object, object]:
    space = item.connections
    return (None, None) if space is None else (space.client_ports, space.server_ports)


def _table(item: Measurement) -> tuple[int | None, int | None]:
    return item.table_size, item.hash_size
