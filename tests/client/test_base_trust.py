"""The servers that a player knows, in their file."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perudo_client import trust_words
from perudo_client.address import Address, place, plain_host
from perudo_client.trust import CannotRead, KnownServers
from perudo_protocol.pins import fingerprint, pin_of

ONE, TWO = bytes([1]) * 32, bytes([2]) * 32
PLACE = Address("ana.local", 7000)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "perudo" / "known_servers"


def test_at_first_nobody_is_known(path: Path) -> None:
    known = KnownServers(path)
    assert known.vouched(PLACE) == PLACE
    assert not known.forget(PLACE)
    assert not path.exists()


def test_who_is_known_is_known_the_next_time(path: Path) -> None:
    KnownServers(path).remember(PLACE, ONE)
    KnownServers(path).remember(Address("::1"), TWO)
    known = KnownServers(path)
    assert known.vouched(PLACE) == PLACE._replace(pin=pin_of(ONE))
    assert known.vouched(PLACE._replace(table=3)) == PLACE._replace(table=3, pin=pin_of(ONE))
    assert known.vouched(Address("Ana.LOCAL", 7000)).pin == pin_of(ONE)
    assert known.vouched(Address("ana.local", 7001)).pin == ""
    assert known.vouched(Address("::1")).pin == pin_of(TWO)
    lines = path.read_text().splitlines()
    assert lines[0].startswith("#")
    assert lines[1:] == [f"ana.local:7000 {pin_of(ONE)}", f"localhost:7654 {pin_of(TWO)}"]


def test_the_file_is_the_players_own(path: Path) -> None:
    before = os.umask(0)
    try:
        KnownServers(path).remember(PLACE, ONE)
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [each.name for each in path.parent.iterdir()] == ["known_servers"]


def test_a_pin_in_the_address_counts_more_and_changes_nothing(path: Path) -> None:
    known = KnownServers(path)
    known.remember(PLACE, ONE)
    other = PLACE._replace(pin=pin_of(TWO))
    assert known.vouched(other) == other
    assert known.introduce(other), "it is said"
    assert known.vouched(PLACE).pin == pin_of(ONE)
    assert not known.introduce(known.vouched(PLACE))
    assert "--forget ana.local:7000" in trust_words.another(other)


def test_a_pin_in_the_address_makes_a_server_known(path: Path) -> None:
    known = KnownServers(path)
    known.introduce(PLACE)
    assert not path.exists()
    known.introduce(PLACE._replace(pin=pin_of(TWO), table=4))
    assert known.vouched(PLACE).pin == pin_of(TWO)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("localhost", "localhost."),
        ("localhost", "LocalHost"),
        ("localhost", "127.0.0.1"),
        ("127.0.0.1", "::1"),
        ("127.0.0.1", "127.1"),
        ("127.0.0.1", "0x7f.0.0.1"),
        ("127.0.0.1", "2130706433"),
        ("127.0.0.1", "::ffff:127.0.0.1"),
        ("ana.local", "Ana.local."),
        ("bücher.local", "xn--bcher-kva.local"),
        ("192.168.1.20", "192.168.276"),
        ("192.168.1.20", "192.168.1.20."),
        ("192.168.1.20", "::ffff:c0a8:114"),
        ("fd00::1", "fd00:0:0::1"),
        ("fd00::1", "FD00:0000:0000:0000:0000:0000:0000:0001"),
        ("fe80::1%eth0", "fe80:0::1%eth0"),
    ],
)
def test_a_server_is_known_however_its_host_is_written(path: Path, one: str, other: str) -> None:
    for first, second in ((one, other), (other, one)):
        known = KnownServers(path)
        known.remember(Address(first), ONE)
        assert known.vouched(Address(second)).pin == pin_of(ONE)
        assert known.forget(Address(second))
        path.write_text(f"{Address(first)} {pin_of(TWO)}\n")  # as it was written once
        assert known.vouched(Address(second)).pin == pin_of(TWO)
        assert place(Address(first)) == place(Address(second))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("127.0.0.1", "127.0.0.2"),
        ("ana.local", "ana"),
        ("fe80::1%eth0", "fe80::1%eth1"),
        ("10.0.0.1", "10.0.2"),
    ],
)
def test_other_hosts_are_others(one: str, other: str) -> None:
    assert place(Address(one)) != place(Address(other))


@given(st.text(max_size=30))
def test_any_host_has_one_spelling(host: str) -> None:
    assert plain_host(plain_host(host)) == plain_host(host)


def test_only_the_server_that_is_named_is_forgotten(path: Path) -> None:
    known = KnownServers(path)
    known.remember(PLACE, ONE)
    known.remember(Address("ana.local"), TWO)
    assert known.forget(PLACE._replace(table=9))
    assert not known.forget(PLACE)
    assert KnownServers(path).vouched(PLACE).pin == ""
    assert KnownServers(path).vouched(Address("ana.local")).pin == pin_of(TWO)


def test_without_a_file_they_are_known_until_the_end() -> None:
    known = KnownServers()
    known.remember(PLACE, ONE)
    assert known.vouched(PLACE).pin == pin_of(ONE)
    assert KnownServers().vouched(PLACE).pin == ""


@pytest.mark.parametrize(
    "line",
    [
        "ana.local:7000",
        f"ana.local:7000 {pin_of(ONE)[:-1]}",
        f"ana.local:7000 {pin_of(ONE)} more",
        "ana.local:7000 plain",
        "\x1b[31m",
    ],
)
def test_a_line_without_sense_lets_nobody_in_by_mistake(path: Path, line: str) -> None:
    """Who damages the file must not turn a known server into one that is asked about."""
    path.parent.mkdir()
    path.write_text(f"# kept\n\n{line}\n")
    known = KnownServers(path)
    for ask in (known.vouched, known.forget):
        with pytest.raises(CannotRead) as wrong:
            ask(PLACE)
        assert str(wrong.value).isprintable()
        assert "known_servers" in str(wrong.value)
    known.introduce(PLACE._replace(pin=pin_of(ONE)))
    assert path.read_text() == f"# kept\n\n{line}\n"


def test_a_file_that_cannot_be_read_is_said(path: Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises(CannotRead, match="cannot be read"):
        KnownServers(path).vouched(PLACE)
    path.rmdir()
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(CannotRead, match="cannot be read"):
        KnownServers(path).vouched(PLACE)


def test_a_disk_that_takes_nothing_leaves_what_was_there(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    KnownServers(path).remember(PLACE, ONE)

    def refuse(_fd: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(OSError, match="No space"):
        KnownServers(path).remember(PLACE, TWO)
    assert KnownServers(path).vouched(PLACE).pin == pin_of(ONE)
    assert [each.name for each in path.parent.iterdir()] == ["known_servers"]


@given(
    st.dictionaries(
        st.tuples(st.sampled_from(["a", "10.0.0.1", "::1", "fe80::1%eth0"]), st.integers(1, 9)),
        st.binary(min_size=32, max_size=32),
    )
)
def test_whatever_is_remembered_is_found_again(servers: dict[tuple[str, int], bytes]) -> None:
    known = KnownServers()
    for spot, certificate in servers.items():
        known.remember(Address(*spot), certificate)
    for spot, certificate in servers.items():
        assert known.vouched(Address(*spot)).digest == certificate


@pytest.mark.parametrize("pin", ["", pin_of(ONE)])
def test_what_is_said_names_the_server_both_fingerprints_and_the_way_out(pin: str) -> None:
    asked = PLACE._replace(pin=pin, table=3)
    change = trust_words.changed(asked, ONE, TWO)
    assert fingerprint(ONE) in change
    assert fingerprint(TWO) in change
    for sentence in (change, trust_words.plain(asked)):
        assert "perudo-client --forget ana.local:7000 " in sentence
    unasked = trust_words.unasked(asked, TWO)
    assert f"perudo://ana.local:7000/3#{pin_of(TWO)} " in unasked
