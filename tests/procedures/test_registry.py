"""Each procedure is one file and one line, and none is forgotten."""

from __future__ import annotations

import importlib
import inspect
import pkgutil

import pytest
from pydantic import TypeAdapter, ValidationError

from xlatperf import procedures
from xlatperf.procedures.procedure import Procedure
from xlatperf.procedures.quantity import Measured
from xlatperf.procedures.registry import BY_NAME, PROCEDURES, AnyProcedure
from xlatperf.procedures.shared_keys import OneWay


def named() -> set[type[Procedure]]:
    """All classes of the room that a bench file can name."""
    modules = [
        importlib.import_module(f"{procedures.__name__}.{one.name}")
        for one in pkgutil.iter_modules(procedures.__path__)
    ]
    found = {
        one
        for module in modules
        for one in vars(module).values()
        if inspect.isclass(one) and issubclass(one, Procedure)
    }
    return {one for one in found if not inspect.isabstract(one)}


def test_each_that_can_be_run_is_known() -> None:
    assert named() == set(PROCEDURES)


@pytest.mark.parametrize("model", PROCEDURES)
def test_it_says_what_it_is(model: type[Procedure]) -> None:
    assert BY_NAME[model.named()] is model
    assert model.__module__ == f"xlatperf.procedures.{model.named()}"
    assert model.facts.title
    assert model.facts.standard
    assert model.facts.results[0] is model.facts.quantities[0]
    assert all(one.standard for one in model.facts.results)
    assert model.facts.of_connections == issubclass(model, OneWay)


def test_one_that_can_not_be_run_can_not_be_made() -> None:
    """It was once measured as the last of a list."""

    class Forgotten(Procedure):
        facts = PROCEDURES[0].facts

    with pytest.raises(TypeError, match="run"):
        Forgotten(procedure="forgotten")  # type: ignore[abstract]


def test_an_unknown_one_is_refused() -> None:
    with pytest.raises(ValidationError, match="procedure"):
        TypeAdapter(AnyProcedure).validate_python({"procedure": "jitter"})


def test_measured_knows_its_values() -> None:
    quantity = PROCEDURES[0].facts.quantities[0]
    assert Measured((), ()).known(quantity) == []
