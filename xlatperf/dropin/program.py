"""One of the programs, from its arguments to its exit code."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from xlatperf.commands.check_learning import learnt_bench
from xlatperf.commands.exits import ended
from xlatperf.commands.screen import screen
from xlatperf.config.bench import Bench
from xlatperf.config.errors import BenchError
from xlatperf.dropin.arguments import Arguments, Kind, parse
from xlatperf.dropin.bench import bench_of, is_stateful, tables_of
from xlatperf.dropin.lines import lines_of
from xlatperf.failures import Exit, KnownFailure
from xlatperf.files.reading import why
from xlatperf.imports.formats import Format
from xlatperf.meaning.no_answer import unanswered
from xlatperf.procedures.at_rate import DelayMeasure
from xlatperf.procedures.connections import Connections
from xlatperf.procedures.establishment import Establishment
from xlatperf.procedures.trial import MeasurementFailed, Trial
from xlatperf.procedures.trial_request import Tags, TrialRequest
from xlatperf.run.experiment import FRAME_TAGS, frame_tags
from xlatperf.run.runs import Run, cells, trial_template
from xlatperf.run.session import session
from xlatperf.run.signals import signals_as_exceptions
from xlatperf.run.tester import EngineTester


@dataclass(frozen=True)
class Program:
    """`configurations`: the names of its file, of which the first that is there counts."""

    name: str
    kind: Kind
    configurations: tuple[str, ...]
    format: Format
    capitals: bool

    @property
    def configuration(self) -> Path:
        """In the present folder."""
        paths = [Path(name) for name in self.configurations]
        return next((path for path in paths if path.exists()), paths[0])


def run(program: Program, words: Sequence[str]) -> int:
    """Its exit code. All that it says goes to standard output, which is where scripts look."""
    try:
        with signals_as_exceptions():
            return _run(program, words)
    except (KnownFailure, MeasurementFailed) as error:
        lines = error.told if isinstance(error, KnownFailure) else [str(error)]
        for line in lines:
            _say(f"Error: {line}")
        return error.exit_code if isinstance(error, KnownFailure) else Exit.MEASUREMENT_FAILED
    except BaseException as error:  # noqa: BLE001 - every failure becomes a line and an exit code
        return ended(error, screen(stderr=True))


def _say(line: str) -> None:
    print(line, flush=True)


def _run(program: Program, words: Sequence[str]) -> int:
    path = program.configuration
    try:
        tables, told = tables_of(path, program.format)
        arguments = parse(program.kind, words, stateful=is_stateful(tables))
        bench = bench_of(tables, arguments, path)
    except BenchError as error:
        return _input_error(*error.told)
    except OSError as error:
        return _input_error(f"{error.filename or path}: can't be read: {why(error)}")
    except ValueError as error:
        return _input_error(f"{program.name}: {error}")
    for line in told:
        _info(line)
    trial = _trial(bench, arguments)
    failed = not trial.valid
    for line in lines_of(trial, arguments, capitals=program.capitals):
        failed |= line.startswith("Error:")
        _say(line)
    return Exit.MEASUREMENT_FAILED if failed else Exit.DONE


def _input_error(*lines: str) -> int:
    for line in lines:
        _say(f"Input Error: {line}")
    return Exit.USER


def _info(line: str) -> None:
    _say(f"Info: {line.strip()}")


def _trial(bench: Bench, arguments: Arguments) -> Trial:
    """As a campaign measures it. Raises KnownFailure, MeasurementFailed."""
    with session(bench, _info) as running:
        silent = unanswered(running.engine.resolve())
        if silent:
            raise MeasurementFailed("; ".join(silent))
        bench, _ = learnt_bench(bench, running, bench.measure[0].timeout_s)
        tester = EngineTester(running.engine, bench, device=running.device, say=_info)
        cell = cells(bench)[0]
        wanted = arguments.connections
        template = trial_template(bench, cell, None if wanted is None else float(wanted.establish_fps))
        request = _asked(template, bench, arguments)
        tags = range(0, FRAME_TAGS - frame_tags(request), frame_tags(request))
        attempts = min(cell.measure.retries + 1, len(tags))
        for tag in tags[:attempts]:
            trial = Trial.of(tag, "one", request, tester.trial(Run(cell, 1), request, tag))
            if _counts(trial):
                break
        return trial


def _counts(trial: Trial) -> bool:
    """Whether it isn't repeated: it says something of the DUT, or the Tester can't do its rate at all."""
    if trial.collapsed is not None or trial.far_too_fast:
        return True
    return all(phase.valid for phase in trial.phases) and not trial.only_after_stalls


def _asked(template: TrialRequest, bench: Bench, arguments: Arguments) -> TrialRequest:
    wanted = arguments.connections
    if wanted is not None and isinstance(bench.measure[0], Establishment):
        establish = Connections(wanted.count, "establish")
        return template.experiment(establish, float(wanted.establish_fps), "establish")
    request = template.at(float(arguments.rate_fps), float(arguments.duration_s), "search")
    if wanted is not None and request.connections is not None:
        request = replace(request, connections=replace(request.connections, wait_s=wanted.pause_s))
    measure = bench.measure[0]
    if not isinstance(measure, DelayMeasure):
        return request
    request = measure.delays_of(request)
    if arguments.kind is Kind.LATENCY:
        return replace(request, tags=Tags(arguments.tags, float(arguments.tagged_from_s)))
    return replace(request, histograms=True)


_SIITPERF = partial(Program, configurations=("siitperf.conf",), format=Format.SIITPERF, capitals=True)
_MAPTPERF = partial(Program, configurations=("maptperf.conf",), format=Format.MAPTPERF, capitals=False)
_MAPPERF = partial(Program, configurations=("mapperf.conf", "maptperf.conf"), format=Format.MAPTPERF, capitals=False)
PROGRAMS = {
    f"{name}-{kind}": made(f"{name}-{kind}", kind)
    for name, made in (("siitperf", _SIITPERF), ("maptperf", _MAPTPERF), ("mapperf", _MAPPERF))
    for kind in Kind
}


def main() -> None:
    """Entry point of all of them: the name under which it was called says which one it is."""
    name = Path(sys.argv[0]).name
    sys.exit(run(PROGRAMS[name], sys.argv[1:]))
