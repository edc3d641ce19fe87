"""Whether the Tester's ports bear it to be held up for a moment, and what to do where they don't."""

from __future__ import annotations

import math

from xlatperf.engine.messages import OpenAnswer, Port
from xlatperf.keys.in_words import significant
from xlatperf.keys.receive_ring import HOLD_UP_S, ring_for

_MEMIF = range(2, 2**14 + 1)
_MOST_FRAMES = 2**20


def ring_advice(opened: OpenAnswer, asked_fps: float, queues: int) -> list[str]:
    """A line for ports that lose frames when nobody polls them for HOLD_UP_S, at this rate per direction.

    Where nobody knows the rate or the ring there is nothing to say.
    """
    if not asked_fps or math.isinf(asked_fps):
        return []
    advice: dict[str, list[str]] = {}
    one_port = opened.left.port == opened.right.port  # it gets both sides' frames
    for port in (opened.left,) if one_port else (opened.left, opened.right):
        if (said := _advice(port, (2 if one_port else 1) * asked_fps / queues)) is not None:
            advice.setdefault(said, []).append(port.port.partition(",")[0])
    return [f"ports: {' and '.join(names)}: {said}" for said, names in advice.items()]


def _advice(port: Port, fps: float) -> str | None:
    lasts_s = port.receive_ring / fps
    if not port.receive_ring or lasts_s >= HOLD_UP_S:
        return None
    said = (
        f"the receive ring of {port.receive_ring:,} frames lasts {significant(1e3 * lasts_s, 2)} ms at the "
        f"{fps:,.0f} frames/s asked for: a Tester that is held up for longer loses frames, and repeats the trial"
    )
    more = _more(port, fps)
    return said + (f"; {more}" if more else "; give it a core of its own (docs/ports.md)")


def _more(port: Port, fps: float) -> str | None:
    """What makes the ring larger; None: nothing does."""
    server = any(f"role={role}" in port.port for role in ("server", "master"))
    if port.driver == "net_memif":
        frames = ring_for(fps, _MEMIF.start, _MEMIF.stop - 1)
        if frames <= port.receive_ring:
            return None
        size = f"rsize={frames.bit_length() - 1} is {significant(1e3 * frames / fps, 2)} ms"
        return f"{size}, if the device, which is the client, is given it" if server else size
    if port.driver == "net_af_packet":
        frames = ring_for(fps, 2, _MOST_FRAMES)
        return f"framecnt={frames} is {significant(1e3 * frames / fps, 2)} ms"
    return None
