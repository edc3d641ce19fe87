"""results.json: its schema, its text, and reading it again.

`sum`, the last member, is a checksum of all before it: a value that somebody changed shows. Files of older versions
have none.
"""

from __future__ import annotations

import re
from typing import Any

from pydantic import ValidationError

from xlatperf.files.checksum import checksum
from xlatperf.files.reading import parse_json
from xlatperf.keys.not_allowed import not_allowed, toml
from xlatperf.procedures.plausible import implausible
from xlatperf.procedures.registry import BY_NAME
from xlatperf.results.results import SCHEMA_VERSION, Measurement, Results

BASELINE_FILE = "baseline.json"
"""Results of native forwarding by the same device, as results.json has them."""


class ResultsChanged(ValueError):
    """They aren't as they were written; the message says how that shows."""


class OtherVersion(ValueError):
    """They are another version's; the message says what this one doesn't know."""


_SUM = re.compile(r',\n "sum": "([0-9a-f]{16})"\n\}\n?\Z')


def results_schema() -> dict[str, Any]:
    """The JSON Schema of results.json, which names its schema itself."""
    schema = Results.model_json_schema(mode="serialization")
    schema["properties"]["$schema"] = {"type": "string"}
    schema["properties"]["sum"] = {"type": "string", "description": "checksum of the file up to here"}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def results_text(final: Results) -> str:
    """Results as the file has them."""
    members = final.model_dump_json(indent=1, by_alias=True).removeprefix("{\n").removesuffix("\n}")
    text = f'{{\n "$schema": "results.schema.json",\n{members}'
    return f'{text},\n "sum": "{checksum(text.encode())}"\n}}\n'


def read_results(text: str) -> Results:
    """The model of a results.json of this schema (docs/results.md says what a version promises).

    Raises ResultsChanged, OtherVersion.
    """
    text = text.replace("\r\n", "\n")
    try:
        document = parse_json(text)
    except ValueError as error:
        raise ResultsChanged(f"it isn't JSON: {error}") from error
    if not isinstance(document, dict):
        raise ResultsChanged("it isn't an object of JSON")
    document.pop("$schema", None)
    version = document.get("schema_version")
    if type(version) is not int or version != SCHEMA_VERSION:
        raise OtherVersion(not_allowed("schema_version", toml(version), str(SCHEMA_VERSION)))
    said = _SUM.search(text)
    summed = document.pop("sum", None) is not None
    if summed and (said is None or said[1] != checksum(text[: said.start()].encode())):
        raise ResultsChanged("something in it was changed since it was written, as its checksum shows")
    try:
        known = Results.model_validate(document)
    except (ArithmeticError, AttributeError, TypeError, ValueError) as error:  # a table that is none has no keys
        message = _first_fault(error)
        raise (OtherVersion(message) if summed else ResultsChanged(message)) from error
    if [trial.number for trial in known.all_trials] != list(range(len(known.all_trials))):
        raise ResultsChanged("a trial is missing, or is there twice")
    for trial in known.all_trials:
        fault = implausible(trial.request, trial)
        if fault is not None:
            raise ResultsChanged(f"trial {trial.number} can't be: {fault}")
    return known


def _first_fault(error: Exception) -> str:
    if not isinstance(error, ValidationError):
        return str(error).splitlines()[0]
    first = error.errors(include_url=False)[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"


def failed(final: Results) -> bool:
    """Whether a measurement failed: no result at all, or no rate passed (exit code 1)."""
    return not final.complete or any(
        one.failures
        or any(repetition.limited_by == "minimum" for repetition in one.repetitions)
        or _without_a_value(one)
        or (BY_NAME[one.procedure].facts.needs_a_result and one.no_result is not None)
        for one in final.measurements
    )


def _without_a_value(one: Measurement) -> bool:
    """Whether the Tester could do none of the rates that it had to, or no frame came that could have told a delay.

    Nothing is wrong where the standard asks for no value.
    """
    if one.no_result is not None:
        return False
    found = [series for series in one.values if series.role == "result"]
    return bool(found) and all(series.summary is None for series in found)
