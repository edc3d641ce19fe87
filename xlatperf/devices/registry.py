"""All drivers: one line each."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from xlatperf.devices.driver import Driver
from xlatperf.devices.ip6tnl_aftr import Ip6tnlAftr
from xlatperf.devices.ip6tnl_b4 import Ip6tnlB4
from xlatperf.devices.ip6tnl_br import Ip6tnlBr, Ip6tnlLwaftr
from xlatperf.devices.ip6tnl_ce import Ip6tnlCe, Ip6tnlLwb4
from xlatperf.devices.jool_464xlat import Jool464xlat
from xlatperf.devices.jool_map_t import JoolMapT
from xlatperf.devices.jool_nat64 import JoolNat64
from xlatperf.devices.jool_siit import JoolSiit
from xlatperf.devices.linux import Linux
from xlatperf.devices.manual import Manual
from xlatperf.devices.nft_masquerade import NftMasquerade
from xlatperf.devices.nft_nat44 import NftNat44
from xlatperf.devices.nft_nat66 import NftNat66
from xlatperf.devices.reference import Reference
from xlatperf.devices.tayga import Tayga
from xlatperf.devices.tayga_map_t import TaygaMapTBr, TaygaMapTCe
from xlatperf.devices.tayga_nat64 import TaygaNat64
from xlatperf.devices.tayga_siit_pair import TaygaSiitPair
from xlatperf.devices.vm_nat44 import VmNat44
from xlatperf.devices.vpp.driver import Vpp
from xlatperf.devices.xlat464 import Xlat464
from xlatperf.keys.in_words import either

DRIVERS: tuple[type[Driver], ...] = (
    Reference,
    Linux,
    Tayga,
    NftNat44,
    NftNat66,
    NftMasquerade,
    TaygaNat64,
    TaygaMapTCe,
    TaygaMapTBr,
    TaygaSiitPair,
    Xlat464,
    JoolSiit,
    Jool464xlat,
    JoolNat64,
    JoolMapT,
    Ip6tnlAftr,
    Ip6tnlCe,
    Ip6tnlLwb4,
    Ip6tnlB4,
    Ip6tnlBr,
    Ip6tnlLwaftr,
    VmNat44,
    Vpp,
    Manual,
)
BY_NAME: Mapping[str, type[Driver]] = {model.named(): model for model in DRIVERS}

if TYPE_CHECKING:
    AnyDriver = Driver
else:
    AnyDriver = Annotated[reduce(or_, DRIVERS), Field(discriminator="driver")]
"""`[device]`, told apart by `driver`."""

NAMES = either(list(BY_NAME))
"""In words."""
DEFAULT = Reference.named()
"""The driver of a bench file that names none: it needs neither root nor another program."""
