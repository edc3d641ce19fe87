"""Statements as Snabb's configurations have them, `name value;` and `name { ... }`, as YANG's examples do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from xlatperf.imports.found import Found

_TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n]*|\#[^\n]*|/\*.*?\*/)|(?P<text>"(?:[^"\\]|\\.)*"|'[^']*')|(?P<sign>[{};])|(?P<word>[^\s{};"'#]+)""",
    re.DOTALL,
)
_MOST_DEEP = 50


@dataclass
class Statement:
    """`values`: the words behind its name; `inside`: the statements in its braces."""

    name: str
    values: list[str]
    line: int
    inside: list[Statement] = field(default_factory=list)

    def all(self, *names: str) -> Iterator[Statement]:
        """Those inside with one of these names."""
        return (one for one in self.inside if one.name in names)

    def one(self, *names: str) -> Statement | None:
        """The last of them, or none."""
        return list(self.all(*names))[-1] if any(True for _ in self.all(*names)) else None

    def found(self, *names: str) -> Found | None:
        """The value of the statement inside with such a name. Raises ValueError where it hasn't one."""
        one = self.one(*names)
        if one is None:
            return None
        if len(one.values) != 1 or one.inside:
            raise ValueError(f"line {one.line}: {one.name}: missing: one value and a semicolon")
        return Found(one.name, one.values[0], one.line)

    def need(self, *names: str) -> Found:
        """Raises ValueError where it isn't there."""
        found = self.found(*names)
        if found is None:
            raise ValueError(f"line {self.line}: {self.name}: missing: {names[0]}")
        return found


def parse_statements(text: str) -> Statement:
    """A statement around all of them. Raises ValueError with the line of what is wrong."""
    stack = [Statement("the file", [], 1)]
    words: list[str] = []
    at = 1
    for word, is_sign, line in _tokens(text):
        if not is_sign:
            at = at if words else line
            words.append(word)
        elif word == "{":
            if len(stack) > _MOST_DEEP:
                raise ValueError(f"line {line}: nested too deep")
            stack.append(Statement(words[0] if words else "", words[1:], at if words else line))
            words = []
        else:
            if words:
                stack[-1].inside.append(Statement(words[0], words[1:], at))
                words = []
            if word == "}":
                if len(stack) == 1:
                    raise ValueError(f"line {line}: a brace that closes nothing")
                done = stack.pop()
                stack[-1].inside.append(done)
    if len(stack) > 1:
        raise ValueError(f"line {stack[-1].line}: {stack[-1].name}: missing: its closing brace")
    if words:
        raise ValueError(f"line {at}: {words[0]}: missing: a semicolon behind it")
    return stack[0]


def _tokens(text: str) -> Iterator[tuple[str, bool, int]]:
    position, line = 0, 1
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise ValueError(f"line {line}: a quotation mark or comment that nothing closes")
        token = match[0]
        if match["text"] is not None:
            yield token[1:-1], False, line
        elif match["space"] is None:
            yield token, match["sign"] is not None, line
        line += token.count("\n")
        position = match.end()
