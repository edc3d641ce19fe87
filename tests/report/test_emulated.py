"""A device in a machine by software emulation: the summary says whose rates they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.report import connections_campaign
from tests.report.test_connections import written
from xlatperf.devices.machine_parts import MachineProcess
from xlatperf.lab.machine.machine import Machine, Settings

SAID = "by software emulation: rates and delays are those of the emulation"


@pytest.mark.parametrize(("accelerator", "said"), [("tcg", True), ("kvm", False)])
def test_its_rates_are_the_emulations(accelerator: str, said: bool, tmp_path: Path) -> None:
    settings = Settings(accelerator=accelerator)  # type: ignore[arg-type]
    facts = MachineProcess(Machine(settings)).facts()
    page = written(connections_campaign.results(), tmp_path, {"device": facts})
    assert (SAID in page.visible) is said
