"""The head of the report: what was measured, with what, where and when."""

from __future__ import annotations

from datetime import datetime

from xlatperf.report import words
from xlatperf.report.evidence import Evidence
from xlatperf.report.markup import Content, Markup, badge, element


def heading(evidence: Evidence) -> Markup:
    """Title, facts, and the setup as a drawing."""
    results = evidence.results
    facts: list[tuple[str, Content]] = [
        ("Device under test", evidence.device),
        ("Technology", words.technology(results.technology)),
        ("Date", date(evidence)),
        ("Host", host(evidence)),
        ("Seed", str(results.seed)),
        ("xlatperf", results.xlatperf_version),
    ]
    status = None if results.complete else badge("incomplete", "warn")
    return element(
        "header",
        element("div", "xlatperf report", class_="kicker"),
        element("h1", results.title, " ", status),
        element(
            "dl", [element("div", element("dt", name), element("dd", value)) for name, value in facts], class_="chips"
        ),
        _setup(evidence),
    )


def date(evidence: Evidence) -> str:
    """When the campaign was first started, to the minute."""
    found = str(evidence.sessions[0].get("started", "")) if evidence.sessions else ""
    try:
        return f"{datetime.fromisoformat(found):%Y-%m-%d %H:%M %Z}".strip()
    except ValueError:
        return found or "not recorded"


def host(evidence: Evidence) -> str:
    """Name and processor, as far as they are known."""
    facts = evidence.part("host")
    return ", ".join(str(facts[name]) for name in ("name", "cpu") if facts.get(name)) or "not recorded"


def _setup(evidence: Evidence) -> Markup:
    """Tester's left side, DUT, Tester's right side."""
    families = evidence.families

    def side(name: str, title: str) -> Markup:
        tester = evidence.asked("tester", name)
        address = str(tester.get(families[name].lower(), ""))
        return element(
            "div", element("b", title), element("span", families[name]), element("code", address), class_="box tester"
        )

    background = (
        "" if all(words.standard_mix(item) for item in evidence.results.measurements) else ", beside native IPv6"
    )
    dut = element(
        "div",
        element("b", evidence.device),
        element("span", words.technology(evidence.results.technology) + background),
        class_="box dut",
    )
    wire = element("div", class_="wire", aria_hidden="true")
    return element("div", side("left", "Tester, left"), wire, dut, wire, side("right", "Tester, right"), class_="setup")
