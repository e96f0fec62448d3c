"""Join words without a screen: the lines of the plain client, and the file that keeps words."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest
from msgspec.structs import replace

from perudo_client import plain_words
from perudo_client.address import Address
from perudo_client.endings import Closed
from perudo_client.kept_words import KeptWords
from perudo_client.plain_line import NO_PERMISSION
from perudo_client.plan import Plan
from perudo_protocol import lock
from perudo_protocol import messages as m
from tests.support import sample_views
from tests.support.plain_desk import LOBBY, WELCOME, Desk, greeted

WORDS = "blue fox rain"
HERE = Address("127.0.0.1", 7654)
TABLES = m.Tables(tables=(replace(sample_views.tables()[0], locked=True),))
TABLE = TABLES.tables[0].table


def challenge(table: int = 0, nonce: bytes = b"n" * 32) -> m.Challenge:
    return m.Challenge(table=table, salt=b"s" * 32, nonce=nonce, cost=15)


def answers(desk: Desk) -> list[m.Unlock]:
    return [each for each in desk.sent if isinstance(each, m.Unlock)]


def right(answer: m.Unlock, asked: m.Challenge, words: str = WORDS) -> bool:
    key = lock.make_key(words, asked.salt, asked.cost)
    return lock.proves(answer.proof, key, asked.table, asked.nonce, answer.nonce)


def let_in(desk: Desk) -> list[str]:
    return desk.hear(m.Done(re=answers(desk)[-1].id), WELCOME, TABLES)


# A locked server ----------------------------------------------------------------------------------


def test_a_locked_server_asks_until_the_words_are_right(tmp_path: Path) -> None:
    desk = Desk()
    desk.plain.gate.begin(HERE)
    desk.plain.gate.kept = KeptWords(tmp_path / "words")
    (line,) = desk.hear(challenge())
    assert line == "This server is locked. Type its join words, or quit."
    desk.type("green fox rain")
    again = challenge(nonce=b"m" * 32)
    lines = desk.hear(again, m.Refused(re=answers(desk)[0].id, reason="wrong_secret"))
    assert lines == ["These are not the join words.", line]
    desk.type(" Blue Fox-Rain ")
    assert right(answers(desk)[1], again)
    told = let_in(desk)
    assert told[0] == "The words are right. Type yes to remember them for this server."
    assert told[1].startswith("Connected to Home")
    assert desk.type("yes") == ["Remembered."]
    assert desk.plain.gate.kept.recall(HERE) == "Blue Fox-Rain"


@pytest.mark.parametrize(("typed", "sent"), [("no", 0), ("make", 1)])
def test_words_are_not_remembered_unless_told_to(tmp_path: Path, typed: str, sent: int) -> None:
    desk = Desk()
    desk.plain.gate.begin(HERE)
    desk.plain.gate.kept = KeptWords(tmp_path / "words")
    desk.hear(challenge())
    desk.type(WORDS)
    let_in(desk)
    before = len(desk.sent)
    desk.type(typed)
    assert len(desk.sent) - before == sent, "another line is what it says"
    desk.type("yes")
    assert not desk.plain.gate.kept.recall(HERE)


def test_lines_wait_for_the_answer_about_the_words() -> None:
    desk = Desk()
    desk.hear(challenge())
    desk.type(WORDS, "tables")
    assert len(answers(desk)) == 1
    assert desk.taken == 1
    let_in(desk)
    assert desk.taken == 2


def test_one_can_quit_before_a_locked_server() -> None:
    desk = Desk()
    desk.hear(challenge())
    assert desk.type("")[-1].startswith("This server is locked.")
    desk.type("quit")
    assert desk.code == 0
    assert not answers(desk)


def test_input_that_ends_before_a_locked_server_is_no_permission() -> None:
    desk = Desk()
    desk.hear(challenge())
    desk.plain.input_ended()
    assert desk.code == NO_PERMISSION == 77


def test_where_nobody_can_be_asked_one_sentence_says_how_words_are_given() -> None:
    desk = Desk(may_ask=False)
    desk.type("join 1")
    desk.hear(challenge())
    assert desk.code == 77
    assert desk.complaints == [
        "This server is locked: give its join words with --secret or PERUDO_SECRET."
    ]
    assert not desk.sent


def test_words_that_were_given_are_tried_once() -> None:
    desk = Desk(secret=WORDS, may_ask=False)
    assert desk.hear(challenge()) == []
    assert right(answers(desk)[0], challenge())
    assert let_in(desk)[0].startswith("Connected"), "nothing is offered to be remembered"

    desk = Desk(secret=WORDS, may_ask=False)
    desk.hear(challenge())
    desk.hear(challenge(), m.Refused(re=answers(desk)[0].id, reason="wrong_secret"))
    assert len(answers(desk)) == 1
    assert desk.code == 77
    assert desk.complaints == ["These are not the join words: ask whoever made the game for them."]


def test_too_many_tries_are_no_permission() -> None:
    desk = Desk(secret=WORDS)
    desk.hear(challenge(), m.Error(error="too_many_tries", detail=""))
    desk.plain.lost(Closed.TOLD)
    assert desk.code == 77
    assert "wait a minute" in desk.complaints[0]


# A locked table -----------------------------------------------------------------------------------


def at_the_door(desk: Desk, order: str = "join 1") -> list[str]:
    desk.type(order)
    request = desk.sent[-1]
    assert isinstance(request, m.Join | m.Watch)
    return desk.hear(challenge(TABLE), m.Refused(re=request.id, reason="locked"))


@pytest.mark.parametrize("order", ["join", "watch"])
def test_a_locked_table_opens_to_its_words(order: str) -> None:
    desk = Desk()
    desk.hear(WELCOME, TABLES)
    assert "It is locked." in desk.lines[-1]
    (line,) = at_the_door(desk, order)
    assert line == "This table is locked. Type its join words, or press Enter to stay out."
    desk.type("green fox rain")
    lines = desk.hear(challenge(TABLE), m.Refused(re=answers(desk)[0].id, reason="wrong_secret"))
    assert lines == ["These are not the join words.", line]
    desk.type(WORDS)
    assert right(answers(desk)[1], challenge(TABLE))
    asked = desk.sent[-2]
    desk.hear(m.Done(re=answers(desk)[1].id))
    again = desk.sent[-1]
    assert isinstance(again, m.Join if order == "join" else m.Watch)
    assert again.table == TABLE
    assert again is not asked
    desk.hear(m.View(view=LOBBY), m.Done(re=again.id))
    assert desk.plain.model.view is not None


def test_an_empty_line_stays_out_of_a_locked_table() -> None:
    desk = Desk()
    desk.hear(WELCOME, TABLES)
    at_the_door(desk, "join")
    desk.type("")
    assert not answers(desk)
    desk.type("tables")
    assert desk.lines[-1].startswith("Table ")


def test_words_that_were_given_open_a_table_by_themselves() -> None:
    desk = Desk(Plan.JOIN, table=TABLE, may_ask=False, secret=WORDS)
    desk.hear(WELCOME, TABLES)
    request = desk.sent[-1]
    assert isinstance(request, m.Join)
    assert desk.hear(challenge(TABLE), m.Refused(re=request.id, reason="locked")) == []
    desk.hear(m.Done(re=answers(desk)[0].id))
    assert isinstance(desk.sent[-1], m.Join)


def test_a_table_can_be_made_locked() -> None:
    desk = greeted()
    made = desk.asked("make Our table cacho words=Blue-Fox-Rain turn_seconds=30")
    assert isinstance(made, m.Make)
    assert (made.name, made.preset, made.options) == ("Our table", "cacho", {"turn_seconds": 30})
    assert made.lock is not None
    assert made.lock.key == lock.make_key(WORDS, made.lock.salt)
    assert desk.type("make Ours words=abc") == ["Join words have at least 6 letters."]
    assert any("words=" in line for line in plain_words.help_lines())


# What is kept -------------------------------------------------------------------------------------


def test_kept_words_are_their_owners_alone_and_can_be_forgotten(tmp_path: Path) -> None:
    kept = KeptWords(tmp_path / "new" / "join_words.json")
    other = Address("Kitchen.local", 7654)
    kept.keep(HERE, WORDS)
    kept.keep(other, "é 李")
    file = tmp_path / "new" / "join_words.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert KeptWords(file).recall(Address("KITCHEN.local", 7654, 3)) == "é 李"
    assert kept.recall(Address("127.0.0.1", 7655)) == ""
    assert kept.forget(HERE)
    assert not kept.forget(HERE)
    assert kept.recall(HERE) == ""
    assert kept.recall(other) == "é 李"
    os.chmod(file, 0o644)
    assert kept.recall(other) == "é 李"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600, "closed when it is read"
    kept.keep(HERE, WORDS)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert sorted(path.name for path in file.parent.iterdir()) == ["join_words.json"]


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", '{"localhost 7654": 5}', '{"localhost 7654": "blue fox"}', "[" * 5000, "\x00"],
)
def test_a_damaged_file_keeps_nothing(tmp_path: Path, text: str) -> None:
    file = tmp_path / "join_words.json"
    file.write_text(text)
    assert KeptWords(file).recall(HERE) == ""
    KeptWords(file).keep(HERE, WORDS)
    assert json.loads(file.read_text()) == {"localhost 7654": {"words": WORDS, "line": "plain"}}


@pytest.mark.parametrize(
    ("kept_on", "shown", "same"),
    [
        (b"", b"", True),
        (b"c" * 32, b"c" * 32, True),
        (b"c" * 32, b"", False),
        (b"c" * 32, b"d" * 32, False),
        (b"", b"d" * 32, False),
    ],
)
def test_words_are_said_by_themselves_only_on_the_line_they_were_kept_on(
    tmp_path: Path, kept_on: bytes, shown: bytes, same: bool
) -> None:
    file = tmp_path / "words"
    for certificate in (kept_on, shown):
        desk = Desk()
        desk.certificate = certificate
        desk.plain.gate.begin(HERE)
        desk.plain.gate.kept = KeptWords(file)
        desk.hear(challenge())
        if not file.exists():
            assert not answers(desk)
            desk.type(WORDS)
            let_in(desk)
            desk.type("yes")
    assert len(answers(desk)) == same
    assert desk.plain.gate.asking is not same


def test_an_answer_is_made_by_itself_three_times_and_no_more() -> None:
    """A server could ask for the words of ever new tables, and each key takes a while to make."""
    desk = Desk(secret=WORDS)
    desk.hear(WELCOME, TABLES)
    for table in range(1, 8):
        if not desk.plain.gate.asking:
            desk.type(f"join {TABLE}")
            request = desk.sent[-1]
            assert isinstance(request, m.Join)
            desk.hear(challenge(table), m.Refused(re=request.id, reason="locked"))
            desk.hear(m.Refused(re=answers(desk)[-1].id, reason="no_table"))
    assert desk.plain.gate.asking
    assert len(answers(desk)) == 3


def test_without_a_file_of_settings_nothing_is_kept(tmp_path: Path) -> None:
    kept = KeptWords.beside(Path())
    kept.keep(HERE, WORDS)
    assert kept.recall(HERE) == ""
    beside = KeptWords.beside(tmp_path / "client.toml")
    beside.keep(HERE, WORDS)
    assert (tmp_path / "join_words.json").exists()
