"""R8219-4.2-2: a virtual machine's device and the reference device in a row: each alone, both, and which one limits."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.lab.machine.requirements import needs_machine
from tests.long import more, only_long
from tests.retries import attempts
from tests.system.command import xlatperf
from tests.system.requirements import needs_root
from tests.system.test_in_a_row import DSLITE, MAP_E, NAT64, REFERENCE, written

SLOW = "capacity = { rate_fps = 1500, buffer = 100 }\n"
MEASURE = """
[[measure]]
procedure = "throughput"
connections = [50]
establish_fps = 400
frame_sizes = [84]
minimum_fps = 300
maximum_fps = 2500
search = "binary"
stop_width_fps = 800
repetitions = 1
duration_s = 0.4
timeout_s = 1
settle_s = 0.02
learning_wait_s = 0.02
"""


@needs_root
@needs_machine
@pytest.mark.timeout(450)
@pytest.mark.parametrize(
    ("technology", "left", "right", "names", "slow"),
    [
        (MAP_E, '"ip6tnl-ce"', REFERENCE, ("CE", "BR"), "BR"),
        pytest.param(DSLITE, REFERENCE, '"ip6tnl-aftr"', ("B4", "AFTR"), "B4", marks=[more, only_long]),
        pytest.param(NAT64, '"jool-siit"', REFERENCE, ("CLAT", "PLAT"), "PLAT", marks=[more, only_long]),
    ],
)
def test_which_one_limits(
    technology: str, left: str, right: str, names: tuple[str, str], slow: str, tmp_path: Path
) -> None:
    """RFC 7597 §5, RFC 6333 §5, RFC 6877 §3: the reference device has a capacity that is below the machine's."""
    path = written(tmp_path, technology, left, right, '[traffic]\naccept = ["traffic_class"]\n' + MEASURE)
    of_reference = f"{REFERENCE}\nimpair.forward.{SLOW}"
    path.write_text(path.read_text().replace(f"driver = {REFERENCE}", f"driver = {of_reference}"), encoding="utf-8")
    for number in attempts(3):  # where the machine takes more from one of them than its capacity does
        folder = tmp_path / f"c{number}"
        ended = xlatperf("run", path, "-f", folder, "--skip-selftest", folder=tmp_path, timeout_s=140)
        assert ended.code == 0, ended.output
        page = re.sub(r"<[^>]+>", "", (folder / "comparison.html").read_text(encoding="utf-8"))
        for name in names:
            assert f"{name} alone" in page
        if f"The {slow} limits." in page:
            return
    pytest.fail(ended.output)
