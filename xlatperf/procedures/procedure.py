"""What a procedure is: its keys in the bench file, what it is by its standard, and how one repetition is run.

Each has a file of its own in this folder and a line in `registry`. All that others need to know of it is asked here.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, NamedTuple, Self, get_args

from pydantic import Field, PrivateAttr, model_validator

from xlatperf.engine.message import DirectionName
from xlatperf.keys.limits import MOST_SUBSCRIBERS
from xlatperf.keys.model import ConfigModel, Number, Whole, key
from xlatperf.keys.needs import Need
from xlatperf.keys.not_allowed import refuse
from xlatperf.procedures.column import MOST_COLUMNS, Column
from xlatperf.procedures.conditions import Conditions
from xlatperf.procedures.deviation import Deviation
from xlatperf.procedures.facts import Facts
from xlatperf.procedures.phase_1 import Phase1
from xlatperf.procedures.quantity import Derived, Measured
from xlatperf.procedures.series import Series, Variant
from xlatperf.procedures.size_mix import AnySize
from xlatperf.procedures.trial import Measure
from xlatperf.procedures.trial_request import TrialRequest

Rate = Annotated[Number, Field(gt=0, le=1e9)]
"""Frames per second per direction."""
DirectionChoice = Literal["bidirectional", "forward", "reverse"]
Parameter = float | int | str | None


def directions_of(choice: DirectionChoice) -> tuple[DirectionName, ...]:
    """Those that send at once."""
    return ("forward", "reverse") if choice == "bidirectional" else (choice,)


class Place(NamedTuple):
    """What one result is for. `measure`: as it is there. `column`: number from 1; None: it has no columns."""

    series: Series
    measure: Procedure
    column: int | None = None


SEARCH_STEPS = 10
"""Trials of a search that has not begun, for the estimate of the end."""


class Procedure(ConfigModel):
    """`[[measure]]`. What all procedures need, and how those differ that aren't alike."""

    facts: ClassVar[Facts]

    procedure: str
    if TYPE_CHECKING:  # each has its own default

        @property
        def direction(self) -> DirectionChoice:
            """Which directions run at once."""

        @property
        def repetitions(self) -> int:
            """Number of complete searches, sweeps or trials."""

    name: str | None = key(None, "a name of your own for the report")
    frame_sizes: tuple[AnySize, ...] = key(
        (84, 128, 256, 512, 768, 1024, 1280, 1518),
        "frame sizes with FCS in bytes, of the side that traffic.frame_size_of names",
        allowed="a list of sizes from 64 (84 for IPv6) to 9216, each once; several sizes as one traffic are a table",
        source="RFC 8219 §5.1.1, 84 in place of 64 for IPv6",
        min_length=1,
    )
    media_mbps: Number | None = key(
        None,
        "line rate in Mbit/s for the theoretical maximum; without it, the ports' own, or 10000 if they don't know",
        gt=0,
        le=1e6,
        source="RFC 8219 §5.1: the media must be reported",
    )
    timeout_s: Number = key(
        2.0, "how long to wait for frames after the last one was sent, in s", ge=0, le=60, source="RFC 2544 §23(d): 2 s"
    )
    settle_s: Number = key(
        5.0, "how long the DUT may rest after a trial, in s", ge=0, le=3600, source="RFC 2544 §23(e): at least 5 s"
    )
    learning_wait_s: Number = key(
        2.0, "wait after the learning frames before a trial, in s", ge=0, le=3600, source="RFC 2544 §23(b): 2 s"
    )
    retries: Whole = key(
        2,
        "how often a trial is repeated that is invalid, or that lost frames only right after the Tester was held up",
        ge=0,
        le=100,
    )
    device_cores: tuple[Annotated[Whole, Field(ge=1, le=1024)], ...] | None = key(
        None,
        "on how many cores the DUT works, each number a series of its own; not set: as it is; all measures have it, or "
        "none",
        allowed="a list of numbers from 1 to 1024, each once, such as [1, 2, 4], if the driver can set it",
        source="RFC 9693 §5.2",
        min_length=1,
    )

    subscribers: tuple[Annotated[Whole, Field(ge=1, le=MOST_SUBSCRIBERS)], ...] | None = key(
        None,
        "numbers of simulated subscribers (the CEs of all domains, softwires, B4s), each a series of its own; not set: "
        "as technology.domains, technology.softwires or technology.b4s says",
        allowed=f"a list of numbers from 1 to {MOST_SUBSCRIBERS}, each once, such as [1000, 1000000], of a DUT with "
        "subscribers: a border relay, an lwAFTR, an AFTR",
        source="RFC 8219 §10.2: the number of network flows",
        min_length=1,
    )
    columns: Literal["all"] | tuple[Column, ...] | None = key(
        None,
        "series in each of which several things change together, in place of lists of one thing each: the columns of a "
        'table; "all": those of [[column]]',
        allowed=f'"all", or a list of 1 to {MOST_COLUMNS} tables, each once, with keys as [[column]] has them',
        source="RFC 9693 §5; draft-lencse-v6ops-transition-scalability",
        min_length=1,
        max_length=MOST_COLUMNS,
    )

    _columns_are_shared: bool = PrivateAttr(default=False)

    def with_shared(self, columns: tuple[Column, ...]) -> Self:
        """With those of [[column]] in place of "all"."""
        copy = self.model_copy(update={"columns": columns})
        copy._columns_are_shared = True  # noqa: SLF001 - of the same class
        return copy

    def place_of_column(self, measure: int, column: int) -> str:
        """Where the bench file has a column of its measure of this number; both from 0 on."""
        return f"column[{column}]" if self._columns_are_shared else f"measure[{measure}].columns[{column}]"

    @model_validator(mode="after")
    def _each_once(self) -> Procedure:
        if len(set(self.frame_sizes)) != len(self.frame_sizes):
            named = [size if isinstance(size, int) else size.what for size in self.frame_sizes]
            refuse("frame_sizes", named, "each size once")
        for name in ("device_cores", "subscribers"):
            numbers = getattr(self, name)
            if numbers is not None and len(set(numbers)) != len(numbers):
                refuse(name, numbers, "each number once")
        return self

    @classmethod
    def named(cls) -> str:
        """As the bench file has it."""
        (name,) = get_args(cls.model_fields["procedure"].annotation)
        return str(name)

    @property
    def label(self) -> str:
        """Its name in the report."""
        return self.name or self.procedure.replace("_", " ")

    @property
    def series_label(self) -> str:
        """The same for measures that differ in what a report has columns for."""
        return self.label

    @property
    def standards(self) -> str:
        """Sections that describe it, as it's configured."""
        return self.facts.standard

    @property
    def column_keys(self) -> frozenset[str]:
        """Keys of its columns that say something about it."""
        return frozenset(Column.model_fields) - {"alpha", "connections"}

    @property
    def table(self) -> tuple[Column, ...]:
        """Its columns; empty: it has series over one thing each."""
        return self.columns if isinstance(self.columns, tuple) else ()

    def in_column(self, column: Column) -> Procedure:  # noqa: ARG002 - most have no key in columns
        """As it is there."""
        return self

    @property
    def axes(self) -> Mapping[str, Sequence[int | None]]:
        """What it's repeated for beside frame sizes, the slowest first; None: as the rest of the bench file says."""
        return {"device_cores": self.device_cores or (None,), "subscribers": self.subscribers or (None,)}

    def series(self) -> Iterator[Series]:
        """What it's repeated for."""
        yield from (place.series for place in self.places())

    def places(self) -> Iterator[Place]:
        """The same with the column that it's in."""
        for number, column in enumerate(self.table, 1):
            for size in self.frame_sizes if column.frame_size is None else (column.frame_size,):
                yield Place(column.series(Series.of_size(size)), self.in_column(column), number)
        if self.table:
            return
        for numbers in product(*self.axes.values()):
            at = dict(zip(self.axes, numbers, strict=True))
            for size in self.frame_sizes:
                of_size = Series.of_size(size)
                yield Place(
                    of_size._replace(
                        connections=at.get("connections"),
                        subscribers=at.get("subscribers"),
                        device_cores=at.get("device_cores"),
                    ),
                    self,
                )

    @property
    def single_sizes(self) -> tuple[int, ...]:
        """All frame sizes, those of mixes one by one."""
        return tuple(
            dict.fromkeys(
                one for size in self.frame_sizes for one in ((size,) if isinstance(size, int) else size.in_turn)
            )
        )

    @property
    def variants(self) -> Sequence[Variant]:
        """Series of each of these that have trials of their own."""
        return (Variant(),)

    @property
    def read_twice(self) -> bool:
        """Whether the same trials give two results: a classic one, and one in which late frames are lost."""
        return False

    @property
    def needs(self) -> frozenset[Need]:
        """What the DUT's driver must be able to do."""
        given = {name for column in self.table for name in column.given}
        asked: dict[Need, bool] = {
            "cores": self.device_cores is not None or "device_cores" in given,
            "table_size": "table_size" in given,
            "hash_size": "hash_size" in given,
        }
        return frozenset(need for need, wanted in asked.items() if wanted)

    @property
    def phase_1(self) -> Phase1 | None:
        """With connections, what comes before it; None: it has none of its own."""
        return None

    @property
    def given_by(self) -> str:
        """The key that gives what would else be found by another measure."""
        return ""

    @property
    def rates_wanted(self) -> bool:
        """Whether a rate has to come from a throughput measure for the same frames, in the same bench file."""
        return bool(self.given_by) and getattr(self, self.given_by) is None

    @property
    def given_throughput_fps(self) -> float | None:
        """The throughput where the bench file says it."""
        return None

    @property
    def tolerant(self) -> bool:
        """Whether loss passes: what it finds is handed over only if there is nothing else."""
        return any(self.tolerance.values())

    @property
    def tolerance(self) -> Mapping[DirectionName, float]:
        """The share of lost frames that passes, where that is asked."""
        return {}

    @property
    def lowest_fps(self) -> float | None:
        """The lowest rate of its search."""
        return None

    @property
    def keeps_histogram(self) -> bool:
        """Whether the histogram of delays of the first repetition is kept."""
        return False

    @property
    def keeps_raw_delays(self) -> bool:
        """Whether every frame's delay is kept."""
        return False

    @property
    def directions(self) -> tuple[DirectionName, ...]:
        """Those that send at once."""
        return directions_of(self.direction)

    @property
    def flows_apart_s(self) -> float | None:
        """How long after the one before a flow begins (RFC 8219 §10.2.2); None: all begin at once."""
        return None

    @property
    def trial_s(self) -> float | None:
        """How long a trial sends where the bench file says it."""
        return None

    @property
    def sending_s(self) -> float:
        """How long it sends through connections, all rates of a trial together; 0: it is they that are measured."""
        return self.trial_s or 0.0

    @property
    def selftest_phase(self) -> Literal["establish", "steady"] | None:
        """With connections, in which phase the Tester is at its limit."""
        return None

    @property
    def steps(self) -> int:
        """About how many trials a repetition takes, until a search says more."""
        return 1

    @property
    def phases_1(self) -> int:
        """How often a trial takes the time of phase 1."""
        return 1

    @property
    def least_connections(self) -> int:
        """Where it says itself how many connections it begins with."""
        return 0

    @property
    def counts_of_connections(self) -> Mapping[str, int]:
        """Numbers of connections that must be possible, by the place of their keys."""
        return {}

    def most_connections(self, possible: int) -> int:  # noqa: ARG002
        """With how many its search ends where so many are possible; 0: it searches no number of connections."""
        return 0

    def highest_fps(self, theoretical_fps: float) -> float:
        """The highest rate per direction that it tries."""
        return theoretical_fps

    @property
    def asked_fps(self) -> float:
        """The highest rate per direction that its keys ask for; infinite: all that the media carries; 0: they don't."""
        return (self.phase_1.given_fps or 0.0) if self.phase_1 is not None else 0.0

    def rate_at(self, throughput_fps: float | None, share: float | None) -> float | None:  # noqa: ARG002
        """The rate of its trials, if it's known before; None: it isn't."""
        return None

    def rate_of_trials(self, conditions: Conditions) -> float | None:
        """As the results have it; None: it isn't the same in all trials."""
        return conditions.rate_fps

    def deviations(self) -> Iterator[Deviation]:
        """Where it does something else than its standards say."""
        section, shortest_s = self.facts.shortest
        if self.trial_s is not None and self.trial_s < shortest_s:
            yield Deviation(
                section, f"trials of at least {shortest_s:g} s", f"{self.label}: trials of {self.trial_s:g} s"
            )
        if self.timeout_s < 2:
            yield Deviation("RFC 2544 §23(d)", "wait 2 s for residual frames", f"{self.label}: {self.timeout_s:g} s")
        if self.settle_s < 5:
            yield Deviation("RFC 2544 §23(e)", "wait at least 5 s after a trial", f"{self.label}: {self.settle_s:g} s")
        if self.learning_wait_s < 2:
            said = "wait 2 s after the learning frames"
            yield Deviation("RFC 2544 §23(b)", said, f"{self.label}: {self.learning_wait_s:g} s")

    def parameters(self) -> dict[str, Parameter]:
        """What the standard wants reported of how it was measured; units are in the names."""
        known: dict[str, Parameter] = {"timeout_s": self.timeout_s}
        return known if self.trial_s is None else {"duration_s": self.trial_s, **known}

    def alone(self, conditions: Conditions) -> TrialRequest | None:  # noqa: ARG002
        """The same frames at the same rate without the DUT; None: that isn't wanted."""
        return None

    def derived(self, found: Sequence[Measured], conditions: Conditions) -> Sequence[Derived]:  # noqa: ARG002
        """What follows from all repetitions."""
        return ()

    @abstractmethod
    def run(self, conditions: Conditions, measure: Measure) -> Measured:
        """One repetition. Raises MeasurementFailed."""
