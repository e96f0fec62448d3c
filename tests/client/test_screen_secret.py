"""Join words on the screen: a locked server, a locked table, a table that one locks."""

from __future__ import annotations

import asyncio
import json
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace as changed

from perudo_client.screens.lobby import LobbyScreen
from perudo_client.screens.make import MakeScreen
from perudo_client.screens.room import RoomScreen
from perudo_client.screens.secret import SecretScreen
from perudo_client.screens.start import StartScreen
from perudo_client.screens.waiting import LostScreen
from perudo_protocol import lock
from perudo_protocol import messages as m
from perudo_protocol.views import TableView
from tests.support import sample_views
from tests.support.fake_wire import Play, playing

WORDS = "blue fox rain"
SALT = b"s" * 32
BOUND = 20.0


def challenge(table: int = 0, nonce: bytes = b"n" * 32) -> m.Challenge:
    return m.Challenge(table=table, salt=SALT, nonce=nonce, cost=15)


WELCOME = m.Welcome(version=1, server="s 1", name="Home", person=1, you="João", now=0)
LOCKED = changed(sample_views.tables()[0], locked=True)


async def until(play: Play, so: Callable[[], bool]) -> None:
    """Wait for something that a thread does, with a bound."""
    async with asyncio.timeout(BOUND):
        while not so():
            await play.pilot.pause()
    await play.settle()


def said(play: Play, kind: type[m.Request] = m.Unlock) -> list[m.Request]:
    return [each for each in play.sent if isinstance(each, kind)]


def proves(answer: m.Request, asked: m.Challenge, words: str = WORDS, tls: bytes = b"") -> bool:
    """Say whether this is the right answer to a challenge."""
    assert isinstance(answer, m.Unlock)
    key = lock.make_key(words, asked.salt, asked.cost)
    return answer.table == asked.table and lock.proves(
        answer.proof, key, asked.table, asked.nonce, answer.nonce, tls
    )


async def type_words(play: Play, words: str = WORDS) -> None:
    """Write words and press Enter, and see them answered with."""
    before = len(said(play))
    await play.press(*("space" if sign == " " else sign for sign in words), "enter")
    await until(play, lambda: len(said(play)) > before)


async def before_the_server(play: Play) -> None:
    """Connect to a locked server."""
    play.app.visit.connect_to("127.0.0.1:7654", "João")
    await play.settle()
    play.server.say(challenge())
    await play.settle()
    assert isinstance(play.app.screen, SecretScreen)


async def test_a_locked_server_asks_until_the_words_are_right() -> None:
    async with playing() as play:
        play.server.certificate = b"c" * 32
        await before_the_server(play)
        assert "This server is locked." in play.text()
        await type_words(play, "green fox")
        assert "green fox" in play.text()
        assert "Trying the words..." in play.text()
        again = challenge(nonce=b"m" * 32)
        play.server.say(again, m.Refused(re=said(play)[0].id, reason="wrong_secret"))
        await play.settle()
        assert "These are not the join words." in play.text()
        assert "green fox" not in play.text(), "there is room for others"
        await play.press("x", "backspace")
        assert "These are not the join words." not in play.text()
        assert "whoever made the game" not in play.text(), "it is said once"
        await type_words(play)
        assert proves(said(play)[1], again, tls=b"c" * 32)
        assert not proves(said(play)[1], again)
        play.server.say(m.Done(re=said(play)[1].id), WELCOME, m.Tables(tables=()))
        await play.settle()
        assert type(play.app.screen) is LobbyScreen
        assert WORDS not in play.text()


async def test_nothing_is_sent_twice_and_nothing_for_no_words() -> None:
    async with playing() as play:
        await before_the_server(play)
        await play.press("enter", "space", "enter")
        assert not said(play)
        await type_words(play)
        await play.press("enter", "enter")
        assert len(said(play)) == 1


