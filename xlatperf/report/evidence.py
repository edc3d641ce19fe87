"""Everything that a report is made from: the results, and what the campaign's folder says about host and DUT."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from xlatperf.conformance.record import RULES_FILE, ConformanceRecord
from xlatperf.devices.in_a_row import MODELS
from xlatperf.engine.message import DirectionName, TrafficClass
from xlatperf.files.reading import BENCH_BYTES, MEGABYTE, parse_json, read_text
from xlatperf.procedures.trial import Trial
from xlatperf.report import histogram
from xlatperf.results.file import BASELINE_FILE, read_results
from xlatperf.results.results import Measurement, Results
from xlatperf.technologies import registry as technologies


@dataclass(frozen=True)
class Evidence:
    """Results, environment.json ({} if there is none), the bench file's text (None if it isn't in the folder).

    Without a folder there are no histograms of delays.
    """

    results: Results
    environment: dict[str, Any] = field(default_factory=dict)
    bench_text: str | None = None
    folder: Path | None = None

    @classmethod
    def read(cls, results: Results, folder: Path) -> Evidence:
        """With what the folder has; a missing or broken file leaves its part of the report empty."""
        environment: Any = {}
        bench_text = None
        try:
            environment = parse_json(read_text(folder / "environment.json"))
        except (OSError, ValueError):
            environment = {}
        try:
            bench_text = read_text(folder / "bench.toml", BENCH_BYTES)
        except (OSError, ValueError):
            bench_text = None
        return cls(results, environment if isinstance(environment, dict) else {}, bench_text, folder)

    def delays(
        self, file: str, direction: DirectionName, traffic_class: TrafficClass | None = None
    ) -> histogram.Delays | None:
        """Delays in a histogram file of the folder; None if it is missing, broken, empty or not in the folder.

        `traffic_class` None: of all frames.
        """
        if self.folder is None:
            return None
        try:
            path = (self.folder / file).resolve()
            if not path.is_relative_to(self.folder.resolve()) or not path.is_file():
                return None
            found = histogram.read(path, direction, traffic_class=traffic_class)
        except (OSError, ValueError):
            return None
        usable = found is not None and found.count.size and found.count.min() >= 0 and found.count.sum() > 0
        return found if usable else None

    def part(self, *names: str) -> dict[str, Any]:
        """A table in environment.json by its path; empty if it isn't there."""
        return _table(self.environment, names)

    def asked(self, *names: str) -> dict[str, Any]:
        """The same of the bench file, with all defaults; in results.json of somebody else it may be anything."""
        return _table(self.results.bench, names)

    @cached_property
    def rules(self) -> ConformanceRecord | None:
        """What `check --all` found, if the folder has its file and that can be read."""
        if self.folder is None:
            return None
        try:
            return ConformanceRecord.model_validate(parse_json(read_text(self.folder / RULES_FILE, MEGABYTE)))
        except (OSError, ValueError):  # also ValidationError
            return None

    @cached_property
    def baseline(self) -> Evidence | None:
        """Native forwarding, if the folder has its file and that can be read."""
        if self.folder is None:
            return None
        try:
            return Evidence(read_results(read_text(self.folder / BASELINE_FILE)))
        except (OSError, ValueError):
            return None

    @cached_property
    def measures(self) -> list[dict[str, Any]]:
        """Those of the bench file."""
        return measures_of(self.results.bench)

    def parts(self, *names: str) -> list[dict[str, Any]]:
        """A list of tables in environment.json by its path; empty if it isn't there."""
        found = self.part(*names[:-1]).get(names[-1])
        return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []

    @cached_property
    def sessions(self) -> list[dict[str, Any]]:
        """Each start of the campaign."""
        return self.parts("sessions")

    @cached_property
    def trials(self) -> dict[int, Trial]:
        """Trials by number."""
        return {trial.number: trial for trial in self.results.trials}

    def measurements(self, procedure: str) -> list[Measurement]:
        """Those of one procedure."""
        return [measurement for measurement in self.results.measurements if measurement.procedure == procedure]

    @cached_property
    def stateful(self) -> bool:
        """Whether the DUT keeps connections (RFC 9693)."""
        model = technologies.of(self.results.technology)
        return model is not None and model.stateful

    @cached_property
    def driver(self) -> str:
        """Name of the DUT's driver."""
        return str(self.asked("device").get("driver", ""))

    @cached_property
    def device(self) -> str:
        """The DUT, with its version if that is known: `TAYGA 0.9.2`."""
        facts = self.part("device")
        model = MODELS.get(self.driver)
        if model is None:
            return self.driver or "The device"
        return model.called({**self.asked("device"), **facts})

    @cached_property
    def families(self) -> dict[str, str]:
        """IP version of the foreground on each side."""
        model = technologies.of(self.results.technology)
        left, right = (6, 4) if model is None else model.families_of(self.results.technology)
        return {"left": f"IPv{left}", "right": f"IPv{right}"}

    def ipv4_size(self, item: Measurement) -> int:
        """Size of the IPv4 frame with the same data: IPv6's header is 20 bytes longer (RFC 7915 §1.2)."""
        return round(self._as_ipv4(item.frame_size.exact("left"), item.frame_size.exact("right")))

    def ipv4_sizes(self, item: Measurement) -> str:
        """The same of several as one traffic: `7x64+4x574+1x1498`; empty: there is one."""
        mixed = item.frame_size.mixed
        shares = () if mixed is None else mixed.shares
        of = {self._as_ipv4(one.left, one.right): one.frames for one in shares}
        return "+".join(f"{frames}x{size:g}" for size, frames in sorted(of.items()))

    def _as_ipv4(self, left: float, right: float) -> float:
        by_family = {self.families["left"]: left, self.families["right"]: right}
        return by_family["IPv4"] if "IPv4" in by_family else by_family["IPv6"] - 20


def measures_of(bench: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The measures of a bench file with all its defaults, as results.json has it."""
    found = bench.get("measure")
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _table(found: Any, names: Sequence[str]) -> dict[str, Any]:
    for name in names:
        found = found.get(name) if isinstance(found, dict) else None
    return found if isinstance(found, dict) else {}
