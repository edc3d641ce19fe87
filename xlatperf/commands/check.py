"""`xlatperf check`: does the device translate at all, and if not, what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from xlatperf.commands import paths
from xlatperf.commands.alone import AloneOption, one_of
from xlatperf.commands.check_burst import burst
from xlatperf.commands.check_connections import LowLoad, check_connections
from xlatperf.commands.check_learning import learnt_bench
from xlatperf.commands.check_negative import check_negative, not_come_to
from xlatperf.commands.check_rules import (
    check_rules,
    must_not_kept,
    output_file,
    record,
    refuse_without_rules,
    summary,
    table,
    write,
)
from xlatperf.commands.check_trials import CheckTrials
from xlatperf.commands.check_verdict import SILENT, verdict
from xlatperf.commands.checked import Checked, by_size, other_way, usual_came
from xlatperf.commands.foreseen import foreseen_of, of_file
from xlatperf.commands.screen import lines_to, screen
from xlatperf.commands.show import frame_sizes, mixes
from xlatperf.config.bench import Bench
from xlatperf.config.load import load_bench
from xlatperf.config.request import configure_message
from xlatperf.conformance.record import RULES_FILE
from xlatperf.engine.acceptable import ACCEPTABLE, ACCEPTED
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.failures import Exit
from xlatperf.meaning.about import About
from xlatperf.meaning.explain import explain, spoilt_frames
from xlatperf.meaning.learnt import in_words as in_words_of_learnt
from xlatperf.meaning.no_answer import may_have_died, unanswered
from xlatperf.meaning.refusals import lines as lines_of_refusals
from xlatperf.meaning.spoilt import how_to_accept, spoilt, spoilt_fields
from xlatperf.procedures.first_look import TRAFFIC_CLASS
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.run.session import Session, session

WARM_UP_FPS, WARM_UP_S = 1000.0, 0.02


def check(
    bench_file: Annotated[Path, typer.Argument(parser=paths.path, metavar="BENCH", help="The bench file.")],
    rate: Annotated[float, typer.Option("--rate", min=1, max=1e6, help="Frames per second.")] = 2000.0,
    duration: Annotated[float, typer.Option("--duration", min=0.1, max=60, help="Seconds per trial.")] = 0.1,
    timeout: Annotated[
        float,
        typer.Option(
            "--timeout",
            min=0,
            max=60,
            help="Seconds to wait for frames after the last one left; less where the last ones come back in order.",
        ),
    ] = 1.0,
    hold: Annotated[
        float,
        typer.Option(
            "--hold", min=0, max=86400, help="Of a stateful DUT: seconds for which it must remember connections."
        ),
    ] = 0.5,
    every_rule: Annotated[
        bool, typer.Option("--all", help="Try each rule of the technology's RFC by itself, with single packets.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            parser=paths.path,
            metavar="FILE.json|FOLDER",
            help="With --all: what was found, as a file, or into a campaign's folder for its report.",
        ),
    ] = None,
    alone: AloneOption = None,
) -> int:
    """Check at a low rate whether the DUT forwards and translates right, and explain what is wrong if it doesn't."""
    bench = one_of(load_bench(bench_file), alone, bench_file)
    if every_rule:
        refuse_without_rules(bench)
    output = output_file(output, bench, every_rule=every_rule)
    foreseen_of(bench, bench_file)
    console = screen()
    say = lines_to(console)

    say(f"starting: {'' if bench.device.users_own else 'the device, '}the Tester and its ports")
    with of_file(bench_file), session(bench, say) as running:
        silent = unanswered(running.engine.resolve())
        for line in silent:
            say(line)
        if silent:
            for line in running.device.diagnose():
                say(f"  {line}")
            say(SILENT)
            return Exit.MEASUREMENT_FAILED
        bench, learnt = learnt_bench(bench, running, timeout, say)
        if bench.traffic.connections is not None:
            seen = list(check_connections(bench, running, LowLoad(rate, duration, timeout, hold), say))
        else:
            seen = list(_trials(bench, running, LowLoad(rate, duration, timeout, hold), say))
        seen = [replace(one, accept=bench.traffic.accept) for one in seen]
        console.print(_table(seen))
        invalid = [one for one in seen if not one.answer.valid and not one.burst]
        wrong = [one for one in seen if one.answer.valid and not one.right]
        diagnosis = running.device.diagnose() if wrong else []
        if any(may_have_died(one.answer) for one in wrong):
            for line in unanswered(running.engine.resolve()):
                say(f"\nno longer: {line}")
        right = all(one.carries_on for one in seen if one.answer.valid)
        if right and not invalid:
            refusals = check_negative(bench, running, timeout, say)
        else:
            refusals = not_come_to(bench, known=not right)
        rules = check_rules(bench, running, say) if every_rule else []
        found = None if output is None else record(bench, running, rules)
        for told in learnt:
            say(f"learnt: {in_words_of_learnt(told)}")
        for one in seen:
            lines = [*one.faults, *_seen_in_frames(one, diagnosis, bench, seen), *one.remarks]
            if lines:
                say(f"\n{one.what}, {one.frame_size} bytes, {one.direction}:")
                for line in lines:
                    say(f"  {line}")
    for line in lines_of_refusals(refusals):
        say(line)
    fields = spoilt_fields((one.answer for one in seen), bench.traffic.accept)
    if fields and all(one.carries_on and not one.twice for one in wrong):
        say(
            f"\nAll these frames went where they must. With {how_to_accept(fields, bench.traffic.accept)} in the bench "
            "file such frames count as received in a campaign, and its report tells of them."
        )
    if rules:
        console.print(table(rules))
    code, last_line = verdict(bench, seen, refusals, rate)
    say(last_line)
    if rules:
        say(summary(rules))
    if output is not None and found is not None:
        write(output, found)
        say(f"rules: {output}")
        if output.name == RULES_FILE and (output.parent / "bench.toml").is_file():
            say(f"xlatperf report {output.parent} shows them in the campaign's report")
    return code or (Exit.MEASUREMENT_FAILED if must_not_kept(rules) else code)


