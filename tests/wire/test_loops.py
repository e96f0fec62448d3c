"""A real server on each event loop that is installed: a whole game, links that break, TLS, the end.

uvloop is an extra. It differs where it could hurt: it raises on a write to a transport that is
closing, and it writes at the end of a turn.
"""

from __future__ import annotations

import signal
import socket
import struct
from importlib.util import find_spec
from pathlib import Path

import pytest

from perudo_protocol import messages as m
from perudo_protocol.codec import encode
from perudo_protocol.story import Won
from perudo_protocol.tls import client_context
from perudo_protocol.words import ByeReason
from tests.support.servers import Caller, RunningServer, run, server

LOOPS = ["asyncio", *(["uvloop"] if find_spec("uvloop") else [])]
AT_ONCE = {
    "PERUDO_BOT_SECONDS": "0",
    "PERUDO_REVEAL_SECONDS": "0",
    "PERUDO_THROW_SECONDS": "0",
    "PERUDO_LOG_LEVEL": "debug",
}
GONE = struct.pack("ii", 1, 0)
"""A connection that is closed with this as its linger is reset."""


def on(loop: str) -> dict[str, str]:
    return {**AT_ONCE, "PERUDO_UVLOOP": "true" if loop == "uvloop" else "false"}


def ends_well(running: RunningServer) -> None:
    """End it; nothing went wrong in it that nobody expected."""
    assert running.end(signal.SIGTERM) == 0
    assert " failure " not in running.log()
    assert "write_failed" not in running.log()
    assert "exception" not in running.log().lower()


def until(caller: Caller, kind: type[m.FromServer]) -> m.FromServer:
    while not isinstance(heard := caller.hear(), kind):
        assert heard is not None
    return heard


def play_out(caller: Caller) -> None:
    """Watch a game of bots at a table of one's own to its end."""
    caller.send(m.Make(id=1, name="T", options={"start_dice": 2}))
    view = until(caller, m.View)
    assert isinstance(view, m.View)
    caller.send(m.Watch(id=2, table=view.view.table))
    for request in (m.AddBot(id=3), m.AddBot(id=4), m.Start(id=5)):
        caller.send(request)
    while True:
        heard = until(caller, m.Update)
        assert isinstance(heard, m.Update)
        if any(isinstance(event, Won) for event in heard.events):
            return


@pytest.mark.parametrize("loop", LOOPS)
def test_a_game_and_the_end(loop: str, tmp_path: Path) -> None:
    with server(tmp_path, **on(loop)) as running:
        ana, bo = running.guest("Ana"), running.guest("Bo")
        play_out(ana)
        ends_well(running)
        for caller in (ana, bo):
            last = caller.rest()[-1]
            assert isinstance(last, m.Bye)
            assert last.reason == ByeReason.SHUTDOWN


@pytest.mark.parametrize("loop", LOOPS)
def test_links_that_break_while_much_is_said(loop: str, tmp_path: Path) -> None:
    """Who is reset in the middle of it, and who never reads, costs the others nothing."""
    slow = {"PERUDO_OUTBOX_BYTES": "1024", "PERUDO_OVERFLOW_SECONDS": "0.2"}
    talk = {"PERUDO_CHAT_BURST": "10000", "PERUDO_FRAME_BURST": "100000"}
    with server(tmp_path, **on(loop), **slow, **talk) as running:
        ana, bo, cy = (running.guest(name) for name in ("Ana", "Bo", "Cy"))
        ana.send(m.Make(id=1, name="T"))
        view = until(ana, m.View)
        assert isinstance(view, m.View)
        for caller in (bo, cy):
            caller.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            caller.send(m.Join(id=1, table=view.view.table))
            until(caller, m.Done)
        for number in range(400):
            ana.send(m.Say(id=10 + number, text="x" * 200))
            if number == 100:
                bo.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, GONE)
                bo.socket.close()
            until(ana, m.Done)
        running.log_with("gone")
        ana.send(m.Leave(id=9999))
        until(ana, m.Done)
        ends_well(running)


@pytest.mark.parametrize("loop", LOOPS)
def test_a_game_behind_tls(loop: str, tmp_path: Path) -> None:
    with server(tmp_path, "--tls", "--data", str(tmp_path), **on(loop)) as running:
        caller = Caller(running.port)
        caller.socket = client_context().wrap_socket(caller.socket)
        assert isinstance(caller.greet("Ana"), m.Welcome)
        play_out(caller)
        plain = Caller(running.port)
        plain.socket.sendall(encode(m.Hello(versions=(1,), client="test", name="Bo")))
        assert plain.socket.recv(64).startswith(b"\x15\x03")
        plain.socket.close()
        caller.socket.close()
        ends_well(running)


def test_a_loop_that_is_not_there_is_said_to_be_missing(tmp_path: Path) -> None:
    (tmp_path / "uvloop.py").write_text("raise ImportError\n")
    done = run(tmp_path, PERUDO_UVLOOP="true", PYTHONPATH=str(tmp_path))
    assert done.returncode == 78
    assert "perudo[fast]" in done.stderr
    assert "Traceback" not in done.stderr
