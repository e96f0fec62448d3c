"""Addresses as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perudo_client.address import Address, AddressError, for_others, parse
from perudo_protocol.pins import pin_of
from perudo_protocol.version import DEFAULT_PORT

PIN = "vpqeMN7nHIyQ8SI2h0J-CWXGvm3SndEnRkhgIp8JFd0"


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("localhost", Address("localhost")),
        ("192.168.1.20:7000", Address("192.168.1.20", 7000)),
        (" ana.local:7654 ", Address("ana.local", 7654)),
        ("::1", Address("::1")),
        ("[::1]", Address("::1")),
        ("[::1]:7000", Address("::1", 7000)),
        ("[fe80::1%eth0]:7000", Address("fe80::1%eth0", 7000)),
        ("perudo://ana.local", Address("ana.local")),
        ("perudo://ana.local:7000/3", Address("ana.local", 7000, 3)),
        ("PERUDO://[::1]:7000/3/", Address("::1", 7000, 3)),
        ("ana.local/12", Address("ana.local", DEFAULT_PORT, 12)),
        (f"perudo://ana.local:7000/3#{PIN}", Address("ana.local", 7000, 3, PIN)),
        (f"perudo://ana.local#{PIN}", Address("ana.local", pin=PIN)),
        (f"perudo://[::1]:7000/#{PIN}", Address("::1", 7000, pin=PIN)),
        (f"ana.local:7000#{PIN}", Address("ana.local", 7000, pin=PIN)),
    ],
)
def test_what_is_an_address(text: str, address: Address) -> None:
    assert parse(text) == address


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "such as"),
        ("   ", "such as"),
        ("http://ana.local", "perudo://"),
        ("ana.local:port", "1 to 65535"),
        ("ana.local:", "1 to 65535"),
        ("ana.local:0", "1 to 65535"),
        ("ana.local:65536", "1 to 65535"),
        ("ana.local:٣", "1 to 65535"),
        ("[::1:7000", "[::1]:7654"),
        ("[::1]7000", "[::1]:7654"),
        ("[ana.local]:7000", "[::1]:7654"),
        ("fe80::zz", "[::1]:7654"),
        ("ana local", "not the name"),
        (":7000", "not the name"),
        ("ana@local", "not the name"),
        ("ana.local/first", "number"),
        ("ana.local/-1", "number"),
        ("ana.local#", "43 signs"),
        (f"ana.local#{PIN[:-1]}", "43 signs"),
        (f"ana.local#{PIN}A", "43 signs"),
        (f"ana.local#{PIN}=", "43 signs"),
        (f"ana.local#{PIN[:-1]}P", "43 signs"),  # no hash ends so
        (f"ana.local#SHA256:{PIN}", "43 signs"),
        (f"ana.local#{PIN}/3", "43 signs"),
        (f"ana.local#{PIN}#{PIN}", "43 signs"),
        (f"#{PIN}", "not the name"),
    ],
)
def test_what_is_none_is_answered_with_what_would_be(text: str, says: str) -> None:
    with pytest.raises(AddressError) as wrong:
        parse(text)
    assert says in str(wrong.value)


@given(
    st.sampled_from(["a", "ana.local", "10.0.0.1", "::1", "fe80::1%eth0"]),
    st.integers(1, 65535),
    st.integers(0, 99),
    st.just(b"") | st.binary(min_size=32, max_size=32),
)
def test_an_address_is_read_as_it_is_written(
    host: str, port: int, table: int, certificate: bytes
) -> None:
    address = Address(host, port, table, pin_of(certificate))
    assert parse(str(address)) == address
    assert parse(str(address)).digest == certificate


@given(st.text(max_size=40))
def test_no_text_whatever_raises_anything_else(text: str) -> None:
    try:
        host = parse(text).host
    except AddressError as wrong:
        host = str(wrong)
    assert host


@pytest.mark.parametrize(
    ("where", "join", "right"),
    [
        ("127.0.0.1:7654", ("192.168.1.20:7654", "[2001:db8::5]:7654"), "192.168.1.20:7654"),
        ("localhost:99", ("127.0.0.1:99", "[2001:db8::5]:99"), "[2001:db8::5]:99"),
        ("[::1]:7654", ("nonsense of a server/", "10.0.0.2:7654"), "10.0.0.2:7654"),
        ("127.0.0.1:7654", (), "127.0.0.1:7654"),
        ("127.0.0.1:7654", ("127.0.0.1:7654",), "127.0.0.1:7654"),
        ("games.example:7654", ("192.168.1.20:7654",), "games.example:7654"),
    ],
)
def test_friends_are_told_an_address_that_they_can_reach(
    where: str, join: tuple[str, ...], right: str
) -> None:
    """Whoever plays on the server's own machine passes on one of the server's addresses."""
    assert str(for_others(parse(where), join)) == right
