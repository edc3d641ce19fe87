"""What the experiments show of the device's connections (RFC 9693 §4.4): mappings, entries, timeouts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from xlatperf.engine.mappings import Mappings
from xlatperf.keys.in_words import plural
from xlatperf.procedures.timeout_check import TimeoutFound
from xlatperf.procedures.trial import Trial
from xlatperf.report.evidence import Evidence
from xlatperf.report.markup import Content, badge, element, folded, paragraph, render
from xlatperf.report.numerals import NONE, percent, seconds, whole
from xlatperf.report.section import Section
from xlatperf.report.series import full_name
from xlatperf.report.table import Column, facts, table, text
from xlatperf.results.connection_records import ConnectionsRecord

_LISTED = 64
_ORDERS = {
    "pseudorandom": "pseudorandom",
    "increasing": "increasing",
    "decreasing": "decreasing",
    "round_robin": "round robin",
}


def sentences(evidence: Evidence) -> list[Content]:
    """What the device forgets too soon, first of all."""
    return [
        element("strong", f"{check.text[:1].upper()}{check.text[1:]}.")
        for check in evidence.results.timeout_checks
        if check.verdict == "forgets"
    ]


def section(evidence: Evidence) -> Section | None:
    """None without a stateful device."""
    trials = [trial for trial in evidence.results.trials if trial.request.connections is not None]
    checks = evidence.results.timeout_checks
    space = next((item.connections for item in evidence.results.measurements if item.connections is not None), None)
    if not trials and not checks and space is None:
        return None
    parts: list[Content] = [
        paragraph(
            "RFC 9693 §4.4. Every experiment begins with an emptied table, then phase 1 opens its connections. The "
            "right side learns how each one's source was translated, and every later frame must have that same "
            "source; frames back must arrive at exactly the original addresses and ports.",
            class_="lead",
        ),
        _space(space, evidence) if space is not None else None,
        _timeouts(checks),
    ]
    groups = _by_measurement(trials)
    if groups:
        parts += [
            element("h3", "Mappings"),
            table(_MAPPINGS, [_Experiments(_name(run, evidence), members) for run, members in groups.items()]),
            paragraph(
                "Sums over the experiments of a row. Complete: phase 1 was. IPs: addresses that sources were "
                "translated to. Ports kept: connections whose source port is the client's own. Shared: connections "
                "with the same addresses and ports on the right side as another one. Outside pool: frames whose source "
                "isn't in technology.pool, or not the CE's by its rule. Changed: frames with another source than in "
                "phase 1. Entries in the device's table, where its driver can count them: own, the most in an emptied "
                "table; fewest after a complete phase 1, in percent of its connections: below 100 % the device had "
                "already dropped some.",
                class_="muted",
            ),
            _addresses(groups, evidence),
        ]
    return Section("connections", "Connections and mappings", render(parts))


def _space(space: ConnectionsRecord, evidence: Evidence) -> Content:
    """RFC 9693 §5.1: ranges are to be reported."""

    def addresses(first: str, count: int, step: int) -> Content:
        more = f", {plural(count, 'address', 'addresses')}" + (f" at steps of {step:,}" if step != 1 else "")
        return [element("code", first), more if count > 1 else ", one address"]

    spaces = [item.connections for item in evidence.results.measurements if item.connections is not None]
    ports = dict.fromkeys(one.client_ports for one in spaces)
    clients, servers = space.clients, space.servers
    pool = evidence.results.technology.get("pool")
    pairs: list[tuple[Content, Content]] = [
        ("Clients (left)", addresses(clients.first, clients.addresses, clients.step)),
        ("Source ports", "; ".join(f"{first} to {last}: {last - first + 1:,}" for first, last in ports)),
        ("Servers (right)", addresses(servers.first, servers.addresses, servers.step)),
    ]
    destination = _destination_ports(evidence)
    if destination is not None:
        pairs.append(("Destination ports", destination))
    if isinstance(pool, dict):
        said = f", ports {pool.get('first_port', '?')} to {pool.get('last_port', '?')}"
        count = pool.get("addresses", 1)
        more = f", {plural(count, 'address', 'addresses')}" if isinstance(count, int) else ""
        if pool.get("psid_length"):
            said += (
                f", of these those of PSID {pool.get('psid')} ({pool['psid_length']} bits at {pool.get('psid_offset')})"
            )
        pairs.append(
            ("Pool that sources are translated to", [element("code", str(pool.get("first", "?"))), more, said])
        )
    pairs.append(
        (
            "Orders",
            f"opened in {_ORDERS[space.enumeration]} order; state table written in {_ORDERS[space.write_order]}, read "
            f"in {_ORDERS[space.read_order]} order (RFC 9693 §4.4, §4.10)",
        )
    )
    if space.bytes_per_connection is not None:
        pairs.append(("Tester's memory", f"{space.bytes_per_connection} bytes for each connection"))
    return facts(pairs)


def _destination_ports(evidence: Evidence) -> str | None:
    """Those that may be used; with columns, which may have others each, those that were."""
    found = [item.connections for item in evidence.results.measurements if item.column is not None and item.connections]
    if found:
        used = dict.fromkeys(one.server_ports for one in found if one.server_ports is not None)
        return "; ".join(f"{first} to {last}" for first, last in used) or None
    known = evidence.asked("traffic", "connections", "server_ports")
    if "first" not in known or "last" not in known:
        return None
    return f"{known['first']} to {known['last']}, from the lowest as many as N needs"


def _timeouts(checks: Sequence[TimeoutFound]) -> Content:
    """RFC 9693 §4.4: the device's timeout must be longer than the phases."""
    if not checks:
        return None
    shown: list[Content] = [element("h3", "Does the device keep its connections long enough?")]
    for check in checks:
        name, tone = {
            "remembers": ("keeps them", "good"),
            "forgets": ("forgets them", "bad"),
            "unclear": ("unclear", "warn"),
        }[check.verdict]
        said = (
            f" {check.text[:1].upper()}{check.text[1:]}. Checked with {plural(check.connections, 'connection')} that "
            f"were left alone for {seconds(check.waited_s)} s: {check.lost:,} did not work afterwards."
        )
        note = {"forgets": "note warn", "remembers": "note good"}.get(check.verdict, "note")
        shown.append(paragraph(badge(name, tone), said, class_=note))
    return shown


