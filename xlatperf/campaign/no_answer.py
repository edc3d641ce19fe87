"""A DUT that does not answer ARP or Neighbor Discovery."""

from __future__ import annotations


class NoAnswer(Exception):
    """The DUT does not answer ARP or Neighbor Discovery. `silent`: side, family and address."""

    def __init__(self, silent: list[tuple[str, str, str]]) -> None:
        self.silent = silent
        super().__init__("; ".join(no_answer_text(side, family, address) for side, family, address in silent))


def no_answer_text(side: str, family: str, address: str) -> str:
    """One line for a gateway that did not answer."""
    question = "ARP" if family == "ipv4" else "Neighbor Discovery"
    return (
        f"the DUT at {address} on the {side} side did not answer {question}: is it up, is the address right "
        f"(tester.{side}.gateway_{family}), is the cable in the right port?"
    )
