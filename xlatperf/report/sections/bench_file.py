"""The bench file as it was frozen when the campaign began."""

from __future__ import annotations

import json

from xlatperf.report.evidence import Evidence
from xlatperf.report.markup import Content, element, folded, paragraph, render
from xlatperf.report.section import Section


def section(evidence: Evidence) -> Section:
    """The file's text if the folder has it, and all keys with their defaults."""
    complete = json.dumps(evidence.results.bench, indent=2, ensure_ascii=False)
    parts: list[Content] = [
        paragraph(
            f"Seed of all randomness: {evidence.results.seed}. Running this file again on the same "
            "host and device repeats the campaign, frame by frame.",
            class_="lead",
        )
    ]
    if evidence.bench_text is not None:
        parts += [
            element("pre", evidence.bench_text, class_="file"),
            folded("With all defaults filled in", element("pre", complete, class_="file")),
        ]
    else:
        parts.append(element("pre", complete, class_="file"))
    return Section("bench", "Bench file", render(parts), folded=True)