def _by_measurement(trials: Sequence[Trial]) -> dict[str, list[Trial]]:
    """Those with connections, by their run without its repetition; checks of the timeout have their own words."""
    groups: dict[str, list[Trial]] = {}
    for trial in trials:
        wanted = trial.request.connections
        run, _, last = trial.run.rpartition("/")
        if wanted is not None and wanted.count and last != "timeout-check":
            groups.setdefault(run, []).append(trial)
    return groups


def _name(run: str, evidence: Evidence) -> str:
    for item in evidence.results.measurements:
        if any(one.run.rpartition("/")[0] == run for one in item.repetitions):
            return full_name(item) + (f", {plural(item.device_cores, 'core')}" if item.device_cores else "")
    return run


class _Experiments(NamedTuple):
    """Those of one measurement."""

    name: str
    trials: Sequence[Trial]

    @property
    def complete(self) -> list[Trial]:
        """Phase 1 was valid and lost nothing."""
        return [trial for trial in self.trials if _complete(trial)]

    @property
    def mappings(self) -> list[Mappings]:
        """Of the experiments that have some."""
        return [found for trial in self.trials if (found := _mappings(trial)) is not None]


_MAPPINGS: Sequence[Column[_Experiments]] = (
    text("Measurement", lambda one: one.name, class_="wrap"),
    Column("Connections", lambda one: _counts(one.trials)),
    Column("all", lambda one: whole(len(one.trials)), "", "Experiments"),
    Column("complete", lambda one: whole(len(one.complete)), "", "Experiments"),
    Column("IPs", lambda one: whole(_most(len(each.addresses) + each.other_addresses for each in one.mappings))),
    Column("Ports", lambda one: _ports(one.mappings)),
    Column("Shared", lambda one: _shared(one.mappings)),
    Column("Outside pool", lambda one: _bad(_wrong(one.trials, "outside_pool"))),
    Column("Changed", lambda one: _bad(_wrong(one.trials, "mapping_changed"))),
    Column("Own", lambda one: whole(_most(_own(one.trials))), "", "Entries"),
    Column("Fewest", lambda one: percent(min(_held(one.complete), default=None), 1), "%", "Entries"),
)