def _seen_in_frames(one: Checked, diagnosis: Sequence[str], bench: Bench, seen: Sequence[Checked]) -> list[str]:
    if one.burst or one.explained:
        return spoilt_frames(one.answer, does=bench.technology.does, accept=one.accept)
    beside = replace(
        About.of(bench),
        by_size=by_size(one, seen),
        came=other_way(one, seen),
        usual_came=usual_came(one, seen, bench),
    )
    return explain(one.answer, diagnosis, beside)


def _trials(bench: Bench, running: Session, load: LowLoad, say: Callable[[str], None]) -> Iterator[Checked]:
    """Each mix, each direction, the smallest and the largest frame; a short warm-up before the first of a direction.

    What came at that rate is then tried in a burst.
    """
    sizes, about = frame_sizes(bench), About.of(bench)
    trials = CheckTrials(bench, running, first_tag=1)

    def configure(of: Bench, mix: tuple[int, int]) -> None:
        trials.configure(configure_message(of, mix, traffic_class=TRAFFIC_CLASS, accept=ACCEPTABLE))

    for mix in bench.traffic.mix:
        configure(bench, mix)
        what, right = f"mix {mix[0]} of {mix[1]}", True
        for direction in bench.technology.directions:
            request = TrialRequest(
                sizes[0], bench.traffic.frame_size_of, load.rate_fps, load.duration_s, load.timeout_s, (direction,)
            )
            first, came = trials.undisturbed(request.at(WARM_UP_FPS, WARM_UP_S)), False
            for size in sorted({sizes[0], sizes[-1]}):
                say(f"trying: {what}, {size} bytes, {direction}")
                answer = trials.showing_who(replace(request, frame_size=size), about, say)
                yield (seen := Checked(what, size, direction, with_errors_of(first, answer)))
                right &= seen.carries_on
                came |= seen.carries_on
            for mixed in mixes(bench) if came else ():
                say(f"trying: {what}, {mixed} bytes in turn, {direction}")
                in_turn = replace(request, frame_size=mixed.mean, frame_sizes=mixed.in_turn)
                yield Checked(f"{what}, {mixed}", mixed.mean, direction, trials.undisturbed(in_turn))
            smallest = bench.smallest_frame
            if vanished(answer) and not came and smallest < sizes[0]:  # is it their size?
                smaller = Checked(what, smallest, direction, trials.undisturbed(replace(request, frame_size=smallest)))
                if smaller.carries_on:
                    yield smaller
            kind = about.unusual.get(direction)
            if kind is not None and not came and all_lost(answer):  # do the usual ones come?
                configure(kind.bench(bench), mix)
                for size in sorted({sizes[0], sizes[-1]}):
                    answer = trials.undisturbed(replace(request, frame_size=size))
                    yield Checked(f"{what}{kind.usual}", size, direction, answer)
                configure(bench, mix)
        if right:
            say(f"trying: {what}, a burst of {request.frame_size} bytes")
            all_at_once = replace(request, directions=tuple(bench.technology.directions))
            yield burst(trials, all_at_once, what, does=bench.technology.does)


def vanished(answer: TrialAnswer) -> bool:
    """Whether all frames of a class are lost, and nobody said why."""
    told = answer.left.icmp_errors or answer.right.icmp_errors or answer.left.returned or answer.right.returned
    return not told and all_lost(answer)


def all_lost(answer: TrialAnswer) -> bool:
    """Whether all frames of a class are lost."""
    each = [counters for one in answer.directions.values() for counters in one.classes.values()]
    return answer.valid and any(0 < counters.sent == counters.lost for counters in each)


def with_errors_of(warm_up: TrialAnswer, answer: TrialAnswer) -> TrialAnswer:
    """The answer, with the ICMP errors of the warm-up where it has none.

    A DUT limits its errors (RFC 1812 §4.3.2.8, RFC 4443 §2.4 f): the warm-up may have drawn all for a while.
    """
    if answer.left.icmp_errors or answer.right.icmp_errors:
        return answer
    sides = (("left", answer.left, warm_up.left), ("right", answer.right, warm_up.right))
    return answer.model_copy(
        update={name: now.model_copy(update={"icmp_errors": then.icmp_errors}) for name, now, then in sides}
    )


def _table(seen: list[Checked]) -> Table:
    table = Table(title="What came back")
    for heading in ("what", "bytes", "direction", "class", "sent", "as expected", "lost", "wrong", "median delay"):
        table.add_column(heading, justify="left" if heading in ("what", "direction", "class") else "right")
    for one in seen:
        for name_of_direction, direction in one.answer.directions.items():
            for name, counters in direction.classes.items():
                wrong = {**counters.wrong, **spoilt(counters, ())}
                exactly = counters.expected - counters.remarks.get(ACCEPTED, 0)
                median = counters.delay.median_ns
                table.add_row(
                    one.what,
                    f"{direction.frame_size.sent} > {direction.frame_size.received}",
                    name_of_direction,
                    name,
                    str(counters.sent),
                    str(exactly),
                    str(counters.lost),
                    ", ".join(f"{reason} {number}" for reason, number in wrong.items()) or "0",
                    "-" if median is None else f"{median / 1000:.0f} µs",
                )
    return table