async def test_words_that_are_too_short_stay_to_be_mended() -> None:
    async with playing() as play:
        await before_the_server(play)
        await play.press("b", "enter")
        assert "Join words have at least" in play.text()
        await type_words(play, WORDS[1:])
        assert proves(said(play)[0], challenge())


async def test_what_is_typed_while_words_are_tried_stays() -> None:
    async with playing() as play:
        await before_the_server(play)
        await type_words(play, "green fox")
        await play.press("x", "enter")
        play.server.say(challenge(), m.Refused(re=said(play)[0].id, reason="wrong_secret"))
        await play.settle()
        assert "green foxx" in play.text()


async def test_escape_leaves_a_locked_server() -> None:
    async with playing() as play:
        await before_the_server(play)
        await play.press("escape")
        assert type(play.app.screen) is StartScreen
        assert not play.app.visit.door.asking


async def test_too_many_tries_are_said_when_the_server_hangs_up() -> None:
    async with playing() as play:
        await before_the_server(play)
        await type_words(play)
        play.server.say(m.Error(error="too_many_tries", detail=""))
        play.server.lose()
        await play.settle()
        assert type(play.app.screen) is LostScreen
        assert "Too many wrong join words" in play.text()


async def test_help_over_the_question_does_not_ask_twice() -> None:
    async with playing() as play:
        await before_the_server(play)
        await play.press("f1")
        play.app.visit._happened([])
        await play.settle()
        assert not isinstance(play.app.screen, SecretScreen)
        await play.press("escape")
        assert "This server is locked." in play.text()
        await type_words(play)
        play.server.say(m.Done(re=said(play)[0].id), WELCOME, m.Tables(tables=()))
        await play.settle()
        assert isinstance(play.app.screen, LobbyScreen)


async def test_words_are_remembered_when_told_to_for_this_server_alone(tmp_path: Path) -> None:
    file = tmp_path / "join_words.json"
    for turn in range(3):
        async with playing() as play:
            play.app.visit.door.kept._path = file
            play.app.visit.connect_to("127.0.0.1:7654", "João")
            await play.settle()
            play.server.say(challenge())
            if turn == 0:
                await play.settle()
                assert "F2: remember them" in play.text()
                await play.press("f2")
                assert "They will be remembered" in play.text()
                await type_words(play)
                assert not file.exists(), "not before they are known to be right"
            elif turn == 1:
                await until(play, lambda: bool(said(play)))
                assert not isinstance(play.app.screen, SecretScreen)
            else:
                await until(play, lambda: bool(said(play)))
                play.server.say(challenge(), m.Refused(re=said(play)[0].id, reason="wrong_secret"))
                await play.settle()
                assert isinstance(play.app.screen, SecretScreen), "they are no good any more"
                assert "These are not the join words." in play.text()
                return
            assert proves(said(play)[0], challenge())
            play.server.say(m.Done(re=said(play)[0].id), WELCOME, m.Tables(tables=()))
            await play.settle()
            kept = {"words": WORDS, "line": "plain"}
            assert json.loads(file.read_text()) == {"localhost 7654": kept}
            assert stat.S_IMODE(file.stat().st_mode) == 0o600


async def test_words_from_the_command_line_are_tried_once_then_one_is_asked() -> None:
    async with playing() as play:
        play.app.visit.door.given = WORDS
        play.app.visit.connect_to("127.0.0.1:7654", "João")
        await play.settle()
        play.server.say(challenge())
        await until(play, lambda: len(said(play)) == 1)
        assert proves(said(play)[0], challenge())
        play.server.say(challenge(), m.Refused(re=said(play)[0].id, reason="wrong_secret"))
        await play.settle()
        assert isinstance(play.app.screen, SecretScreen)
        assert len(said(play)) == 1


