"""A DUT that the user set up: xlatperf touches nothing but the Tester's ports."""

from __future__ import annotations

from xlatperf.devices.device import Attachment, DeviceError, Plan
from xlatperf.devices.options import check_names, text

OPTIONS = ("left_port", "right_port", "namespace", "description")


class Manual:
    """Driver of a DUT that is there already; `left_port` and `right_port` are the engine's port names."""

    name = "manual"

    def __init__(self) -> None:
        self._description = ""

    def missing(self) -> list[str]:
        """Nothing: all is the user's."""
        return []

    def prepare(self, plan: Plan) -> Attachment:
        """Says where the ports are; changes nothing."""
        check_names(self.name, plan.options, OPTIONS)
        left, right = text(plan.options, "left_port"), text(plan.options, "right_port")
        for side, port in (("left", left), ("right", right)):
            if port is None:
                raise DeviceError(f"tester.{side}.port is missing: the driver manual needs the ports' names")
        if left is None or right is None or left == right:
            raise DeviceError(f"tester.right.port: {right} is the left port as well: two different ports are needed")
        namespace = text(plan.options, "namespace")
        self._description = text(plan.options, "description") or ""
        return Attachment(left, right, () if namespace is None else ("ip", "netns", "exec", namespace))

    def clear_state(self) -> None:
        """Not possible: a stateless DUT needs nothing, a stateful one has to be cleared by the user."""

    def restart(self) -> None:
        """Not possible."""
        raise DeviceError("the driver manual can't restart the DUT: do it yourself, or write a driver for it")

    def facts(self) -> dict[str, str]:
        """What the user said about the DUT."""
        return {"description": self._description} if self._description else {}

    def diagnose(self) -> list[str]:
        """What to look for."""
        return [
            "the driver manual can't look into the DUT: check there that its interfaces are up, that it forwards, and "
            "that the networks which `xlatperf show` names are routed to the Tester"
        ]

    def remove(self) -> None:
        """Nothing was made."""
