"""Where a client lets itself be sent, and where not, whatever the server says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perudo_protocol.elsewhere import Astray, Elsewhere, NotThere, elsewhere
from perudo_protocol.messages import Redirect
from perudo_protocol.pins import pin_of

CERTIFICATE, OTHER = b"c" * 32, b"d" * 32
PIN = pin_of(CERTIFICATE)
HOME, WORLD = "192.168.1.20", "93.184.216.34"
PORT = 7654


def why(place: str, peer: str = HOME, port: int = PORT, pin: str = "") -> str:
    """Say why a client on a plain line does not go there; empty when it does."""
    try:
        elsewhere(Redirect(place=place, pin=pin), peer, port, b"")
    except NotThere as wrong:
        return wrong.why.value
    return ""


@pytest.mark.parametrize(
    ("place", "peer"),
    [
        ("192.168.1.21:7654", HOME),
        ("10.0.0.7:20000", HOME),
        ("93.184.216.35:7654", HOME),
        ("93.184.216.35:7654", WORLD),
        ("127.0.0.1:9000", "127.0.0.1"),
        ("192.168.1.21:7654", "127.0.0.1"),
        ("[::1]:9000", "127.0.0.1"),
        ("[fd00::21]:7654", HOME),
        ("[2606:2800:220:1::2]:7654", WORLD),
        ("[::ffff:192.168.1.21]:7654", HOME),
        ("169.254.7.7:7654", "169.254.7.8"),
        ("192.168.1.21:7654", "::ffff:192.168.1.20"),
    ],
)
def test_it_goes_as_far_as_the_server_is_or_farther(place: str, peer: str) -> None:
    assert why(place, peer) == ""


@pytest.mark.parametrize(
    ("place", "peer"),
    [
        ("127.0.0.1:7654", HOME),
        ("127.255.0.9:7654", WORLD),
        ("[::1]:7654", HOME),
        ("[::ffff:127.0.0.1]:7654", HOME),
        ("192.168.1.21:7654", WORLD),
        ("10.1.2.3:7654", WORLD),
        ("[fd00::21]:7654", WORLD),
        ("169.254.169.254:8080", HOME),
        ("169.254.169.254:8080", WORLD),
        ("[fe80::1]:7654", HOME),
        ("192.168.1.21:7654", ""),
        ("192.168.1.21:7654", "memory"),
        ("100.64.0.1:7654", WORLD),
        ("[64:ff9b::192.168.1.21]:7654", WORLD),
        ("[64:ff9b:1::192.168.1.21]:7654", WORLD),
        ("[64:ff9b::169.254.169.254]:7654", HOME),
        ("[2002:c0a8:115::1]:7654", WORLD),
        ("[2002:7f00:1::1]:7654", HOME),
        ("[::127.0.0.1]:7654", HOME),
        ("[fec0::21]:7654", WORLD),
    ],
)
def test_it_never_comes_nearer_than_the_server_is(place: str, peer: str) -> None:
    assert why(place, peer) == Astray.TOO_NEAR


@pytest.mark.parametrize(
    "place",
    [
        "",
        ":",
        ":7654",
        "192.168.1.21",
        "192.168.1.21:",
        "192.168.1.21:0",
        "192.168.1.21:65536",
        "192.168.1.21:-1",
        "192.168.1.21:7654 ",
        "192.168.1.21:٧٦٥٤",
        "127.1:7654",
        "0x7f000001:7654",
        "2130706433:7654",
        "192.168.1.021:7654",
        "localhost:7654",
        "example.org:7654",
        "perudo://192.168.1.21:7654",
        "192.168.1.21:7654/3",
        "user@192.168.1.21:7654",
        "fd00::21:7654",
        "[192.168.1.21]:7654",
        "[fe80::1%eth0]:7654",
        "[fd00::21]7654",
        "0.0.0.0:7654",
        "[::]:7654",
        "[::ffff:0.0.0.0]:7654",
        "224.0.0.1:7654",
        "[ff02::1]:7654",
    ],
)
def test_an_address_is_a_number_and_a_port(place: str) -> None:
    assert why(place, peer="127.0.0.1") == Astray.NO_ADDRESS


@pytest.mark.parametrize("port", [22, 25, 80, 443, 1023])
def test_ports_of_other_services_are_let_alone(port: int) -> None:
    assert why(f"192.168.1.21:{port}") == Astray.BAD_PORT
    assert why(f"192.168.1.21:{port}", port=port) == ""


@pytest.mark.parametrize("pin", ["x", PIN[:-1], PIN + "A", PIN[:-1] + "/"])
def test_a_pin_is_one_or_there_is_none(pin: str) -> None:
    assert why("192.168.1.21:7654", pin=pin) == Astray.NO_ADDRESS


PLACE = "192.168.1.21:7654"
THERE = ("192.168.1.21", 7654)


@pytest.mark.parametrize("line", [b"", OTHER])
@pytest.mark.parametrize("known", [b"", CERTIFICATE])
def test_a_pin_in_the_message_is_the_certificate_to_expect(line: bytes, known: bytes) -> None:
    said = Redirect(place=PLACE, pin=PIN)
    assert elsewhere(said, HOME, PORT, line, lambda *_: known) == Elsewhere(*THERE, CERTIFICATE)


def test_encryption_is_never_given_up() -> None:
    said = Redirect(place=PLACE)
    assert elsewhere(said, HOME, PORT, b"") == Elsewhere(*THERE)
    with pytest.raises(NotThere) as wrong:
        elsewhere(said, HOME, PORT, CERTIFICATE)
    assert wrong.value.why is Astray.IN_THE_CLEAR


def test_what_is_known_of_the_place_counts() -> None:
    asked: list[tuple[str, int]] = []

    def known(host: str, port: int) -> bytes:
        asked.append((host, port))
        return OTHER

    found = elsewhere(Redirect(place="[::ffff:192.168.1.21]:7654"), HOME, PORT, b"", known)
    assert found == Elsewhere(*THERE, OTHER)
    assert asked == [THERE], "in the one spelling by which it is kept"
    with pytest.raises(NotThere) as wrong:
        elsewhere(Redirect(place=PLACE, pin=PIN), HOME, PORT, b"", known)
    assert wrong.value.why is Astray.OTHER_CERTIFICATE


@given(st.text(max_size=64), st.text(max_size=64))
def test_whatever_is_said_ends_in_a_place_or_a_reason(place: str, pin: str) -> None:
    try:
        found = elsewhere(Redirect(place=place, pin=pin), HOME, PORT, b"")
    except NotThere:
        return
    assert 0 < found.port < 65536


@given(st.ip_addresses(), st.ip_addresses(), st.integers(1, 65535))
def test_this_machine_is_sent_to_by_itself_alone(there: object, peer: object, port: int) -> None:
    text = f"[{there}]:{port}" if ":" in str(there) else f"{there}:{port}"
    try:
        found = elsewhere(Redirect(place=text), str(peer), PORT, b"")
    except NotThere:
        return
    ours = ("127.", "::1", "0.0.0.0")
    assert not found.host.startswith(ours) or str(peer).startswith(ours)
