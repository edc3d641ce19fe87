"""A stateful DUT and its Tester, by numbers: establishment rate, throughput, table size and timeout are known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.simulated_device import SimulatedDevice
from tests.simulated_dut import COUNTS, DELAY, Killed, tagged
from xlatperf.config.bench import Bench
from xlatperf.engine.mappings import Mappings
from xlatperf.engine.message import DirectionName
from xlatperf.engine.messages import Neighbour, ResolveAnswer
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.results.frames import SideSizes
from xlatperf.run.cell_sizes import CellSizes
from xlatperf.run.experiment import Experiments
from xlatperf.run.old_connections import OldConnections
from xlatperf.run.runs import Run


@dataclass
class StatefulEngine:
    """The engine's part: `trial`, `mappings`, `resolve`. `clock_s` is the DUT's time, moved on by trials and waits."""

    device: SimulatedDevice
    establish_fps: float = 30_000.0
    validate_fps: float = 20_000.0
    throughput_fps: float = 50_000.0
    table: int = 10**9
    timeout_s: float = 1e9
    shared: int = 0
    dies_at: int | None = None
    """With so many connections the DUT stops working."""
    silent: bool = False
    held_up: int = 0
    """So many trials are invalid: the Tester could not send in time."""
    loses: int = 0
    """So many frames of each phase 1, whatever its rate."""
    client_ports: int = 64_512
    repetition: int = 1
    """Of what is measured now."""

    def __post_init__(self) -> None:
        self.clock_s = 0.0
        self.opened_s = 0.0
        self.asked = 0
        self.requests: list[TrialRequest] = []
        self.tags: list[int] = []
        self.draws: list[int] = []

    def sleep(self, seconds: float) -> None:
        self.clock_s += seconds

    def cleared(self, held: int) -> None:
        """Its table was emptied."""
        self.sleep(0.001 + 1e-6 * held)

    def resolve(self, timeout_s: float = 3.0) -> ResolveAnswer:
        self.asked += 1
        mac = None if self.silent else "02:00:00:00:00:02"
        return ResolveAnswer(left={"ipv4": Neighbour(gateway="192.168.18.1", mac=mac)})

    def mappings(self, connections: int, examples: int = 4) -> Mappings:
        return Mappings(
            count=connections,
            learnt=connections,
            shared=self.shared,
            addresses=(("198.19.0.1", connections),),
            lowest_port=1024,
            highest_port=65535,
            ports_kept=connections,
            examples=("connections 17 and 99 share 198.19.0.1 port 5000",) if self.shared else (),
        )

    def cpu(self, _: TrialRequest) -> dict[str, float]:
        """Cores' worth that each part of the DUT uses."""
        return {"plat": 0.75}

    def trial(self, request: TrialRequest, frame_tag: int) -> TrialAnswer:
        wanted = request.connections
        assert wanted is not None
        self.requests.append(request)
        self.tags.append(frame_tag)
        frames = round(request.rate_fps * request.duration_s)
        came = {name: self._came(request, frames) for name in request.directions}
        self.clock_s += frames / request.rate_fps
        if wanted.phase == "establish":
            self.device.held = min(came["forward"], self.table)
            self.draws.append(wanted.draw)
            self.opened_s = self.clock_s
            if self.dies_at is not None and wanted.count >= self.dies_at:
                self.device.works = False
        self.held_up -= (held_up := self.held_up > 0 and wanted.some is None)
        answer: dict[str, Any] = {
            "number": frame_tag,
            "valid": not held_up,
            "reasons": [{"code": "sent_less", "text": "held up"}] if held_up else [],
            "elapsed_s": 1.0,
            "left": COUNTS,
            "right": COUNTS,
            "samples": [],
            "device_cpu": {"clat": 0.0, **self.cpu(request)},
            "connections": {
                "count": wanted.count,
                "phase": wanted.phase,
                "learnt": wanted.count if request.tester_alone else self.device.held,
                "server_ports": [1, -(-max(1, wanted.count) // self.client_ports)],
                "bytes_per_connection": 8,
            },
            **{name: self._direction(request, name, frames, number) for name, number in came.items()},
        }
        return TrialAnswer.model_validate(answer)

    def _came(self, request: TrialRequest, frames: int) -> int:
        wanted = request.connections
        assert wanted is not None
        if request.tester_alone:
            return frames
        if request.alter:
            return request.fence
        if wanted.phase == "establish":
            if wanted.keep:
                return frames
            return frames - (self.loses if request.rate_fps <= self.establish_fps else max(1, frames // 1000))
        if self.clock_s - self.opened_s >= self.timeout_s:
            return 0
        share = self.device.held / wanted.count
        limit = self.validate_fps if wanted.phase == "each_once" else self.throughput_fps
        return int(frames * share) - (request.rate_fps > limit)

    def _direction(self, request: TrialRequest, name: DirectionName, frames: int, came: int) -> dict[str, Any]:
        back = min(came, request.fence)
        fence = {"sent": request.fence, "expected": back, "lost": request.fence - back}
        return {
            **({"fence": fence} if request.fence else {}),
            "intended": frames,
            "sent": frames,
            "offered_fps": request.rate_fps,
            "sending_s": frames / request.rate_fps,
            "frame_size": {"sent": request.frame_size, "received": request.frame_size},
            "foreground": {
                "sent": frames,
                "expected": came,
                "lost": frames - came,
                "delay": DELAY,
                **tagged(request, came),
            },
        }


class StatefulTester:
    """A Tester for campaigns; dies at the trial number `die_at` of its own count."""

    def __init__(self, die_at: int | None = None, engine: type[StatefulEngine] = StatefulEngine, **dut: Any) -> None:
        self.device = SimulatedDevice()
        self.engine = engine(self.device, **dut)
        self.device.cleared = self.engine.cleared
        self.die_at = die_at
        self.asked: list[TrialRequest] = []
        self.old = OldConnections()
        self.tags: list[int] = []

    def sizes(self, frame_size: int, _: object) -> CellSizes:
        return CellSizes.alike(SideSizes(left=frame_size, right=frame_size), frame_size)

    def require(self, _: Bench) -> None:
        raise AssertionError("nothing is learnt here")

    def media_mbps(self) -> float | None:
        return None

    def trial(self, run: Run, request: TrialRequest, frame_tag: int) -> TrialAnswer:
        if self.die_at is not None and len(self.asked) == self.die_at:
            raise Killed
        self.asked.append(request)
        self.tags.append(frame_tag)
        self.engine.repetition = run.repetition
        if request.tester_alone:
            return self.engine.trial(request, frame_tag)
        experiments = Experiments(
            self.engine,  # type: ignore[arg-type]
            self.device,
            self.engine.trial,
            self.engine.sleep,
            now_s=lambda: self.engine.clock_s,
            old=self.old,
        )
        return experiments.run(request, frame_tag)
