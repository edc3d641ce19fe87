"""Base of the bench file's models, and `key`, which documents a key where it is defined."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, Strict

REQUIRED: Any = ...

# TOML has types: a number written as text or as a truth value is a mistake, not something to convert.
Whole = Annotated[int, Strict()]
"""A whole number."""
Number = Annotated[float, Strict()]
"""A number, with or without a point."""
Truth = Annotated[bool, Strict()]
"""true or false."""


class ConfigModel(BaseModel):
    """Frozen; a key that isn't known is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, defer_build=True)


def key(
    default: Any,
    description: str,
    *,
    allowed: str | None = None,
    source: str = "",
    default_factory: Callable[[], Any] | None = None,
    **constraints: Any,
) -> Any:
    """A documented key.

    `allowed` says in words what may be set (derived from type and constraints if None); `source` names the standard
    and section of the default or the rule.
    """
    extra: dict[str, Any] = {"allowed": allowed, "source": source}
    if default_factory is not None:
        return Field(default_factory=default_factory, description=description, json_schema_extra=extra, **constraints)
    return Field(default, description=description, json_schema_extra=extra, **constraints)
