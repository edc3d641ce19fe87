"""Which plain features this host's kernel has: those that a lab uses, and no others are used."""

from __future__ import annotations

import gzip
import re

from xlatperf.devices import af_xdp_kernel
from xlatperf.lab.kernel_features import PLAIN, Feature
from xlatperf.probe.observation import Observation
from xlatperf.probe.tree import Tree

_SUBJECT = "kernel"


def survey(tree: Tree) -> list[Observation]:
    """One line: all are there, or which aren't, or of which nothing is known."""
    built = _built_with(tree)
    not_seen = [one for one in PLAIN if not _there(tree, one, built or frozenset())]
    named = ", ".join(f"{one.subject} ({one.what_for})" for one in not_seen)
    danger = af_xdp_kernel.why_not(tree.root)
    advice = 'update it; until then use af_packet (with tester.port_driver = "auto" that is done)'
    more = [] if danger is None else [Observation("limited", "af_xdp", danger, advice)]
    if not not_seen:
        has = ", ".join(one.subject for one in PLAIN)
        return [Observation("ok", _SUBJECT, f"has {has}: a lab needs no more"), *more]
    if built is None:
        text = f"no configuration of it is to be found: nothing is known of {named}"
        return [Observation("limited", _SUBJECT, text), *more]
    options = " and ".join(f"CONFIG_{one.option}" for one in not_seen)
    return [Observation("missing", _SUBJECT, f"without {named}", f"use a kernel with {options}"), *more]


def _there(tree: Tree, feature: Feature, built: frozenset[str]) -> bool:
    return feature.option in built or (feature.sign is not None and tree.exists(feature.sign))


def _built_with(tree: Tree) -> frozenset[str] | None:
    """Options that are built in or modules; None if no configuration is to be found."""
    release = tree.read("proc/sys/kernel/osrelease") or ""
    text = _unpacked(tree) or tree.read(f"boot/config-{release}") or tree.read(f"lib/modules/{release}/config")
    return None if text is None else frozenset(re.findall(r"^CONFIG_(\w+)=[ym]$", text, re.MULTILINE))


def _unpacked(tree: Tree) -> str | None:
    try:
        return gzip.decompress((tree.root / "proc/config.gz").read_bytes()).decode(errors="replace")
    except (OSError, EOFError):
        return None
