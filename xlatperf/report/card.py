"""A large number with its unit and what it is."""

from __future__ import annotations

from xlatperf.report.markup import Content, Markup, element


def card(value: Content, unit: str, caption: Content, tone: str = "") -> Markup:
    """Tones: good, bad, warn, or none."""
    return element(
        "div",
        element("div", value, element("span", unit, class_="unit"), class_="value"),
        element("div", caption, class_="caption"),
        class_=f"card {tone}".strip(),
    )
