from __future__ import annotations

import os
import subprocess

from xlatperf.lab.process_identity import ProcessIdentity, identify, parse, parse_stat

STAT = "42 (a) b (c) R 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 777 0 0"


def test_name_with_brackets() -> None:
    assert parse_stat(42, STAT) == ProcessIdentity(42, 777)


def test_zombie_has_ended() -> None:
    assert parse_stat(42, STAT.replace(") R ", ") Z ")) is None


def test_this_process_runs() -> None:
    me = identify(os.getpid())
    assert me is not None
    assert me.running


def test_number_used_again_is_another_process() -> None:
    me = identify(os.getpid())
    assert me is not None
    assert not ProcessIdentity(me.pid, me.start_time + 1).running


def test_ended_process_and_zombie() -> None:
    with subprocess.Popen(["true"]) as child:
        identity = identify(child.pid)
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)  # ended, but not reaped: a zombie
        assert identify(child.pid) is None
    assert identity is None or not identity.running


def test_text_and_back() -> None:
    identity = ProcessIdentity(42, 777)
    assert parse(identity.text()) == identity


def test_half_written_file() -> None:
    assert parse("42") is None
    assert parse("") is None
    assert parse("42 seven") is None
