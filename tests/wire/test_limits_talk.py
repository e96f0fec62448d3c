"""How much one client may say, over real sockets: what is over is refused, and floods end."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path

import msgpack
import pytest

from perudo_protocol import messages as m
from perudo_protocol.codec import encode
from perudo_protocol.framing import frame
from tests.soak.attacks import BOMBS
from tests.support.servers import Caller, RunningServer, server

HASTE = {
    "PERUDO_GREETING_SECONDS": "0.3",
    "PERUDO_FRAME_SECONDS": "0.3",
    "PERUDO_PING_SECONDS": "0.2",
    "PERUDO_DEAD_SECONDS": "1.5",
}


@pytest.fixture
def running(tmp_path: Path) -> Iterator[RunningServer]:
    """A server with the usual limits; but however slow it is, what is too much stays so."""
    with server(tmp_path, PERUDO_FRAME_RATE="1") as it:
        yield it
        assert it.end() == 0
        assert "failure" not in it.log()


@pytest.fixture
def hasty(tmp_path: Path) -> Iterator[RunningServer]:
    """A server of little patience."""
    with server(tmp_path, **HASTE) as it:
        yield it
        assert it.end() == 0


IDS = count(1)


def answers(caller: Caller, requests: Sequence[m.Request]) -> list[str]:
    """Send all at once, and give how each was answered."""
    caller.socket.sendall(b"".join(map(encode, requests)))
    found: list[str] = []
    while len(found) < len(requests):
        match caller.hear():
            case m.Done():
                found.append("done")
            case m.Refused(reason=reason):
                found.append(reason)
            case None:
                raise AssertionError("the server has closed")
    return found


def last_word(caller: Caller) -> str:
    """Hear until the server closes, and give the word of its last message."""
    with suppress(ConnectionError):
        while (message := caller.hear()) is not None:
            if isinstance(message, m.Error):
                return message.error
            if isinstance(message, m.Bye):
                return message.reason
    return "reset"


def plays_on(caller: Caller) -> bool:
    """Say whether somebody else is still served."""
    return answers(caller, [m.Start(id=next(IDS))]) == ["too_few"]


@pytest.fixture
def ana(running: RunningServer) -> Caller:
    """Somebody at a table, who is not to be held up."""
    caller = running.guest("Ana")
    assert answers(caller, [m.Make(id=0, name="Quiet")]) == ["done"]
    return caller


def test_acts_have_a_rate(ana: Caller) -> None:
    """Ten at once, then five a second."""
    assert answers(ana, [m.Start(id=n) for n in range(14)]) == ["too_few"] * 10 + ["slow_down"] * 4
    start = time.monotonic()
    while answers(ana, [m.Start(id=0)]) == ["slow_down"]:
        assert time.monotonic() - start < 10
        time.sleep(0.02)  # asking all the time would be a flood
    assert time.monotonic() - start > 0.05


def test_chat_has_a_rate_of_its_own(ana: Caller) -> None:
    """Five at once, then one a second; acts are still heard."""
    said = [m.Say(id=n, text="hi") for n in range(8)]
    assert answers(ana, said) == ["done"] * 5 + ["slow_down"] * 3
    assert plays_on(ana)


def test_coming_and_going_has_a_rate_of_its_own(ana: Caller) -> None:
    """Ten at once, then one every two seconds; acts are still heard."""
    moves = [m.Join(id=n, table=99) for n in range(12)]
    assert answers(ana, moves) == ["no_table"] * 9 + ["slow_down"] * 3
    assert plays_on(ana)


@pytest.mark.parametrize(
    "said", [m.Pong(now=1), m.Start(id=1), m.Say(id=1, text="x" * 200)], ids=["pong", "act", "chat"]
)
def test_a_flood_ends_that_link_alone(
    running: RunningServer, ana: Caller, said: m.FromClient
) -> None:
    """`flood`; whoever sends even more is cut off."""
    eva = running.guest("Eva")
    eva.socket.sendall(encode(said) * 301)
    assert last_word(eva) == "flood"
    eva = running.guest("Eva")
    with suppress(ConnectionError):
        eva.socket.sendall(encode(said) * 20_000)
    assert last_word(eva) in ("flood", "reset")
    assert plays_on(ana)


@pytest.mark.parametrize(
    "data",
    [
        *(b"\xff\xff\xff\xff", b"\0\0\x20\x01", bytes(4)),
        *(frame(b"\xc1"), frame(b"\x93\x01\x02\x03"), frame(b"\x81\xc4\x01a\x01")),
        *(frame(b"\x82\xa1a\x01\xa1a\x02"), frame(b"\x81\xa1a\xd6\xff\0\0\0\0")),
        *(frame(b"\x81\xa1a\xc7\x00\x05"), *BOMBS),
    ],
)
def test_bytes_that_are_no_frame_end_that_link_alone(
    running: RunningServer, ana: Caller, data: bytes
) -> None:
    """Huge and zero lengths, bombs, keys that are no text or stand twice, times, extensions."""
    for caller in (running.call(), running.guest("Eva")):
        caller.socket.sendall(data)
        assert last_word(caller) == "bad_frame"
    assert plays_on(ana)


def test_a_length_is_judged_before_anything_is_kept(running: RunningServer) -> None:
    """Two hundred who announce four gigabytes and begin to send them cost nothing."""
    memory = Path(f"/proc/{running.process.pid}/statm")
    before = int(memory.read_text().split()[1]) if memory.exists() else 0
    for _ in range(200):
        caller = running.call()
        with suppress(ConnectionError):
            caller.socket.sendall(b"\xff" * 4 + b"x" * 200_000)
        assert last_word(caller) in ("bad_frame", "reset")
        caller.socket.close()
    grown = int(memory.read_text().split()[1]) - before if memory.exists() else 0
    assert grown * 4096 < 4 * 2**20


@pytest.mark.parametrize(
    "fields",
    [
        {"type": "nothing"},
        {"type": 7},
        {},
        {"type": "start", "id": True},
        {"type": "start", "id": 2**64 - 1},
        {"type": "start", "id": 1.0},
        {"type": "start", "id": float("nan")},
        {"type": "start", "id": 1, "seat": 3},
        {"type": "say", "id": 1, "text": b"x"},
        {"type": "say", "id": 1, "text": "x" * 401},
        {"type": "make", "id": 1, "name": "T", "options": [1]},
    ],
)
def test_three_messages_without_sense_end_the_link(
    running: RunningServer, ana: Caller, fields: dict[str, object]
) -> None:
    """Two are answered; one is enough before the greeting."""
    nonsense = frame(msgpack.packb(fields))
    eva, stranger = running.guest("Eva"), running.call()
    eva.socket.sendall(nonsense * 2)
    heard = [message for _ in range(3) if isinstance(message := eva.hear(), m.Error)]
    assert [error.error for error in heard] == ["bad_message"] * 2
    assert answers(eva, [m.Leave(id=1)]) == ["not_at_table"]
    for caller in (eva, stranger):
        caller.socket.sendall(nonsense)
        assert last_word(caller) == "bad_message"
    assert plays_on(ana)


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        (b"GET / HTTP/1.1\r\nHost: x\r\nCookie: " + b"x" * 4000 + b"\r\n\r\n", b"HTTP/1.1 400"),
        (b"\x16\x03\x01\x06\xc0\x01" + b"x" * 1700, b"This is a Perudo server"),
    ],
)
def test_visitors_with_other_protocols_are_told(
    running: RunningServer, said: bytes, answer: bytes
) -> None:
    """A short line of text, then the end."""
    visitor = running.call().socket
    visitor.sendall(said)
    told = b""
    while data := visitor.recv(4096):
        told += data
    assert told.startswith(answer)
    assert b"perudo-client" in told


def test_a_greeting_must_come_in_time(hasty: RunningServer) -> None:
    """`slow_greeting`, also when it dribbles in."""
    silent = hasty.call()
    assert last_word(silent) == "slow_greeting"
    dribbler = hasty.call()
    dribbler.socket.sendall(b"\0\0")
    assert last_word(dribbler) in ("slow_greeting", "slow_frame")


def test_a_frame_must_end_in_time(hasty: RunningServer) -> None:
    """`slow_frame`, however its bytes dribble."""
    eva = hasty.guest("Eva")
    with suppress(ConnectionError):
        for byte in encode(m.Say(id=1, text="x" * 50)):
            eva.socket.sendall(bytes([byte]))
            time.sleep(0.02)
    assert last_word(eva) in ("slow_frame", "reset")
    assert hasty.log_with("error=slow_frame")


def test_the_silent_are_dead(hasty: RunningServer) -> None:
    """Asked for life, and let go with `dead`; who answers stays."""
    start = time.monotonic()
    assert last_word(hasty.guest("Eva")) == "dead"
    assert 1.0 < time.monotonic() - start < 10
