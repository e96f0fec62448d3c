"""Everything that happens at a table has its sentence, people who come and go too."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from perudo_client import happenings as h
from perudo_client import story_words, words
from perudo_client.findings import Without
from perudo_client.people_words import people_lines, player_note, ready_line
from perudo_protocol import messages as m
from perudo_protocol import views as v
from perudo_protocol.vocabulary import FACES, NO_SEAT, PHRASES, Bid, Call, Player
from tests.client.test_base_words import is_sentence
from tests.support import sample_views

# The story ---------------------------------------------------------------------------------------


def test_the_reveal_of_the_sketch() -> None:
    view = sample_views.reveal()
    assert view.reveal is not None
    line = story_words.reveal_line(view, view.reveal)
    assert line == "Duda doubted 6 × [3]: there were 5. Caio loses a die."
    assert story_words.reveal_line(view, view.reveal, words.Style.ASCII).startswith(
        "Duda doubted 6 x [3]:"
    )


@pytest.mark.parametrize("mine", [0, 1, NO_SEAT])
@pytest.mark.parametrize("call", list(Call))
@pytest.mark.parametrize("count", [0, 1, 5])
@pytest.mark.parametrize(
    ("lost", "gained"), [((0,), ()), ((1,), ()), ((0,), (1,)), ((), (1,)), ((), ())]
)
def test_every_reveal_is_told(
    mine: int, call: Call, count: int, lost: tuple[int, ...], gained: tuple[int, ...]
) -> None:
    names = ("Ana", "Bia")
    seats = tuple(v.SeatView(name, Player.PERSON, n + 1) for n, name in enumerate(names))
    reveal = v.Reveal(1, call, 0, Bid(2, 4), count, False, ((4,), (2,)), False, lost, gained)
    view = v.TableView(
        table=1, name="T", rules={}, rev=1, host=1, seats=seats, reveal=reveal, you=mine + 1
    )
    for style in words.Style:
        line = story_words.reveal_line(view, reveal, style)
        assert is_sentence(line)
        assert ("You" in line) == (mine in (1, *lost, *gained))
        assert str(count) in line
        assert line.count("die") == max(1, len(lost)) + len(gained)


def test_bids_in_three_styles() -> None:
    assert [words.bid_text(Bid(5, 4), style) for style in words.Style] == [
        "5 × [4]",
        "5 x [4]",
        "5 fours",
    ]
    assert words.many_of(1, 1) == "1 ace"
    assert [words.face_plural(face) for face in FACES] == [
        words.many_of(2, face).removeprefix("2 ") for face in FACES
    ]
    assert words.dice_text((1, 2)) == "[1] [2]"
    assert words.dice_text((1, 2), words.Style.WORDS) == "1, 2"


def test_every_phrase_is_worded() -> None:
    assert all(words.phrase_text(phrase) != phrase for phrase in PHRASES)
    assert words.phrase_text("new_one") == "new_one"


def everything_that_happens() -> list[h.Happening]:
    six, over, lobby = sample_views.six(), sample_views.over(), sample_views.lobby()
    reveal, throw = sample_views.reveal(), sample_views.throw()
    welcome = m.Welcome(version=1, server="s", name="Home", person=1, you="Ana", now=1)
    return [
        h.Welcomed(welcome),
        h.WordsWanted(m.Challenge(table=1, salt=bytes(32), nonce=bytes(32), cost=14)),
        h.TablesChanged(),
        h.Arrived(six),
        h.LeftTable("left", six),
        h.PeopleChanged(lobby, replace(lobby, watchers=())),
        h.ReadyChanged(lobby, 1, True),
        h.GameStarted(six),
        h.ThrownForStart(throw),
        h.NextOpener(throw),
        h.NewRound(six),
        h.HandDealt(six, six.hand),
        h.TurnPassed(six, 1),
        h.YourTurn(six),
        h.BidMade(six, six.ladder[0]),
        h.TimeUp(six, 2),
        h.MoreTimeTaken(six, 2),
        h.MoreTimeTaken(six, 5),
        h.PauseChanged(six),
        h.PauseChanged(replace(six, paused=60_000)),
        h.StorageChanged(True),
        h.StorageChanged(False),
        h.CameBack(0.4),
        h.CameBack(12.0),
        h.NotWaitedFor(True),
        h.Revealed(reveal),
        h.DiceMoved(six, 1, True),
        h.DiceMoved(six, 1, False),
        h.SeatGivenUp(six, 1, six.seats[1]),
        h.DiceGone(six, 1),
        h.WentOutOfGame(six, 1, 4),
        h.GameOver(over),
        h.DiceProven(six, Without(7)),
        h.ChatSaid(3, "Bia", "hi", "", False),
        h.ChatSaid(3, "Bia", "", "oops", False),
        h.RequestDone(None),
        h.RequestRefused(None, "stale", "", six),
        h.ErrorHappened("version", "", ()),
        h.ServerBye("dead"),
        h.SentOn(m.Redirect(place="192.168.1.21:7654")),
    ]


QUIET = (
    h.Welcomed,
    h.WordsWanted,
    h.TablesChanged,
    h.Arrived,
    h.LeftTable,
    h.HandDealt,
    h.TurnPassed,
    h.YourTurn,
    h.DiceProven,
    h.RequestDone,
    h.RequestRefused,
    h.ErrorHappened,
    h.ServerBye,
    h.SentOn,
    h.NotWaitedFor,
)
"""What the story does not tell, since the screen shows it by itself."""


def test_every_happening_is_told_or_known_to_be_quiet() -> None:
    seen = set()
    for happening in everything_that_happens():
        lines = story_words.story(happening)
        seen.add(type(happening))
        assert bool(lines) != isinstance(happening, QUIET), happening
        for line in lines:
            assert is_sentence(line) or isinstance(happening, h.ChatSaid)
    assert seen == set(h.Happening.__args__)


def test_names_with_braces_stay_as_they_are() -> None:
    view = sample_views.six()
    seats = (replace(view.seats[0], name="{bid} {0}"), *view.seats[1:])
    line = story_words.bid_line(replace(view, seats=seats), v.Placed(0, Bid(2, 4)))
    assert line == "{bid} {0} bids 2 × [4]."


def test_ones_own_acts_are_told_to_you() -> None:
    view = sample_views.six(mine=5)
    assert story_words.bid_line(view, v.Placed(5, Bid(2, 4))) == "You bid 2 × [4]."
    assert story_words.winner_line(sample_views.over()) == "You win the game."
    assert words.seat_name(view, 5) == "you"
    assert words.turn_line(view) == "It is your turn."
    assert words.turn_line(sample_views.waiting()) == "It is Caio's turn."


def test_a_round_of_palifico_says_so() -> None:
    line = story_words.round_line(sample_views.palifico())
    assert line.startswith("Palifico! Round 9")
    assert "aces are not wild" in line


# People ------------------------------------------------------------------------------------------


def at(*seats: v.SeatView, host: int = 1, watchers: tuple[v.Person, ...] = ()) -> v.TableView:
    return v.TableView(
        table=1, name="T", rules={}, rev=1, host=host, seats=seats, watchers=watchers, you=1
    )


ANA = v.SeatView("Ana", Player.PERSON, 1)
BO = v.SeatView("Bo", Player.PERSON, 2)
CUP = v.SeatView("Cup", Player.BOT, 3)


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        (at(ANA), at(ANA, BO), ["Bo takes a seat."]),
        (at(ANA), at(ANA, CUP), ["Cup, a bot, takes a seat."]),
        (at(ANA, CUP), at(ANA), ["Cup, a bot, has gone."]),
        (at(ANA, BO), at(ANA), ["Bo has left."]),
        (at(ANA), at(ANA, watchers=(v.Person(2, "Bo"),)), ["Bo watches."]),
        (at(ANA, watchers=(v.Person(2, "Bo"),)), at(ANA, BO), ["Bo takes a seat."]),
        (at(ANA, watchers=(v.Person(2, "Bo"),)), at(ANA), ["Bo watches no longer."]),
        (at(ANA, BO), at(ANA, BO, host=2), ["Bo is the host now."]),
        (at(ANA, BO, host=2), at(ANA, host=1), ["Bo has left.", "You are the host now."]),
        (at(ANA), at(watchers=(v.Person(1, "Ana"),)), ["You watch now."]),
        (at(watchers=(v.Person(1, "Ana"),)), at(ANA), ["You take a seat."]),
        (
            at(ANA, BO),
            at(ANA, v.SeatView("Bo", Player.STAND_IN, 9)),
            ["Bo has left. A bot plays on."],
        ),
        (
            at(ANA),
            at(ANA, watchers=(v.Person(2, "Bo", waiting=True),)),
            ["Bo watches, and takes a seat in the next game."],
        ),
        (at(ANA, BO), at(ANA, BO), []),
    ],
)
def test_who_came_and_who_went(before: v.TableView, after: v.TableView, lines: list[str]) -> None:
    assert people_lines(before, after) == lines


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        (at(ANA, BO), at(ANA), ["The host has sent Bo away."]),
        (at(ANA, watchers=(v.Person(2, "Bo"),)), at(ANA), ["The host has sent Bo away."]),
        (
            at(ANA, BO),
            at(ANA, v.SeatView("Bo", Player.STAND_IN, 9)),
            ["The host has sent Bo away. A bot plays on."],
        ),
        (
            at(ANA, replace(BO, away=5000)),
            at(ANA, v.SeatView("Bo", Player.STAND_IN, 9)),
            ["The host has sent Bo away. A bot plays on."],
        ),
        (at(ANA, v.SeatView("Cy", Player.PERSON, 4)), at(ANA), ["Cy has left."]),
    ],
)
def test_who_was_sent_away(before: v.TableView, after: v.TableView, lines: list[str]) -> None:
    assert people_lines(before, after, BO.person) == lines


def test_notes_on_players_and_on_being_ready() -> None:
    assert [player_note(replace(BO, player=player)) for player in Player] == [
        "",
        "bot",
        "stand-in",
        "left",
    ]
    assert ready_line(at(ANA, BO), 0, True) == "You are ready."
    assert ready_line(at(ANA, BO), 1, False) == "Bo is not ready yet."
