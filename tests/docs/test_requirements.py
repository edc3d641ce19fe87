"""docs/requirements.md: each requirement has a test, or a reason; and no test names one that isn't there."""

from __future__ import annotations

from docs import requirements as script

TEXT = script.PAGE.text()


def test_up_to_date() -> None:
    assert script.PAGE.with_part(script.table()) == TEXT, "run: python -m docs.requirements"


def test_each_has_a_test_or_a_reason() -> None:
    """Not both: a reason that is no longer true goes."""
    tests = script.named()
    for one in script.requirements():
        assert bool(tests.get(one.id)) is not bool(one.open), one.id


def test_each_name_is_known_once() -> None:
    known = [one.id for one in script.requirements()]
    assert len(set(known)) == len(known)
    assert sorted(set(script.named()) - set(known)) == []


def test_names_are_found() -> None:
    names = [f"R{rest}" for rest in ("8219-7.3.1-2", "9693-4.10", "2544-C.2.2", "7915-V", "8219-A-1")]  # cites none
    text = "{}, ({}). {}: {}, {}; FOR8219-1".format(*names)
    assert script.NAME.findall(text) == names