@pytest.mark.parametrize(("key", "kind"), [("enter", m.Join), ("w", m.Watch)])
async def test_a_locked_table_opens_to_its_words(key: str, kind: type[m.Join | m.Watch]) -> None:
    async with playing() as play:
        await play.greet((LOCKED,))
        assert "locked" in play.text()
        await play.press(key)
        first = said(play, kind)[0]
        play.server.say(challenge(LOCKED.table), m.Refused(re=first.id, reason="locked"))
        await play.settle()
        assert "This table is locked." in play.text()
        assert "remember" not in play.text()
        assert "only who knows" not in play.text()
        await type_words(play)
        assert proves(said(play)[0], challenge(LOCKED.table))
        play.server.say(m.Done(re=said(play)[0].id))
        await play.settle()
        assert "This table is locked." not in play.text()
        again = said(play, kind)[1]
        assert isinstance(again, kind)
        assert again.table == LOCKED.table
        play.server.say(m.View(view=sample_views.lobby()), m.Done(re=again.id))
        await play.settle()
        assert type(play.app.screen) is RoomScreen
        assert WORDS in play.text(), "to tell friends"
        play.server.say(m.Away(reason="left"), m.View(view=sample_views.lobby()))
        await play.settle()
        assert WORDS not in play.text()


async def test_escape_leaves_a_locked_table_alone() -> None:
    async with playing() as play:
        await play.greet((LOCKED,))
        await play.press("enter")
        first = said(play, m.Join)[0]
        play.server.say(challenge(LOCKED.table), m.Refused(re=first.id, reason="locked"))
        await play.settle()
        await play.press("escape")
        assert type(play.app.screen) is LobbyScreen
        assert not said(play)


async def test_too_many_tries_at_a_table_are_said_over_the_list() -> None:
    async with playing() as play:
        await play.greet((LOCKED,))
        await play.press("enter")
        first = said(play, m.Join)[0]
        play.server.say(challenge(LOCKED.table), m.Refused(re=first.id, reason="locked"))
        await play.settle()
        await type_words(play)
        play.server.say(m.Refused(re=said(play)[0].id, reason="too_many_tries"))
        await play.settle()
        assert type(play.app.screen) is LobbyScreen
        assert "wait a minute" in play.words()


async def test_a_challenge_that_nobody_asked_for_does_nothing() -> None:
    async with playing() as play:
        await play.greet((LOCKED,))
        play.server.say(challenge(LOCKED.table))
        await play.settle()
        assert type(play.app.screen) is LobbyScreen


async def test_a_table_can_be_made_locked() -> None:
    async with playing() as play:
        await play.greet()
        await play.press("m", "w", *"abc", "enter", "o")
        assert "at least 6 letters" in play.words()
        assert not said(play, m.Make)
        await play.press(*"defg", "enter", "o")
        await until(play, lambda: bool(said(play, m.Make)))
        made = said(play, m.Make)[0]
        assert isinstance(made, m.Make)
        assert made.lock is not None
        assert made.lock.key == lock.make_key("abcdefg", made.lock.salt)
        view = replace_host(sample_views.lobby())
        play.server.say(m.View(view=view), m.Done(re=made.id))
        await play.settle()
        assert "abcdefg" in play.text()


def replace_host(view: TableView) -> TableView:
    return changed(view, host=view.you)


async def test_a_table_that_could_not_be_made_leaves_no_words_behind() -> None:
    async with playing() as play:
        await play.greet()
        await play.press("m", "w", *"abcdef", "enter", "o")
        await until(play, lambda: bool(said(play, m.Make)))
        play.server.say(m.Refused(re=said(play, m.Make)[0].id, reason="name_taken"))
        await play.settle()
        assert type(play.app.screen) is MakeScreen
        play.server.say(m.View(view=sample_views.lobby()))
        await play.settle()
        assert "abcdef" not in play.text()


async def test_an_open_table_is_made_without_words() -> None:
    async with playing() as play:
        await play.greet()
        await play.press("m", "o")
        await until(play, lambda: bool(said(play, m.Make)))
        made = said(play, m.Make)[0]
        assert isinstance(made, m.Make)
        assert made.lock is None


async def test_options_do_not_tell_the_words() -> None:
    async with playing() as play:
        assert "canary" not in repr(play.app.options._replace(secret="canary"))
