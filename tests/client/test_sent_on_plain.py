"""A server sends us on to another address: the same in lines of text, and with real connections."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from perudo_client.endings import Closed
from perudo_client.plain_line import LONGEST_TRY, PROTOCOL
from perudo_protocol import messages as m
from perudo_protocol.elsewhere import MOST_HOPS
from perudo_protocol.errors import BadMessage
from tests.support import sample_views
from tests.support.one_client_server import Server, serving
from tests.support.plain_desk import LOBBY, ME, WELCOME, Desk, playing
from tests.support.servers import environment

PLACE = "192.168.1.21:7654"
BACK = m.Welcome(
    version=1, server="s 1", name="Home", person=ME, you="Ana", now=0, resumed=True, keeps=True
)


def known(desk: Desk) -> Desk:
    """Be known to the server, and count how often another connection is made."""
    desk.plain.who.person = ME
    desk.plain.go_back = lambda: tries.append(1)
    desk.plain.port = 7654
    tries: list[int] = []
    return desk


def arrive(desk: Desk) -> None:
    """Make the next try."""
    desk.plain.journey.next()


def test_it_is_said_in_one_line_and_goes_on() -> None:
    desk = known(playing())
    view = desk.plain.model.view
    assert view is not None
    assert desk.hear(m.Redirect(place=PLACE)) == [f"The server sends you on to {PLACE}."]
    arrive(desk)
    lines = desk.hear(BACK, m.View(view=view))
    assert "It is your turn." in lines
    assert desk.plain.journey.is_there


def test_what_was_asked_for_is_asked_for_there() -> None:
    desk = Desk()
    desk.hear(WELCOME, m.Tables(tables=sample_views.tables()))
    known(desk)
    desk.type("join 7")
    (join,) = desk.sent
    desk.hear(m.Redirect(place=PLACE))
    arrive(desk)
    desk.sent.clear()
    desk.hear(BACK, m.Tables(tables=()))
    assert desk.sent == [join]


@pytest.mark.parametrize("place", ["127.0.0.1:7654", "192.168.1.21:22", "localhost:1", "\x1b[2J"])
def test_where_it_would_do_harm_we_do_not_go(place: str) -> None:
    desk = known(playing())
    assert desk.hear(m.Redirect(place=place)) == []
    (said,) = desk.complaints
    assert said.startswith("The server sends you on to")
    assert "\x1b" not in said
    assert desk.closed
    assert desk.code == PROTOCOL


def test_nobody_is_sent_on_before_they_are_known() -> None:
    desk = Desk()
    desk.hear(m.Redirect(place=PLACE))
    assert desk.complaints == ["The server sends you on before it knows you: do not trust it."]
    assert desk.code == PROTOCOL


def test_whatever_is_there_the_first_address_is_asked_next() -> None:
    desk = known(playing())
    desk.hear(m.Redirect(place=PLACE))
    arrive(desk)
    for why in (Closed.NONSENSE, Closed.ENCRYPTED, Closed.TOLD):
        assert desk.plain.may_return(why) == LONGEST_TRY
    assert desk.plain.journey.next() is None


def test_no_name_and_no_words_are_said_there() -> None:
    desk = known(playing())
    desk.plain.gate.given = "blue fox rain"
    desk.hear(m.Redirect(place=PLACE))
    arrive(desk)
    desk.sent.clear()
    with pytest.raises(BadMessage):
        desk.hear(m.Challenge(table=0, salt=b"s" * 32, nonce=b"n" * 32, cost=15))
    for word in ("name_taken", "bad_name", "version", "bad_proof"):
        desk.hear(m.Error(error=word, detail=""))
    assert desk.sent == []
    assert desk.names == []
    assert desk.code is None
    assert desk.plain.journey.next() is None


def test_circles_end() -> None:
    desk = known(playing())
    for hop in range(MOST_HOPS + 1):
        desk.hear(m.Redirect(place=f"192.168.1.{21 + hop % 2}:7654"))
        arrive(desk)
        desk.hear(BACK)
    desk.hear(m.Redirect(place=PLACE))
    assert desk.complaints == ["The server sends you on and on: this program follows no further."]
    assert desk.code == PROTOCOL


# With real connections ---------------------------------------------------------------------------


async def greeted(server: Server) -> m.Hello:
    """Greet somebody, and show them a table."""
    hello = await server.next()
    assert isinstance(hello, m.Hello)
    server.say(WELCOME, m.View(view=LOBBY))
    return hello


@pytest.mark.parametrize("options", [("--plain",), ("--bot", "--bot-seconds", "0")])
async def test_a_program_goes_where_it_is_sent_and_proves_who_it_is(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    async with serving() as first, serving() as second:
        command = [sys.executable, "-m", "perudo_client", f"127.0.0.1:{first.port}", *options]
        process = await asyncio.create_subprocess_exec(
            *command,
            "--name",
            "Ana",
            env=environment(tmp_path),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        try:
            await greeted(first)
            first.say(m.Redirect(place=f"127.0.0.1:{second.port}"))
            while (said := await first.next()) is not None:
                assert not isinstance(said, m.Hello | m.Resume)
            resume = await second.next()
            assert isinstance(resume, m.Resume)
            assert resume.person == ME
            second.say(m.Nonce(nonce=b"n" * 32))
            assert isinstance(await second.next(), m.Prove)
            second.say(BACK, m.View(view=LOBBY))
        finally:
            process.kill()
            out, _complaints = await process.communicate()
        assert f"on to 127.0.0.1:{second.port}" in out.decode()
