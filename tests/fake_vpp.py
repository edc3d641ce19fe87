#!/usr/bin/env python3
"""A fake VPP: its command line as `vppctl` finds it, with the commands that xlatperf gives and no packets of its own.

`fake_vpp.py -c STARTUP` like VPP, or `fake_vpp.py SOCKET`. Environment, FAKE_VPP: a JSON object with, if need be,

  log        file to which each command is written
  pieces     true: answers leave in pieces of one byte
  own_nul    true: the terminal's type is answered with a NUL of its own
  fail       [regular expression of a command, answer in place of VPP's]
  silent     regular expression of commands that do nothing, without a word
  hang       regular expression of commands that are never answered
  close      regular expression of commands at which the connection is closed
  end        regular expression of commands at which the process ends with exit code 1
  says       {command: answer}
  forwards   path of xlatperf-reference, which then forwards native frames between the memifs
"""

from __future__ import annotations

import ipaddress
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

ORDERS: dict[str, Any] = json.loads(os.environ.get("FAKE_VPP", "{}"))
WELCOME = bytes((255, 252, 34, 255, 254, 34, 255, 251, 3, 255, 253, 3, 255, 251, 1, 255, 254, 1, 255, 253, 24))
ASKS_TYPE = bytes((255, 250, 24, 1, 255, 240, 255, 253, 31, 255, 250, 31, 1, 255, 240))
TYPE = bytes((255, 250, 24, 0)) + b"vppctl" + bytes((255, 240))

NAME, IP4, IP6, NUMBER = r"([\w/.-]+)", r"(\d+\.\d+\.\d+\.\d+)", r"([0-9a-f:.]*:[0-9a-f:.]*)", r"(\d+)"
PREFIX4, PREFIX6 = rf"{IP4}/{NUMBER}", rf"{IP6}/{NUMBER}"
MAC = r"((?:[0-9a-f]{2}:){5}[0-9a-f]{2})"
POOL = rf"{IP4}(?: - {IP4})?( del)?"
GRAMMAR = [
    r"show (version|interface|errors|runtime|map domain|nat44 summary|nat44 ei sessions|nat64 session table udp"
    r"|dslite sessions)",
    rf"show (?:ip fib {PREFIX4}|ip6 fib {PREFIX6})",
    rf"create memif socket id {NUMBER} filename (\S+)",
    rf"delete memif socket id {NUMBER}",
    rf"create interface memif id {NUMBER} socket-id {NUMBER} master hw-addr {MAC} ring-size {NUMBER} "
    rf"buffer-size {NUMBER}",
    rf"delete interface memif {NAME}",
    rf"create host-interface v2 name {NAME} hw-addr {MAC} cksum-gso-disable",
    rf"delete host-interface name {NAME}",
    rf"set interface mtu packet {NUMBER} {NAME}",
    rf"set interface ip address( del)? {NAME} (?:{PREFIX4}|{PREFIX6})",
    rf"set interface state {NAME} (up|down)",
    rf"ip6 nd {NAME}( no)? ra-suppress",
    rf"ip route (add|del) (?:{PREFIX4} via {IP4}|{PREFIX6} via {IP6}) {NAME}",
    rf"set ip neighbor( del)? {NAME} (?:{IP4}|{IP6}) {MAC}( static)?",
    rf"map add domain (ip4-pfx {PREFIX4} ip6-pfx {PREFIX6} ip6-src {PREFIX6} ea-bits-len {NUMBER} "
    rf"psid-offset {NUMBER} psid-len {NUMBER})",
    rf"map del domain index {NUMBER}",
    rf"map add rule index {NUMBER} psid {NUMBER} ip6-dst {IP6}",
    rf"map interface {NAME}( map-t)?( del)?",
    rf"nat44 plugin (?:enable sessions {NUMBER}|(disable))",
    rf"nat44 add address {POOL}",
    rf"set interface nat44 in {NAME} out {NAME}( del)?",
    r"clear nat44 sessions",
    rf"nat44 ei plugin (?:enable sessions {NUMBER} user-sessions {NUMBER}|(disable))",
    rf"nat44 ei add address {POOL}",
    rf"set interface nat44 ei in {NAME} out {NAME}( del)?",
    r"nat64 plugin (enable|disable)",
    rf"nat64 add prefix {PREFIX6}( del)?",
    rf"nat64 add pool address {POOL}",
    rf"set interface nat64 (in|out) {NAME}( del)?",
    rf"dslite add pool address {POOL}",
    rf"dslite set aftr-tunnel-endpoint-address {IP6}",
]
"""What VPP takes, from its documentation of each command (`short_help`)."""
ANSWERS = Path(__file__).parent / "devices" / "vpp" / "answers"


