"""The example bench files, shortened so that the tests are: one frame size, two repetitions, few trials."""

from __future__ import annotations

import re

from tests.system.command import REPOSITORY
from tests.system.trials import RELAXED

_SHORTER = {
    "repetitions": "2",
    "stop_width_percent": "25",
    "duration_s": "0.25",
    "timeout_s": "0.2",
    "settle_s": "0.02",
    "learning_wait_s": "0.02",
}


def shortened(name: str, **also: str) -> str:
    """The text of examples/`name`.toml with fewer and shorter trials; `also`: more keys with their values in TOML."""
    text = (REPOSITORY / "examples" / f"{name}.toml").read_text(encoding="utf-8")
    for key, value in {**_SHORTER, **also}.items():
        text, count = re.subn(rf"^{key} = [^#\n]+", f"{key} = {value}  ", text, flags=re.MULTILINE)
        assert count, f"examples/{name}.toml has no {key} any more"
    text = re.sub(r"^frame_sizes = \[(\d+)[^\]]*\]", r"frame_sizes = [\1]", text, flags=re.MULTILINE)
    return text + RELAXED
