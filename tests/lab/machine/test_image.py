"""The image is made once, and again when what it is made of is another."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from xlatperf.lab.error import LabError
from xlatperf.lab.machine import contents, image, jool_modules, packages
from xlatperf.lab.machine.file_tree import FileTree

Versions = dict[str, str]


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[image.Image, list[str]]]:
    """Makes an image of packages with these versions, without the packages; says what it said."""
    built = []
    monkeypatch.setenv("XLATPERF_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(packages, "kernel_release", lambda: "6.1.0-1-cloud-amd64")

    def unpack(_: Versions, folder: Path) -> Path:
        (folder / "root/boot").mkdir(parents=True)
        (folder / "root/boot/vmlinuz-6.1.0-1-cloud-amd64").write_bytes(b"kernel")
        return folder / "root"

    def build(root: Path, _: str) -> list[Path]:
        built.append(root)
        for name in jool_modules.NAMES:
            (root / name).write_bytes(b"module")
        return [root / name for name in jool_modules.NAMES]

    def fill(tree: FileTree, _root: Path, _release: str, modules: list[Path]) -> None:
        assert [module.name for module in modules] == list(jool_modules.NAMES)
        assert all(module.read_bytes() == b"module" for module in modules)
        tree.write("init", "x")

    monkeypatch.setattr(packages, "unpack", unpack)
    monkeypatch.setattr(jool_modules, "build", build)
    monkeypatch.setattr(contents, "fill", fill)
    monkeypatch.setattr(FileTree, "pack", lambda _, file: file.write_bytes(b"packed"))

    def made(jool: str = "4.1.9-1", nftables: str = "1.0.6") -> tuple[image.Image, list[str]]:
        monkeypatch.setattr(packages, "to_unpack", lambda _: {packages.JOOL: jool})
        monkeypatch.setattr(packages, "installed", lambda: {"nftables": nftables})
        said: list[str] = []
        built.clear()
        found = image.image(said.append)
        assert found.kernel.read_bytes() == b"kernel"
        assert found.initramfs.read_bytes() == b"packed"
        assert found.versions == {"kernel": "6.1.0-1-cloud-amd64", packages.JOOL: jool, "nftables": nftables}
        return found, [*said, *("built" for _ in built)]

    return made


def test_made_once(make: Callable[..., tuple[image.Image, list[str]]]) -> None:
    one, said = make()
    assert "Making the virtual machine's image" in said[0]
    assert said[-1] == "built"
    assert make() == (one, [])


def test_made_again_for_another_version(make: Callable[..., tuple[image.Image, list[str]]]) -> None:
    one, _ = make()
    other, said = make(nftables="1.0.7")
    assert other.kernel != one.kernel
    assert len(said) == 2, "Jool's modules are as they were"
    assert make(jool="4.1.10")[1][-1] == "built"


def test_old_ones_are_forgotten(make: Callable[..., tuple[image.Image, list[str]]]) -> None:
    for number in range(6):
        newest, _ = make(jool=f"4.{number}")
        for folder in newest.kernel.parents[1].iterdir():
            os.utime(folder, (number, number)) if folder == newest.kernel.parent else None
    names = sorted(folder.name.partition("-")[0] for folder in newest.kernel.parents[1].iterdir())
    assert names == [".lock", "image", "image", "image", "jool", "jool", "jool"]
    assert newest.kernel.exists()


def test_what_a_killed_one_left_is_removed(make: Callable[..., tuple[image.Image, list[str]]], tmp_path: Path) -> None:
    left = tmp_path / "cache/machine/.making-abc"
    left.mkdir(parents=True)
    make()
    assert not left.exists()


def test_a_place_that_takes_none(
    make: Callable[..., tuple[image.Image, list[str]]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XLATPERF_CACHE", str(tmp_path / "file"))
    with pytest.raises(LabError, match=r"can't make the virtual machine's image: .*/file/machine: Not a directory"):
        make()


def test_without_headers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages, "kernel_release", lambda: None)
    with pytest.raises(LabError, match="headers of the virtual machine's kernel aren't installed: apt install linux-"):
        image.image(print)


def test_where_images_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XLATPERF_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "/caches")
    assert image.cache_folder() == Path("/caches/xlatperf")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert image.cache_folder() == Path.home() / ".cache/xlatperf"
