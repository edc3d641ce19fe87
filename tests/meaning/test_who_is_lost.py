"""Who is lost, in words: each rule by what a DUT with that fault does to a trial's frames."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from xlatperf.meaning.who_is_lost import Frames, who_is_lost

FRAMES = range(300)
DICE = random.Random(2)
Column = list[int]
HOSTS: dict[str, Column] = {
    "left_host": [DICE.randrange(4) for _ in FRAMES],
    "right_host": [DICE.randrange(8) for _ in FRAMES],
    "left_port": [DICE.randrange(1024, 65536) for _ in FRAMES],
    "right_port": [DICE.randrange(1, 49152) for _ in FRAMES],
}
DOMAINS = [DICE.randrange(2) for _ in FRAMES]
SUBSCRIBERS = {
    "domain": DOMAINS,
    "subscriber": [domain << 48 | DICE.randrange(10) for domain in DOMAINS],
    **{name: HOSTS[name] for name in ("right_host", "left_port", "right_port")},
}
SHARERS = [DICE.randrange(80) for _ in FRAMES]
SHARING = {
    "domain": [0 for _ in FRAMES],
    "subscriber": SHARERS,
    "ipv4": [0xC0000200 + number // 8 for number in SHARERS],
    "psid": [number % 8 for number in SHARERS],
    **{name: HOSTS[name] for name in ("right_host", "left_port", "right_port")},
}
TO_SHARING = {
    **{f"to_{name}": SHARING[name] for name in ("domain", "subscriber", "ipv4", "psid")},
    **{name: [DICE.randrange(9) for _ in FRAMES] for name in ("domain", "subscriber", "ipv4", "psid")},
}
PAIRS = {
    **{name: SUBSCRIBERS[name] for name in ("domain", "subscriber")},
    "to_domain": [DICE.randrange(2) for _ in FRAMES],
    "to_subscriber": [DICE.randrange(20) for _ in FRAMES],
    "source_port": HOSTS["left_port"],
    "destination_port": HOSTS["right_port"],
}
CONNECTIONS = {
    "connection": list(FRAMES),
    "b4": [DICE.randrange(4) for _ in FRAMES],
    "client": [DICE.randrange(3) for _ in FRAMES],
    "server": [DICE.randrange(5) for _ in FRAMES],
    **{name: HOSTS[name] for name in ("left_port", "right_port")},
}


def frames(
    columns: dict[str, Column], lost: list[bool], *, routed: bool = False, to_left: bool = False, opens: bool = False
) -> Frames:
    return Frames(columns, lost, routed, to_left=to_left, opens=opens)


def rank(of: str, *, latest: bool = False) -> Column:
    """Of each frame, how many there are before it in its group, or behind it."""
    seen: dict[int, int] = {}
    ranks = []
    for value in reversed(CONNECTIONS[of]) if latest else CONNECTIONS[of]:
        ranks.append(seen.get(value, 0))
        seen[value] = ranks[-1] + 1
    return ranks[::-1] if latest else ranks


@pytest.mark.parametrize(
    ("columns", "is_lost", "said"),
    [
        (SUBSCRIBERS, lambda n: DOMAINS[n] == 1, "all of technology.domains[1], and no others"),
        (PAIRS, lambda n: PAIRS["to_domain"][n] == 0, "all to technology.domains[0], and no others"),
        (SUBSCRIBERS, lambda n: SUBSCRIBERS["subscriber"][n] in (3, 4), "all of 2 of 20 subscribers, and none of"),
        (PAIRS, lambda n: PAIRS["to_subscriber"][n] == 7, "all of 1 of 20 subscribers that frames go to"),
        (
            SHARING,
            lambda n: SHARING["ipv4"][n] == 0xC0000203,
            "all subscribers behind 1 of 10 IPv4 addresses, 192.0.2.3, and none of the others: not known to the DUT",
        ),
        (SHARING, lambda n: SHARING["ipv4"][n] > 0xC0000203, "addresses, 192.0.2.4, 192.0.2.5, 192.0.2.6"),
        (
            SHARING,
            lambda n: SHARING["psid"][n] in (3, 5),
            "all subscribers with 2 of 8 PSIDs, 3, 5, and none of the others: the DUT drops their ports",
        ),
        (TO_SHARING, lambda n: TO_SHARING["to_psid"][n] == 7, "all subscribers that frames go to with 1 of 8 PSIDs"),
        (SHARING, lambda n: SHARING["subscriber"][n] in (3, 70), "all of 2 of 77 subscribers, and none of the others"),
        (CONNECTIONS, lambda n: CONNECTIONS["b4"][n] == 2, "all of 1 of 4 B4s, and none of the others"),
        (HOSTS, lambda n: HOSTS["left_host"][n] == 2, "all of 1 of 4 networks on the left"),
        (HOSTS, lambda n: HOSTS["right_host"][n] > 5, "all of 2 of 8 networks on the right"),
        (CONNECTIONS, lambda n: CONNECTIONS["server"][n] == 2, "all of 1 of 5 servers"),
        (CONNECTIONS, lambda n: CONNECTIONS["client"][n] == 2, "all of 1 of 3 clients"),
        (HOSTS, lambda n: HOSTS["left_port"][n] >= 32768, "on the left, and no others: a filter on ports, or"),
        (HOSTS, lambda n: HOSTS["right_port"][n] < 20000, "on the right, and no others"),
        (PAIRS, lambda n: PAIRS["source_port"][n] < 20000, "as the source, and no others"),
        (PAIRS, lambda n: PAIRS["destination_port"][n] < 20000, "as the destination, and no others"),
        (CONNECTIONS, lambda n: rank("b4")[n] >= 30, "of each B4 the first 30 connections came, and none after"),
        (CONNECTIONS, lambda n: rank("client")[n] >= 50, "of each client the first 50 connections came"),
        (CONNECTIONS, lambda n: rank("server")[n] >= 40, "of each server the first 40 connections came"),
        (CONNECTIONS, lambda n: rank("b4", latest=True)[n] >= 30, "of each B4 the latest 30 connections came"),
        (CONNECTIONS, lambda n: n >= 111, "all connections from the 112th on that was opened, and none before it"),
        (CONNECTIONS, lambda n: n < 53, "all connections up to the 53rd that was opened, and none after it"),
        (HOSTS, lambda n: n < 30, "the first 30, and none after them: a neighbour, a route or a mapping"),
        (HOSTS, lambda n: n >= 100, "all behind the first 100, and none of these: the DUT stopped"),
        (HOSTS, lambda n: 50 <= n < 90, "40 in a row, behind the first 50: the DUT was interrupted"),
        (HOSTS, lambda n: n % 11 == 0, "every 11th one, beginning with the 1st"),
        (HOSTS, lambda n: n % 22 == 1, "every 22nd one, beginning with the 2nd"),
    ],
)  # fmt: skip
def test_a_rule(columns: dict[str, Column], is_lost: Callable[[int], bool], said: str) -> None:
    found = who_is_lost(frames(columns, [is_lost(number) for number in FRAMES]))
    assert found is not None
    assert said in found


def test_groups_of_softwires_by_their_names() -> None:
    few, many = ("softwires with a", "softwires with b"), tuple(f"softwires with {i}" for i in range(6))
    of = Frames(SUBSCRIBERS, [domain == 1 for domain in DOMAINS], routed=False, groups=few)
    assert (who_is_lost(of) or "").startswith("all of the softwires with b, and no others: the DUT doesn't have")
    columns = {"domain": [n % 6 for n in FRAMES], "subscriber": list(FRAMES)}
    of = Frames(columns, [n % 6 < 4 for n in FRAMES], routed=False, groups=many)
    assert "all of 4 groups of softwires, for instance the softwires with 0, and no others" in (who_is_lost(of) or "")


def test_a_router_knows_no_mappings() -> None:
    for lost in ([port < 20000 for port in HOSTS["left_port"]], [host == 2 for host in HOSTS["left_host"]]):
        translator, router = who_is_lost(frames(HOSTS, lost)), who_is_lost(frames(HOSTS, lost, routed=True))
        assert translator is not None
        assert router is not None
        assert len(router) < len(translator)
        assert "mapping" not in router


def test_a_limit_of_each_needs_all_connections() -> None:
    """Where frames use connections at random, those of a group that were seen aren't all that it has."""
    some = {name: column[::2] for name, column in CONNECTIONS.items()}
    said = who_is_lost(frames(some, [rank("b4")[number] >= 30 for number in FRAMES][::2]))
    assert said is None or "of each" not in said


