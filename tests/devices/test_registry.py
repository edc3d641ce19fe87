"""Each driver says all that others need to know of it."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from contextlib import ExitStack

import pytest

from tests.devices.hosts import plan
from xlatperf import devices
from xlatperf.devices.device import DeviceError
from xlatperf.devices.driver import Driver
from xlatperf.devices.in_a_row import InARowDriver
from xlatperf.devices.registry import BY_NAME, DEFAULT, DRIVERS, NAMES
from xlatperf.technologies.registry import BY_NAME as TECHNOLOGIES


@pytest.mark.parametrize("driver", DRIVERS)
def test_every_driver(driver: type[Driver]) -> None:
    one = driver(driver=driver.named())
    assert driver.named() in NAMES
    assert driver.label
    assert driver.what
    assert driver.called({}).startswith(driver.label)
    assert all("\n" not in line for line in one.missing())
    assert not driver.technology or driver.technology["name"] in TECHNOLOGIES
    assert one.model_dump() == {"driver": driver.named()}, "what the file doesn't say is not said"


def test_none_is_forgotten() -> None:
    """A file with a driver that isn't in the tuple would be a driver that no bench file can name."""
    found = set()
    for module in pkgutil.iter_modules(devices.__path__):
        members = vars(importlib.import_module(f"xlatperf.devices.{module.name}")).values()
        found |= {
            one
            for one in members
            if inspect.isclass(one) and issubclass(one, Driver) and "driver" in vars(one).get("__annotations__", {})
        }
    assert found - {Driver} == {*DRIVERS, InARowDriver}, "a bench file has it by [[device]] twice"
    assert len(BY_NAME) == len(DRIVERS)
    assert DEFAULT in BY_NAME


OF_ONE = [driver for driver in DRIVERS if driver.technology]


@pytest.mark.parametrize("driver", OF_ONE)
def test_another_technology(driver: type[Driver]) -> None:
    for name in set(TECHNOLOGIES) - {driver.technology["name"]}:
        wanted = f'technology.name: "{name}" is not allowed: the driver {driver.named()} does {driver.does()} only'
        with ExitStack() as undo, pytest.raises(DeviceError, match=f"^{re.escape(wanted)}$"):
            driver(driver=driver.named()).prepare(plan({"name": name}, {}, {}), undo)


@pytest.mark.parametrize("driver", OF_ONE)
def test_the_right_technology_in_another_way(driver: type[Driver]) -> None:
    """What is two translators in a row isn't made of one that stands alone."""
    one = driver(driver=driver.named())
    one.check_technology(driver.technology)
    for member in set(driver.technology) - {"name"}:
        asked_for = driver.technology[member] is False
        others = {name: value for name, value in driver.technology.items() if name != member}
        said = rf"^technology\.{member}: {'true' if asked_for else 'false'} is not allowed: the driver"
        with pytest.raises(DeviceError, match=said):
            one.check_technology(others | ({member: True} if asked_for else {}))


def test_technologies_in_words() -> None:
    assert BY_NAME["464xlat"].does() == "`nat44` with `double_translation = true`"
    assert BY_NAME["tayga-siit-pair"].does() == '`native` with `family = "ipv4"` and `double_translation = true`'
    assert BY_NAME["manual"].does() == ""


def test_what_the_lab_needs_is_loaded_when_it_is_needed() -> None:
    """A Tester of a real network device shall not need netlink, nor wait for it."""
    program = "import sys, xlatperf.devices.registry; print('pyroute2' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "False\n"
    )
