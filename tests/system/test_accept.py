"""R7915-V: a header field that no router looks at is a finding: it hides nothing, and nothing of it is called lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.system.by_hand import by_hand
from tests.system.campaigns import campaign
from tests.system.command import xlatperf
from tests.system.gateway import gateway
from tests.system.requirements import needs_nft, needs_root
from tests.system.trials import RELAXED
from xlatperf.config.request import configure_message
from xlatperf.engine.acceptable import ACCEPTABLE

CHECK = ("--rate", "1000", "--duration", "0.1", "--timeout", "0.2", "--hold", "0")
SPOILS = 'device.impair.forward.corrupt = [{ what = "traffic_class", every = 1 }]\n'
NAT44 = f'technology.name = "nat44"\ndevice.driver = "reference"\n{RELAXED}'
FRAME_LOSS = '[[measure]]\nprocedure = "frame_loss"\nframe_sizes = [84]\nmaximum_fps = 2000\nrates_fps = [1000]\n'


@pytest.mark.parametrize("field", ["traffic_class", "hop_limit"])
@pytest.mark.parametrize("name", ["siit, IPv6 left", "native IPv4", "map-e br"])
def test_accepted_frames_are_expected_and_counted(name: str, field: str) -> None:
    """Of foreground and background, with delays; and wrong where it isn't accepted."""
    with gateway(name) as device:
        device.impair(forward={"corrupt": [{"what": field, "every": 3}]})
        seen = {}
        for accept in (ACCEPTABLE, ()):
            device.engine.configure(configure_message(device.bench, (1, 2), accept=accept))
            seen[accept] = device.trial(frame_size=104, rate_fps=2000.0, duration_s=0.1).answer["forward"]
        for of in ("foreground", "background"):
            accepted, refused = seen[ACCEPTABLE][of], seen[()][of]
            assert accepted["expected"] == accepted["sent"] == 100
            assert accepted["delay"]["count"] == 100
            assert (refused["lost"], accepted["lost"]) == (0, 0)
            count = refused["wrong"].get(field, 0)
            assert refused["expected"] + count == 100
            assert accepted["remarks"] == ({"accepted": count, f"accepted_{field}": count} if count else {})
        assert sum(seen[()][of]["wrong"].get(field, 0) for of in ("foreground", "background")) == 66


def test_check_goes_on_and_names_the_key(tmp_path: Path) -> None:
    """Phases and negative tests behind the first wrong frame; with that key all is right."""
    (tmp_path / "b.toml").write_text(SPOILS + NAT44)
    ended = xlatperf("check", "b.toml", *CHECK, folder=tmp_path)
    assert ended.code == 1
    for said in (
        "type of service 0xbc, expected 0xb8 (RFC 2474 §3)",
        "│ phase 2 ",
        "which isn't in the pool, on ports of open connections (reverse, RFC 4787 §4.1): 10 of 10",
        'With traffic.accept = ["traffic_class"] in the bench file such frames count as received',
    ):
        assert said in ended.output
    assert "hop limit" not in ended.output, "there is no tunnel"
    (tmp_path / "b.toml").write_text('traffic.accept = ["traffic_class"]\n' + SPOILS + NAT44)
    ended = xlatperf("check", "b.toml", *CHECK, folder=tmp_path)
    assert ended.code == 0
    assert "All frames came back as they must, but for what traffic.accept has (traffic_class)." in ended.output


@needs_root
@needs_nft
def test_what_only_another_traffic_class_shows(tmp_path: Path) -> None:
    """A router that marks EF anew is right where 0 is sent: `check` finds it, and so does the campaign's first look."""
    with by_hand() as router:
        router.run("nft 'add table ip a; add chain ip a b { type filter hook forward priority 0; }'")
        router.run("nft 'add rule ip a b ip dscp ef ip dscp set cs1'")
        made = campaign(tmp_path, router.bench() + FRAME_LOSS + "duration_s = 0.2\n", wrong=True)
    assert made.model.findings == ()
    found = {(one.kind, one.reason, one.direction) for one in made.model.first_look_findings}
    assert found == {("error", "traffic_class", "forward"), ("error", "traffic_class", "reverse")}
    example = made.model.first_look_findings[0].example
    assert example is not None
    assert example.text == "type of service 0x20, expected 0xb8 (RFC 2474 §3)"
    assert "show what those of the measures don" in (made.folder / "report.html").read_text(encoding="utf-8")
