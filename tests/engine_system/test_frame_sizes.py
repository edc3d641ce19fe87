"""Several frame sizes as one traffic (RFC 6985): in turn, the frames of each class for themselves."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scapy.layers.inet import IP, UDP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import Ether

from tests.engine_system.engine_process import Message, engine
from tests.engine_system.messages import configuration, open_loopback, trial
from tests.engine_system.test_frame_size_of import TECHNOLOGIES, bytes_of
from tests.engine_system.test_trials import check_all_expected
from tests.long import by_length


def sizes_by_class(frames: list[Message], direction: str) -> dict[str, list[int]]:
    """Of the frames that the Tester sends, in order."""
    found: dict[str, list[int]] = {"foreground": [], "background": []}
    for frame in frames:
        if frame["direction"] == direction:
            found[frame["class"]].append(bytes_of(frame["sent"]))
    return found


def check_lengths(frame: bytes) -> None:
    """By Scapy: those of all headers end where the frame ends, and checksums are over all of it."""
    parsed = Ether(frame)
    for layer in (IP, IPv6):
        found = parsed.getlayer(layer)
        while found is not None:
            length = found.len if layer is IP else found.plen + 40
            assert length == len(bytes(found))
            found = found.payload.getlayer(layer)
    assert parsed[UDP].len == len(bytes(parsed[UDP]))
    rebuilt = parsed.copy()
    for checked in (IP, UDP):
        if checked in rebuilt:
            del rebuilt[checked].chksum
    assert bytes(rebuilt) == frame


@settings(max_examples=by_length(30, 500), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    technology=st.sampled_from(sorted(TECHNOLOGIES)),
    in_turn=st.lists(st.sampled_from((104, 105, 128, 594, 1400)), min_size=1, max_size=12),
    take=st.integers(0, 3),
)
def test_frames_have_them_in_turn(technology: str, in_turn: list[int], take: int) -> None:
    make, growth = TECHNOLOGIES[technology]
    message = make()
    message["traffic"]["foreground"] = {"take": take, "of": 3}
    with engine() as one:
        one.do("configure", **message)
        frames = one.do("show", frame_size=None, frame_sizes=in_turn, frame_size_of="sender", count=40)["frames"]
    for direction in ("forward", "reverse"):
        for sizes in sizes_by_class(frames, direction).values():
            assert sizes == [in_turn[i % len(in_turn)] for i in range(len(sizes))]
    for frame in frames:
        for packet in (frame["sent"], frame["expected"]):
            check_lengths(bytes.fromhex(packet["hex"]))
        to_ipv6 = (frame["direction"] == "forward") == (technology == "map-e ce")
        change = 0 if frame["class"] == "background" else growth if to_ipv6 else -growth
        assert bytes_of(frame["expected"]) == bytes_of(frame["sent"]) + change


def test_all_come_back_and_are_right() -> None:
    """Alone, and with background: 7 of 12, 4 of 12, 1 of 12."""
    in_turn = [84, 594, 84, 84, 594, 84, 1518, 84, 594, 84, 84, 594]
    for take in (2, 1, 0):
        message = configuration()
        message["traffic"]["foreground"] = {"take": take, "of": 2}
        with engine() as one:
            open_loopback(one)
            one.do("configure", loopback=True, **message)
            answer = one.do("trial", **trial(frame_size=None, frame_sizes=in_turn))
        shares = {"foreground": take / 2, "background": 1 - take / 2}
        check_all_expected(answer, 10_000, {name: share for name, share in shares.items() if share})
        mean = sum(in_turn) / 12
        assert answer["forward"]["frame_size"]["sent"] == round(mean)
        from_ipv4 = mean if take == 0 else mean - 20
        assert answer["reverse"]["frame_size"]["sent"] == round(from_ipv4)


def test_what_isn_t_allowed_is_said() -> None:
    with engine() as one:
        one.do("configure", **configuration())

        def refused(**keys: object) -> str:
            return str(one.ask("show", **{"frame_size": None, "count": 1, **keys})["error"])

        assert "show.frame_size: missing" in refused()
        assert "show.frame_size: a value is not allowed: none with frame_sizes" in refused(
            frame_size=84, frame_sizes=[84]
        )
        assert "show.frame_sizes: [] is not allowed: a list of 1 to 1024 whole numbers, 60 to 16000" in refused(
            frame_sizes=[]
        )
        assert "frame_sizes: 60 is not allowed: 84 to " in refused(frame_sizes=[84, 60])
        assert "show.frame_sizes: 17 sizes is not allowed: at most 16" in refused(frame_sizes=list(range(100, 117)))
