"""docs/technologies.md and the README's table have all technologies and roles, as the models say them."""

from __future__ import annotations

from docs import technologies as script
from xlatperf.technologies.registry import BY_NAME


def test_up_to_date() -> None:
    told = "run: python -m docs.technologies"
    assert script.PAGE.with_part(script.table()) == script.PAGE.text(), told
    assert script.README.with_part(script.short_table()) == script.README.text(), told


def test_all_are_there() -> None:
    found = {device.name: device for device in script.devices()}
    assert {device.technology.name for device in found.values()} == set(BY_NAME)
    assert set(script.ALSO) <= set(found)
    assert set(script.PAGES) <= set(BY_NAME)
    roles = [name for name in found if "role = " in name]
    assert len(roles) == 11, "hairpinning is one, of three, and mesh of two"


def test_procedures_are_those_that_a_bench_file_may_have() -> None:
    """R8219-7.1, R9693-4.5: reset is of stateless devices, connections are of stateful ones."""
    for device in script.devices():
        names = {one.named() for one in script.procedures(device)}
        always = {"throughput", "frame_loss", "latency", "pdv", "ipdv", "back_to_back", "system_recovery", "soak"}
        assert always <= names
        of_one_kind = {"establishment", "teardown", "capacity"} if device.technology.stateful else {"reset"}
        assert names - of_one_kind == names - {"establishment", "teardown", "capacity", "reset"}
        assert of_one_kind <= names
