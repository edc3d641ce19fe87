"""How OpenSSH's client is called: keys, jumps, ports and names are the user's; it asks nothing, forwards nothing."""

from __future__ import annotations

from pathlib import Path

from xlatperf.lab.programs import SSH

CONNECT_S = 20
_OPTIONS = (
    *("BatchMode=yes", f"ConnectTimeout={CONNECT_S}", "ServerAliveInterval=5", "ServerAliveCountMax=3"),
    *("ClearAllForwardings=yes", "ForwardAgent=no", "ForwardX11=no", "RequestTTY=no", "LogLevel=ERROR"),
)


def ssh(host: str, settings: Path | None, *more: str) -> tuple[str, ...]:
    """A command to which the words for the host's shell may be added.

    `host` as ssh(1) takes it; `settings`: its file in place of the user's own; `more`: further words before the host.
    """
    own = () if settings is None else ("-F", str(settings))
    options = (word for option in _OPTIONS for word in ("-o", option))
    return (SSH.name, *own, *options, *more, "--", host)


def advice(host: str, said: str, otherwise: str) -> str:
    """Why there is no connection, by ssh's last line, and what can be done about it."""
    line = f"can't reach {host} over SSH: {said or otherwise}"
    if said.startswith("sudo:"):
        return f"{line}; log in as root, or allow sudo without a password"
    if any(word in said for word in ("Permission denied", "verification failed")):
        return f"{line}; `{SSH.name} {host} true` must work without a question"
    return line
