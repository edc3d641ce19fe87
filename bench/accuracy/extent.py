"""How long everything takes: the full run, and a quick one that shows that the whole works."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Extent:
    """Durations in s, rates in frames per second. `refusals`, `short_refusals`: so many refused
    trials are repeated for each row, of seconds or of fractions of one."""

    name: str
    refusals: int
    short_refusals: int
    capacities_fps: tuple[int, ...]
    capacity_trial_s: float
    capacity_stop: float
    loss_frames: int
    delays_us: tuple[float, ...]
    delay_s: float
    bimodal_s: float
    variation_s: float
    variation_floors: int
    departure_s: float
    departure_trials: int
    rate_s: float


FULL = Extent(
    name="full",
    refusals=8,
    short_refusals=60,
    capacities_fps=(20_000, 50_000, 100_000),
    capacity_trial_s=5.0,
    capacity_stop=0.001,
    loss_frames=100_000,
    delays_us=(50.0, 1_000.0, 20_000.0),
    delay_s=2.0,
    bimodal_s=4.0,
    variation_s=0.1,
    variation_floors=3,
    departure_s=0.2,
    departure_trials=9,
    rate_s=10.0,
)

QUICK = Extent(
    name="quick",
    refusals=2,
    short_refusals=4,
    capacities_fps=(20_000,),
    capacity_trial_s=0.2,
    capacity_stop=0.1,
    loss_frames=5_000,
    delays_us=(1_000.0,),
    delay_s=0.2,
    bimodal_s=0.4,
    variation_s=0.1,
    variation_floors=1,
    departure_s=0.1,
    departure_trials=1,
    rate_s=0.5,
)
