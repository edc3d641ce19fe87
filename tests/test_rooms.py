"""Imports point one way: which room may use which (the picture is in docs/contributing.md)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from docs import house

BELOW: dict[str, tuple[str, ...]] = {
    "files": (),
    "keys": (),
    "engine": ("files",),
    "search": (),
    "lab": (),
    "conformance": ("engine",),
    "procedures": ("engine", "keys", "search"),
    "technologies": ("engine", "files", "keys", "procedures"),
    "devices": ("files", "keys", "lab", "technologies"),
    "imports": ("devices", "files", "keys", "technologies"),
    "config": ("devices", "engine", "files", "keys", "procedures", "technologies"),
    "probe": ("config", "devices", "engine", "files", "lab"),
    "results": ("engine", "files", "keys", "procedures"),
    "meaning": ("config", "engine", "keys", "procedures", "results"),
    "run": ("config", "devices", "engine", "files", "keys", "meaning", "procedures", "results", "search"),
    "plan": ("config", "engine", "keys", "procedures", "results", "run", "search", "technologies"),
    "report": (
        "conformance",
        "devices",
        "engine",
        "files",
        "keys",
        "meaning",
        "procedures",
        "results",
        "search",
        "technologies",
    ),
    "commands": (
        *("config", "conformance", "devices", "engine", "files", "imports", "keys", "meaning", "probe"),
        *("plan", "procedures", "report", "results", "run", "technologies"),
    ),
    "dropin": (
        "commands",
        "config",
        "engine",
        "files",
        "imports",
        "keys",
        "meaning",
        "procedures",
        "run",
        "technologies",
    ),
}
"""Each room, lowest first, and those that it uses."""


ENGINE: dict[str, tuple[str, ...]] = {
    "wire": (),
    "counter": (),
    "message": ("wire",),
    "flow": ("wire",),
    "eal": ("wire",),
    "port": ("counter", "eal", "wire"),
    "technology": ("flow", "message", "wire"),
    "frame": ("counter", "flow", "technology", "wire"),
    "state": ("flow", "wire"),
    "trial/schedule": ("eal", "flow", "frame", "port", "wire"),
    "trial/tally": ("counter", "flow", "frame", "trial/schedule"),
    "trial/send": ("counter", "flow", "frame", "port", "state", "trial/schedule", "trial/tally"),
    "trial/receive": (
        *("counter", "flow", "frame", "port", "state", "wire"),
        *("trial/schedule", "trial/send", "trial/tally"),
    ),
    "trial": (
        *("counter", "eal", "flow", "frame", "port", "state", "technology"),
        *("trial/receive", "trial/schedule", "trial/send"),
    ),
    "control": (
        *("counter", "eal", "frame", "message", "port", "state", "technology"),
        *("trial", "trial/schedule", "trial/send", "wire"),
    ),
}
"""The same of the engine. The reference device has bytes, messages and DPDK in common with it, and no standard."""
HOUSE = {
    **{f"xlatperf/{room}": tuple(f"xlatperf/{one}" for one in below) for room, below in BELOW.items()},
    **{f"engine/{room}": tuple(f"engine/{one}" for one in below) for room, below in ENGINE.items()},
    "reference": ("engine/eal", "engine/message", "engine/wire"),
}
ROOMS: Mapping[str, house.Room] = {room.path: room for room in (*house.python_rooms(), *house.engine_rooms())}


def test_all_rooms_are_known() -> None:
    assert set(ROOMS) == set(HOUSE)


def test_no_room_is_below_itself() -> None:
    order = list(HOUSE)
    for room, below in HOUSE.items():
        assert all(order.index(one) < order.index(room) for one in below), room


@pytest.mark.parametrize("room", HOUSE)
def test_imports_point_downwards(room: str) -> None:
    used = ROOMS[room].uses
    wrong = {other: files for other, files in used.items() if other not in HOUSE[room]}
    assert wrong == {}
    assert set(used) == set(HOUSE[room]), "what is allowed is needed"


def test_the_picture_is_up_to_date() -> None:
    assert house.draw() in house.PAGE.read_text(encoding="utf-8"), "run: python -m docs.house"
