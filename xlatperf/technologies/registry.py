"""All technologies: one line each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, get_args

from pydantic import Field

from xlatperf.keys.in_words import either
from xlatperf.technologies.dslite import Dslite
from xlatperf.technologies.dslite_b4 import DsliteB4
from xlatperf.technologies.lw4o6 import Lw4o6
from xlatperf.technologies.lw4o6_b4 import Lw4o6B4
from xlatperf.technologies.map_e import MapE
from xlatperf.technologies.map_e_ce import MapECe
from xlatperf.technologies.map_t import MapT
from xlatperf.technologies.map_t_ce import MapTCe
from xlatperf.technologies.nat44 import Nat44
from xlatperf.technologies.nat64 import Nat64
from xlatperf.technologies.nat66 import Nat66
from xlatperf.technologies.native import Native
from xlatperf.technologies.siit import Siit
from xlatperf.technologies.technology import TechnologyModel

AnyTechnology = (
    Native
    | Siit
    | Nat44
    | Nat64
    | Nat66
    | MapE
    | MapT
    | MapECe
    | MapTCe
    | Lw4o6
    | Lw4o6B4
    | Dslite
    | DsliteB4
)  # fmt: skip
Technology = Annotated[AnyTechnology, Field(discriminator="name")]
"""`[technology]`, told apart by `name`."""

BY_NAME: Mapping[str, type[TechnologyModel]] = {
    str(get_args(model.model_fields["name"].annotation)[0]): model for model in get_args(AnyTechnology)
}
NAMES = either(list(BY_NAME))
"""In words."""
WITH_CONNECTIONS = ", ".join(name for name, model in BY_NAME.items() if model.stateful)
"""Names of those that are tested by connections (RFC 9693)."""
WITH_SUBSCRIBERS = either(
    [name for name, model in BY_NAME.items() if model.possible_subscribers is not TechnologyModel.possible_subscribers]
)
"""Names of those of which many subscribers may be simulated."""
IN_A_ROW = either([name for name, model in BY_NAME.items() if model.in_a_row is not TechnologyModel.in_a_row])
"""Names of those that two devices in a row can do, of which this is one's."""
TEMPLATES: Mapping[str, Mapping[str, Any]] = {
    template: {**start, "technology": {"name": name, **start.get("technology", {})}}
    for name, model in BY_NAME.items()
    for template, start in model.templates.items()
}
"""What `xlatperf init` can write, and what it begins with."""


def of(table: object) -> type[TechnologyModel] | None:
    """The technology that a table names; None if it names none."""
    return BY_NAME.get(str(table.get("name"))) if isinstance(table, Mapping) else None
