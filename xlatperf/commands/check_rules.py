"""`xlatperf check --all`: each rule of the technology's RFC by itself, with single packets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from rich.table import Table

from xlatperf.commands.exits import UserError
from xlatperf.config.bench import Bench
from xlatperf.config.request import ALL_FOREGROUND, configure_message
from xlatperf.conformance import rfc7915
from xlatperf.conformance.exchange import Exchanges
from xlatperf.conformance.rule import Finding, Level, Verdict
from xlatperf.conformance.ways import ways
from xlatperf.run.session import Session

WITH_RULES = ("siit",)
"""Technologies with rules of their own."""
_STYLE = {Verdict.NOT_KEPT: "red", Verdict.DECIDED: "cyan", Verdict.NOT_TRIED: "yellow"}


def refuse_without_rules(bench: Bench) -> None:
    """Before anything is started. Raises UserError."""
    name = bench.technology.name
    if name not in WITH_RULES:
        raise UserError(f"--all: there are no rules for technology.name = {name} yet; for {', '.join(WITH_RULES)}")


def check_rules(bench: Bench, running: Session, say: Callable[[str], None]) -> list[Finding]:
    """Of each rule, in the RFC's order. Raises EngineError, EngineDied."""
    running.engine.configure(configure_message(bench, ALL_FOREGROUND))
    size = bench.technology.smallest_frame(bench.traffic.frame_size_of)
    shown = running.engine.show(size, bench.traffic.frame_size_of, 1)
    from_ipv4, from_ipv6 = ways(shown, running.engine.opened or running.opened, running.engine.resolve())
    count = len(rfc7915.FROM_IPV4) + len(rfc7915.FROM_IPV6)
    say(f"trying: RFC 7915, {count} exchanges of single packets")
    return list(rfc7915.findings(Exchanges(running.engine), from_ipv4, from_ipv6))


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
