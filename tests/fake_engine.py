"""A fake engine: speaks docs/protocol.md over a DUT of known capacity, without frames or time.

Environment: FAKE_CAPACITY_FPS (the DUT loses what exceeds it), FAKE_TESTER_FPS (above it trials are invalid),
FAKE_DIE_AT (trial tag at which the process ends, not in loopback),
FAKE_SILENT (after so many questions `resolve` gets no answer; "2:1": then one has
none), FAKE_BACK (share of reverse frames that come),
FAKE_SHARED (shared mappings),
FAKE_REFUSES (ports with this in their name are refused), FAKE_SPEED_MBPS (of the ports; else unknown),
FAKE_TAKES_ANY (it translates what is under another prefix, or for another address), FAKE_LOG (file of trial requests).
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

CAPACITY = float(os.environ.get("FAKE_CAPACITY_FPS", "50000"))
TESTER = float(os.environ.get("FAKE_TESTER_FPS", "400000"))
DELAY = {
    "count": 1,
    "negative": 0,
    "min_ns": 1000,
    "p1_ns": 1100,
    "median_ns": 2000,
    "mean_ns": 2100.5,
    "p99_ns": 9000,
    "p999_ns": 9500,
    "max_ns": 9900,
}
PORT = {
    "port": "net_ring0",
    "driver": "net_ring",
    "mac": "02:00:00:00:00:01",
    "link_up": True,
    "speed_mbps": int(os.environ.get("FAKE_SPEED_MBPS", "0")),
    "mtu": 1500,
    "rx_timestamp": False,
    "send_on_timestamp": False,
    "rate_limit": False,
    "promiscuous": True,
    "receive_drops_known": True,
    "a_key_of_the_future": 1,
}
COUNTS: dict[str, Any] = {
    "received": 1,
    "arp_nd": 0,
    "stale": 0,
    "returned": 0,
    "foreign": 0,
    "malformed": 0,
    "icmp_errors": [],
    "receive_drops": 0,
    "transmit_errors": 0,
    "no_buffers": 0,
    "link_up": True,
}


"""Those that were configured; the first one is the DUT's."""


def sizes(message: dict[str, Any], direction: str) -> tuple[int, int]:
    six = message["frame_size"] if message["frame_size_of"] == "ipv6" else message["frame_size"] + 20
    return (six, six - 20) if direction == "forward" else (six - 20, six)


def duration_s(message: dict[str, Any]) -> float:
    if "duration_s" in message:
        return float(message["duration_s"])
    connections = message["connections"]
    return float(connections.get("some", connections["count"]) / message["rate_fps"])


def direction(message: dict[str, Any], name: str, loopback: bool) -> dict[str, Any]:
    seconds = duration_s(message)
    sent = round(message["rate_fps"] * seconds)
    capacity = TESTER if loopback else CAPACITY
    expected = min(sent, round(capacity * seconds))
    if name == "reverse" and not loopback:
        expected = min(expected, round(sent * float(os.environ.get("FAKE_BACK", "1"))))
    if "some" in message.get("connections", {}):  # old connections, which its table no longer has
        expected = 0
    fence = message["fence"]["frames"] if "fence" in message else 0
    if "alter" in message and "FAKE_TAKES_ANY" not in os.environ:
        expected = fence
    there, back = sizes(message, name)
    counters = {"sent": sent, "expected": expected, "lost": sent - expected, "delay": DELAY}
    came = min(expected, fence)
    return {
        **({"fence": {"sent": fence, "expected": came, "lost": fence - came}} if fence else {}),
        "intended": sent,
        "sent": sent,
        "offered_fps": message["rate_fps"],
        "sending_s": duration_s(message),
        "frame_size": {"sent": there, "received": back},
        "foreground": counters,
        "lost_ranges": [],
        "last_lost": sent - 1 if expected < sent else None,
        "lost_ranges_complete": True,
        "departure": {"late": DELAY, "late_frames": 0, "longest_stall_ns": 1, "smallest_gap_ns": 1, "largest_burst": 1},
    }


