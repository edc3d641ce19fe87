"""HTML from small functions. Text is escaped unless it is `Markup`, so nothing from outside can become HTML."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from xlatperf.files.visible import visible

VOID = frozenset({"br", "meta", "input"})


class Markup(str):
    """HTML that is safe already: made by `element`, or written in this project."""

    __slots__ = ()


Content = str | Iterable["Content"] | None
"""Text (escaped), Markup (kept), a series of these, or nothing."""


def render(content: Content) -> Markup:
    """The content as HTML."""
    if content is None:
        return Markup("")
    if isinstance(content, Markup):
        return content
    if isinstance(content, str):
        return Markup(escape(visible(content)))
    return Markup("".join(render(part) for part in content))


def element(name: str, /, *children: Content, **attributes: str | bool | None) -> Markup:
    """`<name attributes>children</name>`.

    `class_` is the attribute class, `data_run` is data-run; None and False leave an attribute out.
    """
    written = ""
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        attribute = key.rstrip("_").replace("_", "-")
        written += f" {attribute}" if value is True else f' {attribute}="{escape(visible(value))}"'
    if name in VOID:
        return Markup(f"<{name}{written}>")
    return Markup(f"<{name}{written}>{render(children)}</{name}>")


def paragraph(*children: Content, class_: str | None = None) -> Markup:
    """`<p>`."""
    return element("p", *children, class_=class_)


def bullets(items: Iterable[Content]) -> Markup:
    """`<ul>`; nothing for no items."""
    entries = [element("li", item) for item in items]
    return element("ul", entries) if entries else Markup("")


def folded(summary: Content, *children: Content, open_: bool = False, class_: str | None = None) -> Markup:
    """A block that is folded until it is clicked; printing unfolds it."""
    return element("details", element("summary", summary), *children, open=open_, class_=class_)


def badge(text: str, tone: str) -> Markup:
    """A small label. Tones: good, bad, warn, plain; each also differs in its words, never in colour alone."""
    return element("span", text, class_=f"badge {tone}")
