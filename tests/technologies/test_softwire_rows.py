"""Negative tests of a binding table in a file: the same as of generated softwires (RFC 7596 §6.2)."""

from __future__ import annotations

import ipaddress
import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from xlatperf.config.load import load_bench
from xlatperf.procedures.alteration import Change
from xlatperf.procedures.negative import NegativeTest
from xlatperf.technologies.softwire_rows import rows_seen

HEADER = "ipv6,ipv4,psid_offset,psid_length,psid,lwaftr\n"
TYPICAL = """2001:db8::1,192.0.2.1,0,6,1,2001:db8:ffff::1
2001:db8::2,192.0.2.1,0,6,2,2001:db8:ffff::3
2001:db8::3,192.0.2.2,6,8,52,2001:db8:ffff::1
"""


def refused(folder: Path, rows: str, keys: str) -> list[NegativeTest]:
    (folder / "s.csv").write_text(HEADER + rows)
    (folder / "b.toml").write_text(f'technology = {{ name = "lw4o6", softwires = {{ table = "s.csv"{keys} }} }}\n')
    return list(load_bench(folder / "b.toml").technology.negative_tests())


def changes(tests: list[NegativeTest]) -> dict[tuple[str, str], Change | str]:
    return {(one.name, one.of): one.impossible or one.changes[0] for one in tests}


def test_the_same_tests_as_of_generated_softwires(tmp_path: Path) -> None:
    found = changes(refused(tmp_path, TYPICAL, ""))
    assert found == {
        ("softwire", ""): Change("outer_source", 1 << 127),
        ("outer_source", ""): Change("outer_source", of_another=True),
        ("source_address", ""): Change("source", of_another=True),
        ("source_port", "psid_offset 0, psid_length 6"): Change("source_port", 1 << 10),
        ("source_port", "psid_offset 6, psid_length 8"): Change("source_port", 1 << 2),
        ("lwaftr", ""): Change("outer_destination", 4),  # not that of the other softwires
        ("nobodys_port", ""): Change("destination_port", keep=0, flip=1),
    }
    must = {one.name for one in refused(tmp_path, TYPICAL, "") if one.must}
    assert must == {"softwire", "outer_source", "source_address", "source_port", "nobodys_port"}


def test_what_cannot_be_tried_says_why(tmp_path: Path) -> None:
    found = changes(refused(tmp_path, "2001:db8::1,192.0.2.1,0,0,0,2001:db8:ffff::1\n", ""))
    assert found["source_port", ""] == "no lwB4 shares its address"
    assert found["nobodys_port", ""] == "each port is in somebody's port set"


def test_where_some_share_no_address_the_others_have_the_test(tmp_path: Path) -> None:
    found = refused(tmp_path, TYPICAL + "2001:db8::4,192.0.2.4,0,0,0,::9\n", "")
    (port,) = [one for one in found if one.name == "nobodys_port"]
    assert (port.part, port.of) == (1, "psid_offset 0, psid_length 6")
    assert port.changes == (Change("destination_port", keep=0, flip=1),)
    mixed = TYPICAL + "2001:db8::4,192.0.2.1,6,8,53,::9\n2001:db8::4,192.0.2.4,0,0,0,::9\n"
    (port,) = [one for one in refused(tmp_path, mixed, "") if one.name == "nobodys_port"]
    assert port.impossible == "each port is in somebody's port set"


def test_who_is_alone_is_not_like_another(tmp_path: Path) -> None:
    found = changes(refused(tmp_path, TYPICAL, ", number = 0"))
    assert found["outer_source", ""] == "there is one softwire"
    assert found["source_address", ""] == Change("source", 1)
    assert changes(refused(tmp_path, TYPICAL, ", count = 1"))["outer_source", ""] == "there is one softwire"
    one = changes(refused(tmp_path, TYPICAL.splitlines(keepends=True)[0], ""))
    assert one["outer_source", ""] == "there is one softwire"


def test_one_row_has_one_shape(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text(HEADER + TYPICAL)
    assert rows_seen(tmp_path / "s.csv", None).shapes == ((0, 6), (6, 8))
    assert rows_seen(tmp_path / "s.csv", 2).shapes == ((6, 8),)
    assert rows_seen(tmp_path / "s.csv", 0).free_port == 1


def test_a_file_that_is_not_right_is_the_engines_to_tell(tmp_path: Path) -> None:
    assert rows_seen(tmp_path / "absent.csv", None).shapes == ()
    (tmp_path / "s.csv").write_text(HEADER + "2001:db8::1,192.0.2.1,9,9,1,x\nnonsense\n,,,,,\n")
    assert rows_seen(tmp_path / "s.csv", None).shapes == ()


rows = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 3), st.sampled_from([(0, 2), (1, 3), (6, 8)]), st.integers(0, 255)),
    min_size=1,
    max_size=12,
)


def ports_of(shape: tuple[int, int], psid: int) -> set[int]:
    """RFC 7597 §5.1, one by one."""
    offset, length = shape
    return {
        port
        for port in range(65536)
        if (port >> (16 - offset - length)) % 2**length == psid and (not offset or port >> (16 - offset))
    }


@given(rows)
def test_no_lwb4_has_the_free_port(drawn: list[tuple[int, int, tuple[int, int], int]]) -> None:
    """The free port is in no port set."""
    own = [(lwb4, ipv4, shape, psid % 2 ** shape[1]) for lwb4, ipv4, shape, psid in drawn]
    lines = (
        f"{ipaddress.IPv6Address(lwb4)},192.0.2.{ipv4},{shape[0]},{shape[1]},{psid},::9\n"
        for lwb4, ipv4, shape, psid in own
    )
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
        file.write(HEADER + "".join(lines))
        file.flush()
        seen = rows_seen(Path(file.name), None)
    taken = set().union(*(ports_of(shape, psid) for _, _, shape, psid in own))
    free = sorted(set(range(1, 65536)) - taken)
    assert seen.free_port == (free[0] if free else None)
    assert set(seen.shapes) == {shape for _, _, shape, _ in own}
