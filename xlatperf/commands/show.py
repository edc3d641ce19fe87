"""`xlatperf show`: the first frames, sent and expected, and what the DUT must route."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from xlatperf.commands import paths
from xlatperf.commands.alone import AloneOption, one_of
from xlatperf.commands.exits import UserError
from xlatperf.commands.pcap import write_pcap
from xlatperf.commands.screen import lines_to, screen
from xlatperf.config.bench import Bench
from xlatperf.config.learnt import to_learn
from xlatperf.config.load import load_bench
from xlatperf.config.request import configure_message
from xlatperf.engine.client import Engine
from xlatperf.engine.messages import Describe
from xlatperf.engine.shown import Shown
from xlatperf.procedures.learning import SUPPOSED_HOP_LIMIT, SUPPOSED_HOPS
from xlatperf.procedures.size_mix import SizeMix
from xlatperf.run.session import describe_bench


def frame_sizes(bench: Bench) -> list[int]:
    """All frame sizes of the measures, in order; the smallest possible one without measures."""
    sizes = sorted({size for measure in bench.measure for size in measure.single_sizes})
    return sizes or [bench.smallest_frame]


def mixes(bench: Bench) -> list[SizeMix]:
    """Several sizes as one traffic: those of the measures, each once."""
    found = (size for measure in bench.measure for size in measure.frame_sizes if isinstance(size, SizeMix))
    return list(dict.fromkeys(found))


def show(
    bench_file: Annotated[Path, typer.Argument(parser=paths.path, metavar="BENCH", help="The bench file.")],
    count: Annotated[int, typer.Option("--count", "-n", min=1, max=1000, help="Frames per direction.")] = 4,
    frame_size: Annotated[
        int | None,
        typer.Option(
            "--frame-size",
            min=64,
            max=9216,
            help="Frame size with FCS; else the first mix of sizes, or the smallest.",
        ),
    ] = None,
    pcap: Annotated[
        Path | None,
        typer.Option(
            "--pcap", parser=paths.path, help="Also write FILE-sent.pcap and FILE-expected.pcap.", metavar="FILE"
        ),
    ] = None,
    alone: AloneOption = None,
) -> None:
    """Show the first frames, sent and expected, and the networks that the DUT must route."""
    bench = one_of(load_bench(bench_file), alone, bench_file)
    say = lines_to(screen())
    describe = describe_bench(bench)
    with Engine() as engine:
        engine.configure(configure_message(bench, bench.traffic.richest_mix))
        mixed = mixes(bench)
        sizes = mixed[0].in_turn if mixed and frame_size is None else frame_size or frame_sizes(bench)[0]
        frames = engine.show(sizes, bench.traffic.frame_size_of, count, bench.technology.directions)

    for line in (*_routes(describe), *_supposed(bench), *_frames(frames)):
        say(line)
    if pcap is not None:
        for path in _write(pcap, frames):
            say(f"written: {path}")


def _routes(describe: Describe) -> list[str]:
    lines = ["The DUT must route to the Tester:"]
    for name, side in (("left", describe.left), ("right", describe.right)):
        for route in side.routes:
            how = "on the link, where the Tester answers" if route.via is None else f"via {route.via}"
            lines.append(f"  {name}: {route.prefix} {how} ({route.class_})")
    return lines


def _supposed(bench: Bench) -> list[str]:
    unknown = to_learn(bench, bench.technology.directions)
    supposed = {
        f"hops {SUPPOSED_HOPS}": any(one.hops == "learn" for one in unknown),
        f"outer hop limit {SUPPOSED_HOP_LIMIT}": any(one.outer_hop_limit == "learn" for one in unknown),
    }
    named = [what for what, so in supposed.items() if so]
    return [f"Supposed until the first frames tell: {', '.join(named)}"] if named else []


def _frames(frames: tuple[Shown, ...]) -> list[str]:
    lines: list[str] = []
    for frame in frames:
        lines += [
            "",
            f"{frame.direction} {frame.number}, {frame.class_}",
            *([f"  whose     {frame.subscriber.text}"] if frame.subscriber is not None else []),
            *([f"  to        {frame.to_subscriber.text}"] if frame.to_subscriber is not None else []),
            *([f"  client    on the right any of {frame.pool}"] if frame.pool is not None else []),
            f"  sent      {frame.sent.text}",
            f"            {frame.sent.hex}",
            f"  expected  {frame.expected.text}",
            f"            {frame.expected.hex}",
        ]
    return lines


def _write(path: Path, frames: tuple[Shown, ...]) -> list[Path]:
    stem = path.with_suffix("") if path.suffix == ".pcap" else path
    written: list[Path] = []
    for name, frame_hex in (
        ("sent", [frame.sent.hex for frame in frames]),
        ("expected", [frame.expected.hex for frame in frames]),
    ):
        target = stem.with_name(f"{stem.name}-{name}.pcap")
        try:
            write_pcap(target, [bytes.fromhex(text) for text in frame_hex])
        except OSError as error:
            raise UserError(f"{target}: can't be written: {error.strerror}") from error
        written.append(target)
    return written
