"""Which packages, and of which versions."""

from __future__ import annotations

from pathlib import Path

import pytest

from xlatperf.lab.error import LabError
from xlatperf.lab.machine import packages

SHOWN = """Package: jool-dkms
Version: 4.1.9-1
Description: translator
 Version: 0
Depends: dkms

Package: busybox-static
Version: 1:1.35.0-4+b1

Package: jool-dkms
Version: 4.0
"""


def test_versions_as_apt_shows_them() -> None:
    assert packages.parse_versions(SHOWN) == {"jool-dkms": "4.1.9-1", "busybox-static": "1:1.35.0-4+b1"}
    assert packages.parse_versions("") == {}


def test_the_newest_headers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages, "SOURCES", tmp_path)
    assert packages.kernel_release() is None
    for name in ("6.1.0-9-cloud-amd64", "6.1.0-56-cloud-amd64", "6.1.0-99-amd64", "6.1.0-99-common"):
        (tmp_path / f"linux-headers-{name}").mkdir()
    assert packages.kernel_release() == "6.1.0-56-cloud-amd64"
    (tmp_path / "linux-headers-6.12.3-1-cloud-amd64").mkdir()
    assert packages.kernel_release() == "6.12.3-1-cloud-amd64"


def test_a_package_that_apt_does_not_know(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages, "run_command", lambda _: SHOWN)
    with pytest.raises(LabError, match=r"apt knows no package linux-image-6\.1\.0-1-cloud-amd64: apt-get update && "):
        packages.to_unpack("6.1.0-1-cloud-amd64")
