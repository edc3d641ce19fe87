"""Which formats there are, and how a file's text tells which one it has."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path

from xlatperf.files.reading import CAMPAIGN_BYTES, read_text
from xlatperf.imports.bench_text import Imported
from xlatperf.imports.javascript import is_javascript
from xlatperf.imports.jool_eamt import HEADER, jool_eamt
from xlatperf.imports.map_rules import map_rules
from xlatperf.imports.maptperf import maptperf
from xlatperf.imports.siitperf import siitperf
from xlatperf.imports.snabb import snabb


class Format(StrEnum):
    """Of a file."""

    SIITPERF = "siitperf"
    MAPTPERF = "maptperf"
    SNABB = "snabb"
    MAP_RULES = "map-rules"
    JOOL_EAMT = "jool-eamt"


_SIGNS = {
    Format.SIITPERF: r"^\s*IP-[LR]-Vers\b",
    Format.MAPTPERF: r"^\s*(BMR-|NUM-OF-CEs\b|DMR-)",
    Format.SNABB: r"\b(softwire-config|binding-table|softwires|psid_map|br_addresses)\s*\{|^\s*binding_table\s*=",
    Format.JOOL_EAMT: rf"\A\s*{HEADER}\s*$|\A\s*[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*/\d+,[0-9.]+/\d+\s*$",
}


def format_of(text: str) -> Format:
    """What it looks like; a list of rules if nothing else."""
    if is_javascript(text):
        return Format.MAP_RULES
    signs = _SIGNS.items()
    return next((one for one, sign in signs if re.search(sign, text, re.MULTILINE)), Format.MAP_RULES)


def import_file(path: Path, wanted: Format | None, technology: str | None) -> Imported:
    """Of that file. Raises ValueError, OSError and UnicodeDecodeError."""
    text = read_text(path, CAMPAIGN_BYTES).removeprefix("\ufeff")
    name = path.name
    match wanted or format_of(text):
        case Format.SIITPERF:
            return siitperf(text, name)
        case Format.MAPTPERF:
            return maptperf(text, name)
        case Format.SNABB:
            return snabb(text, name, path.parent)
        case Format.JOOL_EAMT:
            return jool_eamt(text, name)
        case Format.MAP_RULES:
            return map_rules(text, name, technology)
