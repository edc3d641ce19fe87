"""The configuration that VPP is started with (`vpp -c`). Pure: no I/O."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

CLI_SOCKET = "cli.sock"
_OF_TECHNOLOGY = {
    "map-e": ("map",),
    "map-t": ("map",),
    "lw4o6": ("map",),
    "nat44": ("nat", "nat44_ei"),
    "nat64": ("nat64",),
    "dslite": ("dslite",),
}
_OF_PORTS = {"memif": ("memif",), "af_packet": ("af_packet",), "pci": ("dpdk",)}


def configuration(
    folder: Path,
    segment: str,
    technology: str,
    cores: Sequence[int],
    cards: Mapping[str, str],
    *,
    ports: str,
    more: str = "",
) -> str:
    """`cores`: the main thread's, then those of workers. `cards`: PCI addresses by the name that each gets.

    Only the plugins that are needed: others poll, or take ports of the host's.
    """
    main, *workers = cores
    sections = [
        f"unix {{\n  nodaemon\n  cli-listen {folder / CLI_SOCKET}\n  runtime-dir {folder}\n}}",
        f"api-segment {{\n  prefix {segment}\n}}",
        f"statseg {{\n  socket-name {folder / 'stats.sock'}\n}}",
        _block("cpu", [f"main-core {main}", *([f"corelist-workers {','.join(map(str, workers))}"] if workers else [])]),
        _block(
            "plugins",
            [
                "plugin default { disable }",
                *(
                    f"plugin {name}_plugin.so {{ enable }}"
                    for name in (*_OF_PORTS[ports], *_OF_TECHNOLOGY.get(technology, ()))
                ),
            ],
        ),
    ]
    if cards:
        sections.append(_block("dpdk", [f"dev {address} {{ name {name} }}" for name, address in cards.items()]))
    return "\n".join([*sections, *([more.strip()] if more.strip() else [])]) + "\n"


def _block(name: str, lines: Sequence[str]) -> str:
    return "\n".join([f"{name} {{", *(f"  {line}" for line in lines), "}"])