def trial(message: dict[str, Any], loopback: bool) -> dict[str, Any]:
    if os.environ.get("FAKE_DIE_AT") == str(message["number"]) and not loopback:
        sys.stderr.write("EAL: something terrible\n")
        sys.stderr.flush()
        os._exit(7)
    if "FAKE_LOG" in os.environ:
        with open(os.environ["FAKE_LOG"], "a", encoding="utf-8") as file:
            file.write(json.dumps(message) + "\n")
    fast = message["rate_fps"] > TESTER
    return {
        "number": message["number"],
        "valid": not fast,
        "reasons": [{"code": "sent_less", "text": "too fast"}] if fast else [],
        "elapsed_s": duration_s(message),
        "settled_s": message.get("settle_s", 0),
        "left": COUNTS,
        "right": COUNTS,
        "samples": [],
        **connections(message),
        **{name: direction(message, name, loopback) for name in message["directions"]},
    }


def connections(message: dict[str, Any]) -> dict[str, Any]:
    if "connections" not in message:
        return {}
    known = {"learnt": message["connections"]["count"], "server_ports": [1, 1], "bytes_per_connection": 8}
    return {"connections": {**message["connections"], **known}}


def mappings() -> dict[str, Any]:
    shared = int(os.environ.get("FAKE_SHARED", "0"))
    return {
        "count": 1000,
        "learnt": 1000,
        "shared": shared,
        "addresses": [["198.19.0.1", 1000]],
        "other_addresses": 0,
        "lowest_port": 1024,
        "highest_port": 65535,
        "ports_kept": 900,
        "examples": ["connections 17 and 99 share 198.19.0.1 port 5000"] if shared else [],
        "elapsed_s": 0.1,
    }


def shown(message: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {
            "direction": name,
            "number": number,
            "class": "foreground",
            "sent": {"hex": "00" * (sizes(message, name)[0] - 4), "text": f"{name} sent"},
            "expected": {"hex": "00" * (sizes(message, name)[1] - 4), "text": f"{name} expected"},
        }
        for name in message["directions"]
        for number in range(message["count"])
    ]


def answer(message: dict[str, Any], loopback: bool) -> dict[str, Any]:
    name = message["request"]
    side = {
        "families": ["ipv6"],
        "routes": [{"prefix": "2001:2::2/128", "via": "2001:2:0:7fff::2", "class": "foreground"}],
        "foreground": {"family": "ipv6", "first_host": "2001:2::2", "last_host": "2001:2::2"},
    }
    if name == "open":
        refused = os.environ.get("FAKE_REFUSES")
        port = str(message["left"]["port"])
        if refused is not None and refused in port:
            return {"error": f"open: {port} is refused"}
        return {
            "version": "0.1.0",
            "dpdk": "fake",
            "hugepages": False,
            "cores": [1],
            "left": PORT,
            "right": PORT,
            "clock": {"source": "tsc", "hz": 1e9, "uncertainty_ppm": 0.1, "invariant": True},
        }
    if name in ("configure", "describe"):
        return {"describe": {"left": side, "right": side}}
    if name == "softwires":
        Path(message["path"]).write_text("# ipv6,ipv4,psid,psid_length,psid_offset,lwaftr,number\n")
        return {"path": message["path"], "count": 0}
    if name == "show":
        return {"frames": shown(message)}
    if name == "resolve":
        mac = "02:00:00:00:00:02" if answers() else None
        return {"left": {"ipv6": {"gateway": "2001:2:0:7fff::1", "mac": mac}}, "right": {}}
    if name == "trial":
        return trial(message, loopback)
    if name == "mappings":
        return mappings()
    if name == "nonsense":
        return {"response": "something else"}
    return {"error": f"request: {name} is not allowed: open, configure, show"}


def answers() -> bool:
    wanted = os.environ.get("FAKE_SILENT")
    if wanted is None:
        return True
    before, _, silent = wanted.partition(":")
    os.environ["FAKE_SILENT"] = f"{int(before) - 1}:{silent}"
    return int(before) > 0 or (silent != "" and int(before) <= -int(silent))


def main() -> None:
    loopback = False
    for line in sys.stdin:
        message = json.loads(line)
        if message["request"] == "quit":
            break
        if message["request"] == "silence":
            continue
        loopback = message.get("loopback", loopback)
        reply = {"id": message.get("id"), "response": message["request"], **answer(message, loopback)}
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
