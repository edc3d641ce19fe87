"""The baseline of a campaign's tables: results of native forwarding, kept in its folder."""

from __future__ import annotations

from pathlib import Path

from xlatperf.commands.exits import UserError
from xlatperf.files.writing import write_whole
from xlatperf.keys.not_allowed import not_allowed
from xlatperf.results.file import BASELINE_FILE, results_text
from xlatperf.results.results import Results


def check_baseline(of: Path, place: str, known: Results) -> None:
    """Raises UserError for results of `of` that can't be one; `place`: where it was asked for."""
    rates = any(one.procedure == "throughput" for one in known.measurements)
    if known.technology.get("name") != "native" or known.technology.get("double_translation") or not rates:
        raise UserError(
            not_allowed(place, str(of), "the folder of a campaign with technology native and a throughput measure")
        )


def keep_baseline(folder: Path, of: Path, place: str, known: Results) -> None:
    """Keeps the measurements of the campaign `of`, without its trials, in `folder`. Raises UserError.

    `place`: where it was asked for.
    """
    check_baseline(of, place, known)
    rates = [one for one in known.measurements if one.procedure == "throughput"]
    only_rates = {
        "measurements": tuple(rates),
        **{name: () for name in Results.model_fields if name.endswith("trials")},
        "findings": (),
        "first_look_findings": (),
    }
    write_whole(folder / BASELINE_FILE, results_text(known.model_copy(update=only_rates)))
