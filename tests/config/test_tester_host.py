"""`tester.host`: with which devices, and the keys that belong to it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from xlatperf.config.errors import BenchError
from xlatperf.config.load import located, parse_bench

MANUAL = """
device.driver = "manual"
technology = { name = "native", family = "ipv4" }
[tester]
left.port = "net_ring0"
right.port = "net_ring1"
"""


def test_with_ports_that_are_named(tmp_path: Path) -> None:
    """Its file is found from the bench file's folder."""
    text = f'{MANUAL}host = "root@tester"\nssh_config = "c"\nengine = "/opt/engine"\n'
    tester = located(parse_bench(text, "bench"), tmp_path).tester
    with pytest.raises(ValueError, match=r"^tester\.ssh_config: c is not allowed: a file$"):
        tester.ssh_file("tester")
    (tmp_path / "c").touch()
    assert tester.ssh_file("tester") == tmp_path / "c"
    assert parse_bench(MANUAL, "bench").tester.ssh_file("tester") is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            'technology = { name = "native" }\n[tester]\nhost = "root@tester"\n',
            "tester.host: root@tester is not allowed: nothing with driver = reference: xlatperf makes its ports",
        ),
        (
            'device = { driver = "linux" }\ntechnology = { name = "native" }\ntester.host = "root@tester"\n',
            "tester.host: root@tester is not allowed: nothing with driver = linux: xlatperf makes its ports",
        ),
        (f'{MANUAL}host = "-oProxyCommand=x"\n', "tester.host: "),
        (f'{MANUAL}host = "root@"\n', "tester.host: "),
        (f'{MANUAL}engine = "/x"\n', "tester.engine: /x is not allowed: nothing without tester.host"),
        (f'{MANUAL}ssh_config = "c"\n', "tester.ssh_config: c is not allowed: nothing without tester.host"),
    ],
)
def test_what_is_refused(text: str, said: str) -> None:
    with pytest.raises(BenchError) as caught:
        parse_bench(text, "bench")
    assert re.search(re.escape(said), caught.value.lines[0])