class Vpp:
    """What it was told."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.interfaces: dict[str, dict[str, Any]] = {"local0": {"up": False, "mtu": 0}}
        self.sockets: dict[str, str] = {}
        self.listeners: list[socket.socket] = []
        self.domains: dict[int, str] = {}
        self.free = [7]  # a number that somebody's domain had: the next one isn't the first
        self.on: set[str] = set()
        self.routes: list[tuple[str, str, str]] = []
        self.asked = self.errors_asked = self.shown = 0
        self.told_at = time.monotonic()
        self.reference: subprocess.Popen[bytes] | None = None

    def answer(self, text: str) -> str:
        """What VPP would say, mostly nothing."""
        if text in ORDERS.get("says", {}):
            return str(ORDERS["says"][text])
        if "fail" in ORDERS and re.fullmatch(ORDERS["fail"][0], text):
            return str(ORDERS["fail"][1])
        if re.fullmatch(ORDERS.get("silent", r"\Z."), text):
            return ""
        if not any(re.fullmatch(one, text) for one in GRAMMAR):
            return f"unknown input `{text}'"
        return self._show(text) if text.startswith("show ") else self._change(text)

    def _show(self, text: str) -> str:
        if " fib " in text:
            prefix = text.rsplit(maxsplit=1)[-1]
            there = any(prefix == one for one, _, _ in self.routes)
            entry = prefix if there else "::/0" if ":" in prefix else "0.0.0.0/0"
            return f"ipv4-VRF:0, fib_index:0, flow hash:[src dst ] epoch:0 locks:[]\n{entry} fib:0 index:7 locks:2\n"
        if text == "show version":
            return "vpp v26.02-release built by root on fake at 2026-03-01T10:00:00"
        if text == "show map domain":
            lines = [f"[{index}] {one} mtu 0 " for index, one in self.domains.items()]
            return "\n".join(lines) or "No MAP domains are configured..."
        if text == "show interface":
            head = f"{'Name':^30}Idx    State  MTU (L3/IP4/IP6/MPLS)     Counter          Count     \n"
            self.shown += 1
            rows = (
                f"{name:<34}{number:<8}{'up' if one['up'] else 'down':<10}{one['mtu']}/0/0/0"
                f"       drops      {number * self.shown}"
                for number, (name, one) in enumerate(self.interfaces.items())
            )
            return head + "\n".join(rows)
        if text == "show errors":
            self.errors_asked += 1
            return (ANSWERS / "show_errors.txt").read_text().replace(" 30 ", f" {30 * self.errors_asked} ")
        if text == "show runtime":
            self.asked += 1
            runtime = (ANSWERS / "show_runtime.txt").read_text()
            return runtime.replace(" 40 ", f" {40 * self.asked} ").replace(" 100 ", f" {100 * self.asked} ")
        if text == "show nat44 summary":
            return "max translations per thread: 64 fib 0\ntotal timed out sessions: 1\ntotal sessions: 42\n"
        if text == "show nat44 ei sessions":
            users = ("10.0.0.2: 40 dynamic translations, 0 static", "10.0.0.3: 2 dynamic translations, 1 static")
            return "NAT44 EI sessions:\n" + "\n".join(f"  {one} translations" for one in users)
        if text == "show nat64 session table udp":
            return "NAT64 udp sessions:\n 2001:2::2 1 2001:db8::1 2 198.19.0.1 3 198.19.0.2 2 protcol udp vrf 0"
        return "B4 2001:db8::2 30 sessions\n  in 10.0.0.2:1 out 198.19.0.1:2 protocol udp\nB4 2001:db8::3 12 sessions"

    def _change(self, text: str) -> str:
        words = text.split()
        if text.startswith("create memif socket"):
            self.sockets[words[4]] = words[6]
        elif text.startswith("delete memif socket"):
            del self.sockets[words[4]]
        elif text.startswith("create interface memif"):
            self.interfaces[f"memif{words[6]}/{words[4]}"] = {"up": False, "mtu": 9000}
            if "forwards" not in ORDERS and Path(self.sockets[words[6]]).parent.is_dir():
                self.listeners.append(socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET))
                self.listeners[-1].bind(self.sockets[words[6]])
                self.listeners[-1].listen()
        elif text.startswith("create host-interface"):
            self.interfaces[f"host-{words[4]}"] = {"up": False, "mtu": 9000}
            return f"host-{words[4]}"
        elif text.startswith("delete "):
            del self.interfaces[("host-" if "host" in text else "") + words[3]]
        elif text.startswith("set interface mtu"):
            self.interfaces[words[5]]["mtu"] = int(words[4])
        elif text.startswith("set interface state"):
            self.interfaces[words[3]]["up"] = words[4] == "up"
        elif text.startswith("set interface ip address"):
            name, address = words[-2:]
            addresses = self.interfaces[name].setdefault("addresses", [])
            (addresses.remove if "del" in words else addresses.append)(address)
        elif text.startswith("ip route"):
            route = (words[3], words[5], words[6])
            (self.routes.append if words[2] == "add" else self.routes.remove)(route)
        elif text.startswith("map add domain"):
            index = self.free.pop() if self.free else max(self.domains) + 1
            self.domains[index] = text.removeprefix("map add domain ")
        elif text.startswith("map del domain"):
            self.free.append(int(words[4]))
            del self.domains[int(words[4])]
        elif " plugin " in text:
            name = text.partition(" plugin ")[0]
            if ("enable" in words) == (name in self.on):
                return f"{name} plugin: already {'enabled' if name in self.on else 'disabled'}"
            (self.on.add if "enable" in words else self.on.remove)(name)
        return ""

    def left(self) -> dict[str, Any]:
        """What isn't as it was before, for a test."""
        return {
            "interfaces": {name: one for name, one in self.interfaces.items() if name != "local0"},
            "sockets": self.sockets,
            "domains": list(self.domains.values()),
            "on": sorted(self.on),
            "routes": self.routes,
        }

    def forward(self) -> None:
        """When nothing more was told for a moment, the reference device does what VPP was told."""
        while True:
            time.sleep(0.05)
            with self.lock:
                up = [name for name, one in self.interfaces.items() if one["up"] and name.startswith("memif")]
                if self.reference is None and len(up) == 2 and time.monotonic() - self.told_at > 0.2:
                    self.reference = self._start(up)

    def _start(self, names: list[str]) -> subprocess.Popen[bytes]:
        sides = {}
        for number, (side, name) in enumerate(zip(("left", "right"), names, strict=True)):
            path = self.sockets[name.removeprefix("memif").partition("/")[0]]
            port = f"net_memif{number},role=server,socket={path},socket-abstract=no,id=0,rsize=12,bsize=2048"
            one: dict[str, Any] = {"port": f"{port},mac=02:00:00:00:00:d{number}", "mtu": self.interfaces[name]["mtu"]}
            for address in self.interfaces[name].get("addresses", []):
                one[f"ipv{ipaddress.ip_interface(address).version}"] = address
            one["routes"] = [{"prefix": prefix, "via": via} for prefix, via, at in self.routes if at == name]
            sides[side] = one
        file = Path(ORDERS["forwards"]["file"])
        family = {"name": "native", "family": "ipv6", "double_translation": False}
        file.write_text(json.dumps({**sides, "technology": family, "core": 0}), encoding="utf-8")
        return subprocess.Popen(
            ("setpriv", "--pdeathsig", "KILL", "--", ORDERS["forwards"]["program"], "--config", str(file)),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
        )


