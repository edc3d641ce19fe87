"""The end of one device's link that another one takes, where two are in a row."""

from __future__ import annotations

from typing import NamedTuple

from xlatperf.lab.namespace import Namespace


class JointEnd(NamedTuple):
    """An interface in the Tester's namespace, which becomes the other device's on that side of its own."""

    tester: Namespace
    port: str
    side: str
