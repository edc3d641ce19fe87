"""NICs on PCI, and who has them now. Nothing is loaded or bound."""

from __future__ import annotations

from xlatperf.lab.cards import BIFURCATED, Card, find_cards
from xlatperf.probe.observation import Observation
from xlatperf.probe.tree import Tree


def survey(tree: Tree) -> list[Observation]:
    """A line per NIC."""
    lines = [_nic(card) for card in find_cards(tree.root)]
    if lines:
        return lines
    text = "none on PCI: virtual ports only (af_packet, af_xdp, memif, ring)"
    return [Observation("limited", "NIC", text, "rates of virtual ports are those of this host, not of a wire")]


def _nic(card: Card) -> Observation:
    subject = f"NIC {card.address}"
    if card.driver in BIFURCATED:
        return Observation("ok", subject, f"{card.driver}: DPDK uses it beside the kernel, use {card.address} as port")
    if card.for_dpdk:
        return Observation("ok", subject, f"bound to {card.driver}: use {card.address} as port")
    return Observation("limited", subject, card.owner, card.advice)
