"""What a measurement is of: those of several campaigns with the same kind stand in one row."""

from __future__ import annotations

from dataclasses import dataclass, replace

from xlatperf.engine.message import TrafficClass
from xlatperf.keys.in_words import plural
from xlatperf.procedures.capacity import Capacity
from xlatperf.procedures.procedure import DirectionChoice
from xlatperf.procedures.registry import BY_NAME
from xlatperf.report import words
from xlatperf.report.comparison.campaign import Campaign
from xlatperf.report.series import alpha_of, connections_of, flow_interval_of
from xlatperf.results.frames import Mix
from xlatperf.results.results import Measurement, ProcedureName

_SIZES = ("table size", "hash size")


@dataclass(frozen=True)
class Kind:
    """`table_sizes`: of a capacity, which is about them; of rates through other tables each device has its own.

    `sizes`: several as one traffic, of which `ipv4_size` is the mean.
    `further`: 1 for a second measurement of one campaign that is the same in all else, and so on.
    """

    procedure: ProcedureName
    quantity: str
    unit: str
    ipv4_size: int
    mix: tuple[int, int]
    direction: DirectionChoice
    frame_timeout_ms: float | None = None
    loss_tolerance: tuple[tuple[str, float], ...] = ()
    connections: int | None = None
    subscribers: int | None = None
    networks: int | None = None
    flows: int | None = None
    cores: int | None = None
    table_sizes: tuple[int | None, int | None] = (None, None)
    alpha: float | None = None
    share: float | None = None
    rate_fps: float | None = None
    traffic_class: TrafficClass | None = None
    flow_interval_s: float | None = None
    sizes: str = ""
    further: int = 0

    @property
    def order(self) -> tuple[object, ...]:
        """Where its row stands; the quantities of a measurement stay as they are named."""
        series = (self.connections, self.subscribers, self.networks, self.flows, self.cores, *self.table_sizes)
        numbers = (self.frame_timeout_ms, *series, self.alpha, self.share, self.rate_fps, self.flow_interval_s)
        return (
            list(BY_NAME).index(self.procedure),
            (self.ipv4_size, self.sizes),
            -self.mix[0] / self.mix[1],
            *((value is not None, value or 0) for value in numbers),
            self.loss_tolerance,
            self.further,
        )

    def with_connections(self, count: int) -> Kind:
        """The same through so many connections."""
        return replace(self, connections=count)

    @property
    def conditions(self) -> str:
        """What else it was measured with: `1,000 connections, alpha 0.8`; empty if there is nothing to say."""
        said = []
        if self.mix[0] != self.mix[1]:
            said.append(words.mix(Mix(take=self.mix[0], of=self.mix[1])))
        if self.traffic_class is not None:
            said.append(f"{self.traffic_class} only")
        if self.connections is not None:
            said.append(plural(self.connections, "connection"))
        if self.subscribers is not None:
            said.append(plural(self.subscribers, "subscriber"))
        if self.networks is not None:
            said.append(plural(self.networks, "network"))
        if self.flows is not None:
            said.append(plural(self.flows, "flow"))
        if self.flow_interval_s is not None:
            said.append(f"{self.flow_interval_s:g} s apart")
        if self.cores is not None:
            said.append(plural(self.cores, "core"))
        said += [f"{name} {size:,}" for name, size in zip(_SIZES, self.table_sizes, strict=True) if size is not None]
        if self.alpha is not None:
            said.append(f"alpha {self.alpha:g}")
        if self.share is not None:
            said.append(f"at {100 * self.share:g} % of the throughput")
        if self.rate_fps is not None:
            said.append(f"at {self.rate_fps:,.0f} frames/s")
        if self.frame_timeout_ms is not None:
            said.append(f"frame timeout {self.frame_timeout_ms:g} ms")
        said += [f"{100 * ratio:g} % loss {name} allowed" for name, ratio in self.loss_tolerance if ratio]
        return ", ".join(said)

    @property
    def size_in_words(self) -> str:
        """Of the IPv4 frame; of several sizes all."""
        return words.of_bytes(self.ipv4_size, self.sizes)

    @property
    def name(self) -> str:
        """The quantity; the procedure if there is none, for want of results."""
        return self.quantity or self.procedure.replace("_", " ")

    @property
    def text(self) -> str:
        """In one line."""
        parts = (self.name, self.size_in_words, words.ARROWS[self.direction], self.conditions)
        return ", ".join(part for part in parts if part)


def kind_of(campaign: Campaign, item: Measurement, quantity: str, unit: str, direction: DirectionChoice) -> Kind:
    """Of one quantity of a measurement."""
    return Kind(
        procedure=item.procedure,
        quantity=quantity,
        unit=unit,
        ipv4_size=campaign.ipv4_size(item),
        sizes=campaign.ipv4_sizes(item),
        mix=(item.mix.take, item.mix.of),
        direction=direction,
        frame_timeout_ms=item.frame_timeout_ms,
        loss_tolerance=tuple(sorted((name, ratio) for name, ratio in item.loss_tolerance.items() if ratio)),
        connections=connections_of(item),
        subscribers=item.subscribers,
        networks=item.networks,
        flows=item.flows,
        flow_interval_s=flow_interval_of(item),
        cores=item.device_cores,
        table_sizes=(item.table_size, item.hash_size) if item.procedure == Capacity.named() else (None, None),
        alpha=alpha_of(item),
        share=item.share,
        rate_fps=item.rate_fps if item.share is None else None,
    )
