"""python -m bench.guest.third SECONDS: another program of the host, first busy, then mostly asleep; prints JSON."""

from __future__ import annotations

import json
import sys
import time

NAP_S = 0.01


def busy(seconds: float) -> tuple[float, float]:
    """Share of a core that it got, and the longest time in s for which it was not allowed to run."""
    began, used = time.perf_counter(), time.process_time()
    last, longest = began, 0.0
    while last - began < seconds:
        now = time.perf_counter()
        longest = max(longest, now - last)
        last = now
    return (time.process_time() - used) / (last - began), longest


def sleepy(seconds: float) -> float:
    """The longest in s by which it woke up later than it wanted to, every NAP_S."""
    began, longest = time.perf_counter(), 0.0
    while (now := time.perf_counter()) - began < seconds:
        time.sleep(NAP_S)
        longest = max(longest, time.perf_counter() - now - NAP_S)
    return longest


if __name__ == "__main__":
    half_s = float(sys.argv[1]) / 2
    share, longest_s = busy(half_s)
    print(json.dumps({"share": share, "longest_wait_s": longest_s, "latest_awake_s": sleepy(half_s)}))
