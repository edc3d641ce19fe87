"""`xlatperf check --all`: each rule of the technology's RFC by itself, with single packets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from rich.table import Table

import xlatperf
from xlatperf.commands.exits import UserError
from xlatperf.commands.rule_sets import NAMES, Seen, rules_of
from xlatperf.config.bench import Bench
from xlatperf.config.load import load_bench
from xlatperf.config.request import ALL_FOREGROUND, configure_message
from xlatperf.conformance.exchange import Exchanges
from xlatperf.conformance.record import RULES_FILE, ConformanceRecord, records
from xlatperf.conformance.rule import Finding, Level, Verdict
from xlatperf.files.writing import write_whole
from xlatperf.keys.in_words import either
from xlatperf.keys.not_allowed import not_allowed
from xlatperf.meaning.no_answer import NoAnswer, no_answer
from xlatperf.run.session import Session
from xlatperf.technologies.stateful import PoolTechnology
from xlatperf.technologies.technology import TechnologyModel

_STYLE = {Verdict.NOT_KEPT: "red", Verdict.DECIDED: "cyan", Verdict.NOT_TRIED: "yellow"}


def refuse_without_rules(bench: Bench) -> None:
    """Before anything is started. Raises UserError."""
    technology = bench.technology
    name = " with ".join(
        [technology.name, *(key for key in ("hairpinning", "mesh") if getattr(technology, key, False))]
    )
    rules = rules_of(bench)
    if rules is None:
        raise UserError(f"--all: there are no rules for technology.name = {name} yet; for {NAMES}")
    if not bench.traffic.has_foreground:
        raise UserError("--all: the rules are of foreground, of which traffic.mix has none")
    fault = _fault_of_pool(technology, rules.least_pool)
    if fault is not None and bench.alone:  # whose pool isn't in the file
        raise UserError(f"--all: not of both in a row, of which {fault[1]}: --alone {either(list(bench.alone))}")
    if fault is not None:
        raise UserError(f"--all: {fault[0]}")


def _fault_of_pool(technology: TechnologyModel, least: int) -> tuple[str, str] | None:
    """Why the rules can't be tried with it: by its key, and in words."""
    if not isinstance(technology, PoolTechnology):
        return None
    if getattr(technology.pool, "psid_length", False):
        return (
            "technology.pool.psid_length: not allowed: the rules' pool is a range of ports",
            "one shares its address",
        )
    if technology.pool.size < least:
        few = f"{technology.pool.size} pairs of address and port"
        each = "as each rule opens connections of its own"
        return f"technology.pool: {few} are not allowed: {least} or more, {each}", f"the pool has {few}, {each}"
    return None


def output_file(path: Path | None, bench: Bench, *, every_rule: bool) -> Path | None:
    """Where the findings are written: of a campaign's folder, the file that its report shows. Raises UserError."""
    if path is None:
        return None
    if not every_rule:
        raise UserError("--output: not allowed without --all, whose findings it is for")
    campaigns = path / "bench.toml"
    if campaigns.is_file():
        own, others = _device(bench), _device(load_bench(campaigns))
        if own != others:
            raise UserError(not_allowed("--output", path, f"a campaign's folder of {own}: this one's is {others}"))
        return path / RULES_FILE
    if path.suffix != ".json" or path.is_dir():
        raise UserError(not_allowed("--output", path, "a name that ends in .json, or a campaign's folder"))
    if not path.parent.is_dir():
        raise UserError(not_allowed("--output", path, "in a folder that is there"))
    return path


def _device(bench: Bench) -> str:
    return f"{bench.device.driver}, {bench.technology.name}"


def record(bench: Bench, running: Session, findings: Sequence[Finding]) -> ConformanceRecord:
    """What is written."""
    facts = running.device.facts()
    return ConformanceRecord(
        xlatperf=xlatperf.__version__,
        title=bench.title,
        technology=bench.technology.name,
        driver=bench.device.driver,
        device=facts,
        called=bench.device.called(facts),
        rules=records(findings),
    )


def write(path: Path, what: ConformanceRecord) -> None:
    """A file for tables of several devices. Raises UserError."""
    try:
        write_whole(path, what.model_dump_json(indent=1) + "\n")
    except OSError as error:
        raise UserError(f"--output: {error.filename or path}: can't be written: {error.strerror}") from error


def check_rules(bench: Bench, running: Session, say: Callable[[str], None]) -> list[Finding]:
    """Of each rule, in the RFC's order. Raises NoAnswer, EngineError, EngineDied."""
    return list(tried(bench, running, say))


def tried(bench: Bench, running: Session, say: Callable[[str], None]) -> Iterator[Finding]:
    """The same, each when it's known."""
    running.engine.configure(configure_message(bench, ALL_FOREGROUND))
    size = bench.smallest_frame
    of = rules_of(bench)
    if of is None:
        raise TypeError(bench.technology.name)
    of_engine = running.engine.show(size, bench.traffic.frame_size_of, of.frames, bench.technology.directions)
    shown = [one.without_tags() for one in of_engine]
    resolved = running.engine.resolve()
    if silent := no_answer(resolved):
        raise NoAnswer(f"rules: not tried: {silent}")
    say(f"trying: {of.standards}, {of.count} exchanges of single packets")
    yield from of.found(Exchanges(running.engine), bench, Seen(shown, running.opened, resolved))


def table(findings: Sequence[Finding]) -> Table:
    """A row each."""
    made = Table(title="Rule by rule")
    for heading in ("section", "level", "rule", "verdict", "what came"):
        made.add_column(heading)
    for one in findings:
        style = _STYLE.get(one.verdict, "")
        made.add_row(one.rule.section, one.rule.level, one.rule.says, one.verdict, one.came, style=style)
    return made


def summary(findings: Sequence[Finding]) -> str:
    """How many rules there are of each verdict, and of those that aren't kept, of each level."""
    counts = Counter(one.verdict for one in findings)
    levels = Counter(one.rule.level for one in findings if one.verdict is Verdict.NOT_KEPT)
    told = [f"{counts[verdict]} {verdict}" for verdict in Verdict if counts[verdict]]
    broken = [f"{levels[level]} {level}" for level in Level if levels[level]]
    which = f" ({', '.join(broken)})" if broken else ""
    return f"Of {len(findings)} rules: {', '.join(told)}{which}."


def must_not_kept(findings: Sequence[Finding]) -> bool:
    """Whether the device doesn't do what it must."""
    return any(one.verdict is Verdict.NOT_KEPT and one.rule.level is Level.MUST for one in findings)