def _counts(trials: Sequence[Trial]) -> str:
    counts = sorted({wanted.count for trial in trials if (wanted := trial.request.connections) is not None})
    return f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,}"


def _most(values: Iterable[int]) -> int | None:
    return max(values, default=None)


def _own(trials: Sequence[Trial]) -> Iterator[int]:
    """Entries of an emptied table."""
    for trial in trials:
        if trial.experiment is not None and trial.experiment.held_before is not None:
            yield trial.experiment.held_before


def _held(trials: Sequence[Trial]) -> Iterator[float]:
    """Entries in percent of the connections."""
    for trial in trials:
        wanted, experiment = trial.request.connections, trial.experiment
        if wanted is not None and experiment is not None and experiment.held is not None:
            yield 100 * experiment.held / wanted.count


def _ports(found: Sequence[Mappings]) -> Content:
    """Lowest and highest, and how many connections have the client's own."""
    lowest = min((one.lowest_port for one in found if one.lowest_port is not None), default=None)
    highest = max((one.highest_port for one in found if one.highest_port is not None), default=None)
    learnt = sum(one.learnt for one in found)
    if lowest is None or highest is None or not learnt:
        return NONE
    kept = percent(100 * sum(one.ports_kept for one in found) / learnt, 1)
    return [f"{lowest}\N{EN DASH}{highest}", element("span", f"{kept} % kept", class_="below")]


def _shared(found: Sequence[Mappings]) -> Content:
    """With how many were compared, where those are a sample."""
    if not found:
        return NONE
    compared = sum(one.learnt if one.compared is None else one.compared for one in found)
    sampled = compared < sum(one.learnt for one in found)
    return [_bad(sum(one.shared for one in found)), f" of {compared:,}" if sampled else ""]


def _bad(count: int) -> Content:
    return badge(f"{count:,}", "bad") if count else "0"


def _mappings(trial: Trial) -> Mappings | None:
    return trial.experiment.mappings if trial.experiment is not None else None


def _complete(trial: Trial) -> bool:
    """Phase 1 was valid and lost nothing."""
    first = trial.phases[0]
    return first.valid and first.forward is not None and first.forward.loss == 0


def _wrong(trials: Sequence[Trial], reason: str) -> int:
    directions = (one for trial in trials for phase in trial.phases for one in phase.directions.values())
    return sum(counters.wrong.get(reason, 0) for one in directions for counters in one.classes.values())


def _addresses(groups: dict[str, list[Trial]], evidence: Evidence) -> Content:
    """How connections are spread over the pool's addresses, where there are several."""
    shown = []
    for run, members in groups.items():
        found = [mappings for trial in members if (mappings := _mappings(trial)) is not None]
        largest = max(found, key=lambda one: (one.learnt, len(one.addresses)), default=None)
        if largest is None or len(largest.addresses) + largest.other_addresses < 2:
            continue
        columns: list[Column[tuple[str, int]]] = [
            text("Translated to", lambda one: element("code", one[0])),
            Column("Connections", lambda one: whole(one[1])),
            Column("Share", partial(_share, largest.learnt), "%"),
        ]
        more = f"{plural(largest.other_addresses, 'more address', 'more addresses')}" if largest.other_addresses else ""
        shown.append(
            folded(
                f"{_name(run, evidence)}: addresses of {largest.learnt:,} connections",
                table(columns, largest.addresses[:_LISTED]),
                paragraph(more, class_="muted") if more else None,
                class_="more",
            )
        )
    return shown


def _share(of: int, one: tuple[str, int]) -> str:
    return percent(100 * one[1] / of, 2)
