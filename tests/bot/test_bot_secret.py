"""A bot before locked doors: words that it has are tried once, without them it goes elsewhere."""

from __future__ import annotations

from perudo_bot.joining import JoinPlan
from perudo_bot.runner import BotPlayer
from perudo_bot.unlocking import Unlocker
from perudo_protocol import lock
from perudo_protocol.messages import (
    Challenge,
    Done,
    Hello,
    Join,
    Refused,
    TableLine,
    Tables,
    Unlock,
    View,
)
from tests.support.scripted_server import ScriptedServer, met, refuse, table

WORDS = "blue fox rain"


def challenge(number: int) -> Challenge:
    return Challenge(table=number, salt=b"s" * 32, nonce=b"n" * 32, cost=15)


def line(number: int, locked: bool) -> TableLine:
    counts = {"people": 1, "bots": 0, "seats": 6, "watchers": 0}
    return TableLine(table=number, name="t", rules={}, playing=False, locked=locked, **counts)


def is_right(answer: Unlock, number: int) -> bool:
    key = lock.make_key(WORDS, b"s" * 32)
    return answer.table == number and lock.proves(
        answer.proof, key, number, b"n" * 32, answer.nonce
    )


def guest(secret: str = WORDS, number: int | None = None) -> tuple[ScriptedServer, BotPlayer]:
    return met(join=JoinPlan(number, secret=secret))


def test_it_opens_a_locked_server_once() -> None:
    server, bot = guest()
    server.say(challenge(0))
    (answer,) = server.said(Unlock)
    assert is_right(answer, 0)
    server.say(Done(re=answer.id), Tables(tables=()))
    assert not server.is_lost
    assert len(server.said(Hello)) == 1
    assert not bot.locked


def test_wrong_words_for_the_server_end_it() -> None:
    server, bot = guest("green fox rain")
    server.say(challenge(0))
    (answer,) = server.said(Unlock)
    server.say(challenge(0), Refused(re=answer.id, reason="wrong_secret"))
    assert len(server.said(Unlock)) == 1
    assert server.is_lost
    assert bot.locked == "server"


def test_without_words_a_locked_server_ends_it() -> None:
    server, bot = guest("")
    server.say(challenge(0))
    assert not server.said(Unlock)
    assert server.is_lost
    assert bot.locked == "server"


def test_it_makes_three_keys_and_no_more() -> None:
    unlocker = Unlocker(WORDS)
    made = 0
    for number in range(9):
        unlocker.ask(challenge(number))
        made += unlocker.answer(number, b"") is not None
    assert made == 3


def test_without_words_it_passes_locked_tables_by() -> None:
    server, _bot = guest("")
    server.say(Tables(tables=(line(1, locked=True), line(2, locked=False))))
    assert [join.table for join in server.said(Join)] == [2]


def test_it_opens_a_locked_table_and_sits_down() -> None:
    server, bot = guest()
    server.say(Tables(tables=(line(1, locked=True),)))
    (join,) = server.said(Join)
    server.say(challenge(1), Refused(re=join.id, reason="locked"))
    (answer,) = server.said(Unlock)
    assert is_right(answer, 1)
    server.say(Done(re=answer.id))
    assert [join.table for join in server.said(Join)] == [1, 1]
    server.say(View(view=table()), Done(re=server.said(Join)[1].id))
    assert bot.view is not None


def test_words_that_do_not_open_a_table_lead_to_another() -> None:
    server, bot = guest("green fox rain")
    server.say(Tables(tables=(line(1, locked=True), line(2, locked=False))))
    server.say(challenge(1), Refused(re=server.said(Join)[0].id, reason="locked"))
    refuse(server, "wrong_secret")
    assert [join.table for join in server.said(Join)] == [1, 2]
    assert not server.is_lost
    assert not bot.locked


def test_words_that_do_not_open_the_table_it_was_sent_to_end_it() -> None:
    for secret in ("green fox rain", ""):
        server, bot = guest(secret, number=1)
        server.say(Tables(tables=(line(1, locked=True), line(2, locked=False))))
        server.say(challenge(1), Refused(re=server.said(Join)[0].id, reason="locked"))
        if secret:
            refuse(server, "wrong_secret")
        assert server.is_lost
        assert bot.locked == "table"


def test_a_plan_does_not_tell_the_words() -> None:
    assert "blue" not in repr(JoinPlan(secret=WORDS))