def test_nothing_in_common() -> None:
    dice = random.Random(5)
    lost = [dice.random() < 0.3 for _ in FRAMES]
    for columns in (HOSTS, SUBSCRIBERS, PAIRS, CONNECTIONS):
        assert who_is_lost(frames(columns, lost)) is None


@pytest.mark.parametrize(
    ("columns", "name", "to_left", "said"),
    [
        (HOSTS, "left_host", True, "the DUT has no route to these hosts, or no mapping, or a filter drops them;"),
        (
            HOSTS,
            "left_host",
            False,
            "the DUT doesn't take frames from these hosts: a filter, or no mapping, or no route",
        ),
        (HOSTS, "right_host", False, "the DUT has no route to these hosts, or a filter drops them;"),
        (
            HOSTS,
            "right_host",
            True,
            "the DUT doesn't take frames from these hosts: a filter, or no route back to them,",
        ),
        (CONNECTIONS, "client", False, "behind whichever B4: a filter drops them, or no mapping"),
        (CONNECTIONS, "server", True, "the DUT doesn't take frames from these servers: a filter, or no route back"),
    ],
)
def test_hosts_are_where_frames_go_or_come_from(
    columns: dict[str, Column], name: str, to_left: bool, said: str
) -> None:
    """No route to somebody loses what goes there."""
    found = who_is_lost(frames(columns, [one == 1 for one in columns[name]], to_left=to_left))
    assert found is not None
    assert f"and none of the others: {said}" in found


def test_no_opening_frame_is_lost_for_a_connection_that_is_deleted_later() -> None:
    lost = [n < 30 for n in FRAMES]
    said = who_is_lost(frames(CONNECTIONS, lost, opens=True))
    assert said == (
        "the first 30, and none after them: a neighbour, a route or a mapping that the first frame brought only then"
    )
    assert "deletes the oldest ones" in (who_is_lost(frames(CONNECTIONS, lost)) or "")
    latest = [one >= 20 for one in rank("b4", latest=True)]
    assert "deletes the oldest for a new one" in (who_is_lost(frames(CONNECTIONS, latest)) or "")
    assert "deletes" not in (who_is_lost(frames(CONNECTIONS, latest, opens=True)) or "")
