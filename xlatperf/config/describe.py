"""Every key of the bench file with default, what is allowed and the default's source, read from the models."""

from __future__ import annotations

import types
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import annotated_types
from pydantic.fields import FieldInfo

from xlatperf.config.bench import Bench
from xlatperf.keys.in_words import either, shortened
from xlatperf.keys.model import ConfigModel
from xlatperf.procedures.size_mix import SIZE_TAGS

MOST_OF_A_KEY = 80
"""Of one that is nobody's: so many characters show which it is."""
_NUMBERS = {int: "a whole number", float: "a number"}


@dataclass(frozen=True)
class KeyDescription:
    """One key. `when`: the table it belongs to exists only then ("technology.name = siit"), else empty."""

    place: str
    when: str
    description: str
    default: Any
    required: bool
    allowed: str
    source: str
    model: type[ConfigModel] | None


def members(annotation: Any) -> list[Any]:
    """The parts of a union, `Annotated` taken off; a single annotation is its only part."""
    while get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    if get_origin(annotation) in (Union, types.UnionType):
        return [part for member in get_args(annotation) for part in members(member)]
    return [annotation]


def models_of(annotation: Any) -> list[type[ConfigModel]]:
    """The models that a value (or a list's items) may be."""
    found: list[type[ConfigModel]] = []
    for part in members(annotation):
        if get_origin(part) is tuple:
            found += models_of(get_args(part)[0])
        elif isinstance(part, type) and issubclass(part, ConfigModel):
            found.append(part)
    return found


def tag_of(model: type[ConfigModel]) -> tuple[str, str] | None:
    """Name and value of the key that tells a model from the others of its union: ("procedure", "throughput")."""
    for name in ("name", "procedure", "driver"):
        annotation = model.model_fields[name].annotation if name in model.model_fields else None
        if get_origin(annotation) is Literal and len(get_args(annotation)) == 1:
            return name, str(get_args(annotation)[0])
    return None


def _plain(number: object) -> str:
    """1000000000 rather than 1000000000.0 or 1e9."""
    return str(int(number)) if isinstance(number, float) and number.is_integer() else str(number)


def _range(field: FieldInfo) -> str:
    low: str | None = None
    high: str | None = None
    for item in field.metadata:
        if isinstance(item, annotated_types.Ge):
            low = f"{item.ge!s}"
        elif isinstance(item, annotated_types.Gt):
            low = f"above {item.gt!s}"
        elif isinstance(item, annotated_types.Le):
            high = _plain(item.le)
        elif isinstance(item, annotated_types.Lt):
            high = f"below {item.lt!s}"
    return f"{low} to {high}" if low is not None and high is not None else ""


def allowed_values(field: FieldInfo) -> str:
    """What may be set, in words."""
    extra = field.json_schema_extra
    if isinstance(extra, dict) and extra.get("allowed"):
        return str(extra["allowed"])
    kind = next((part for part in members(field.annotation) if part is not type(None)), Any)
    if get_origin(kind) is Literal:
        values = [str(value) for value in get_args(kind)]
        return either(values)
    if kind is bool:
        return "true or false"
    if kind in _NUMBERS:
        span = _range(field)
        return f"{_NUMBERS[kind]}, {span}" if span else _NUMBERS[kind]
    if kind is str:
        return "text"
    if models_of(field.annotation):
        return "a table"
    return "a list"


def describe_model(model: type[ConfigModel], place: str = "", when: str = "") -> Iterator[KeyDescription]:
    """The keys of one model and of those in it, depth first, plain keys before tables."""
    ordered = sorted(model.model_fields.items(), key=lambda item: bool(models_of(item[1].annotation)))
    for name, field in ordered:
        here = f"{place}.{name}" if place else name
        inner = models_of(field.annotation)
        extra = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
        listed = any(get_origin(part) is tuple for part in members(field.annotation))
        yield KeyDescription(
            place=here,
            when=when,
            description=field.description or "",
            default=None
            if field.is_required() or (inner and not listed)
            else field.get_default(call_default_factory=True),
            required=field.is_required(),
            allowed=allowed_values(field),
            source=str(extra.get("source") or ""),
            model=inner[0] if len(inner) == 1 else None,
        )
        for child in inner:
            tag = tag_of(child)
            condition = f"{here}.{tag[0]} = {tag[1]}" if tag and len(inner) > 1 else when
            yield from describe_model(child, f"{here}[]" if listed else here, condition)


def describe_keys() -> list[KeyDescription]:
    """Every key of the bench file, in the order of the file."""
    return list(describe_model(Bench))


def plain(location: tuple[int | str, ...]) -> tuple[int | str, ...]:
    """Without the names of a union's parts that are a text or a list, or tagged so: no key is called so."""
    return tuple(part for part in location if not str(part).startswith(("literal[", "tuple[", *SIZE_TAGS)))


def find_field(location: tuple[int | str, ...]) -> tuple[str, FieldInfo | None, list[str]]:
    """Place in words, field and known keys of its table, for the location that pydantic gives an error.

    The location has the tags of unions in it ("measure", 0, "throughput", "duration_s"); the place has not.
    """
    place = ""
    field: FieldInfo | None = None
    candidates: list[type[ConfigModel]] = [Bench]
    for part in plain(location):
        if isinstance(part, int):
            place += f"[{part}]"
            continue
        tagged = [model for model in candidates if len(candidates) > 1 and (tag_of(model) or ("", ""))[1] == part]
        if tagged:
            candidates = tagged
            continue
        owner = next((model for model in candidates if part in model.model_fields), None)
        if owner is None:
            known = sorted({name for model in candidates for name in model.model_fields})
            # A part of a union that isn't a table ("float", "literal['theoretical']") names no key of the file.
            if field is not None and not candidates:
                continue
            unknown = shortened(part, MOST_OF_A_KEY)
            return (f"{place}.{unknown}" if place else unknown), None, known
        field = owner.model_fields[part]
        candidates = models_of(field.annotation)
        place = f"{place}.{part}" if place else part
    return place, field, []