def send(client: socket.socket, data: bytes) -> None:
    """At once, or byte for byte."""
    if not ORDERS.get("pieces"):
        client.sendall(data)
        return
    for one in data:
        client.sendall(bytes((one,)))


def serve(client: socket.socket, vpp: Vpp) -> None:
    """One connection: a terminal, until its type is known."""
    send(client, WELCOME + ASKS_TYPE)
    received = b""
    typed = False
    while data := client.recv(4096):
        received += data
        if not typed:
            if TYPE not in received:
                continue
            typed = True
            received = received.partition(TYPE)[2]
            if ORDERS.get("own_nul"):
                send(client, b"\0")
        while b"\n" in received:
            line, _, received = received.partition(b"\n")
            if not answer(client, line.decode().strip(), vpp):
                client.close()
                return


def answer(client: socket.socket, text: str, vpp: Vpp) -> bool:
    """False: the connection is to be closed."""
    if "log" in ORDERS and text not in ("show runtime", "fake left"):
        with Path(ORDERS["log"]).open("a", encoding="utf-8") as log:
            log.write(text + "\n")
    if re.fullmatch(ORDERS.get("end", r"\Z."), text):
        os._exit(1)
    if re.fullmatch(ORDERS.get("close", r"\Z."), text):
        return False
    if re.fullmatch(ORDERS.get("hang", r"\Z."), text):
        return True
    with vpp.lock:
        said = json.dumps(vpp.left()) if text == "fake left" else vpp.answer(text)
        if not text.startswith(("show", "fake")):
            vpp.told_at = time.monotonic()
    send(client, (said.replace("\n", "\r\n") + ("\r\n" if said else "")).encode() + b"\0")
    return True


def main() -> None:
    """Until it's killed."""
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    path = sys.argv[1]
    if path == "-c":
        startup = Path(sys.argv[2]).read_text(encoding="utf-8")
        found = re.search(r"cli-listen (\S+)", startup)
        if found is None:
            sys.exit("no cli-listen")
        path = found[1]
        prefix = re.search(r"api-segment \{\s*prefix (\S+)", startup)
        if prefix is not None:
            Path(f"/dev/shm/{prefix[1]}-global_vm").touch()
    vpp = Vpp()
    if "forwards" in ORDERS:
        threading.Thread(target=vpp.forward, daemon=True).start()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
        listening.bind(f"{path}.soon")
        listening.listen()
        Path(f"{path}.soon").rename(path)  # who waits for it finds somebody who listens
        while True:
            client, _ = listening.accept()
            threading.Thread(target=serve, args=(client, vpp), daemon=True).start()


if __name__ == "__main__":
    main()
