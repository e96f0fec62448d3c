"""A malicious server: its texts are cleaned, its nonsense is refused, whatever it says."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from perudo_client import story_words
from perudo_protocol import messages as m
from perudo_protocol import story as ev
from perudo_protocol import views as v
from perudo_protocol.errors import BadMessage
from perudo_protocol.ruleset import ruleset
from perudo_protocol.text import clean
from perudo_protocol.vocabulary import NO_SEAT, Bid, Call, Player
from tests.support.arbitrary import server_messages
from tests.support.model_table import BO, ME, dealt, greeted, lobby, seated, told, turn
from tests.support.sample_messages import SERVER

HOSTILE = (
    "\x1b[2J\x1b]0;owned\x07",
    "a\u202eb\u2066c",
    "zero\u200bwidth\u200d",
    "one\r\ntwo\x9b31m",
    "[red]x[/][@click=app.quit]y",
    "\ud800half",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_every_text_from_others_is_cleaned_at_the_one_door(text: str) -> None:
    """P5: no text from another person moves the cursor, changes colour, title or clipboard."""
    seat, watcher = v.SeatView(text, Player.PERSON, BO), v.Person(8, text)
    tables = next(each for each in SERVER if isinstance(each, m.Tables))
    line = replace(tables.tables[0], name=text)
    model = seated(name=text, seats=(lobby().seats[0], seat), watchers=(watcher,))
    model.apply(m.Welcome(version=1, server=text, name=text, person=ME, you=text, now=0), 100.0)
    model.apply(m.Tables(tables=(line,)), 100.0)
    people = ev.People(ME, (lobby().seats[0], seat), (watcher,))
    told(model, people)
    happened = [
        *model.apply(m.Said(person=BO, name=text, text=text, phrase=text), 100.0),
        *model.apply(m.Refused(re=1, reason=text, detail=text), 100.0),
        *model.apply(m.Error(error=text, detail=text), 100.0),
        *model.apply(m.Bye(reason=text), 100.0),
        *model.apply(m.Away(reason=text), 100.0),
    ]
    for shown in _texts([model.welcome, model.tables, *model.story, *happened]):
        assert shown == clean(shown)
        assert "\x1b" not in shown


def _texts(value: object) -> list[str]:
    """Give every text within a value, however deep."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for item in value.items() for text in _texts(item)]
    if isinstance(value, list | tuple):
        return [text for item in value for text in _texts(item)]
    names: list[str] = []
    for kind in type(value).__mro__:
        names += getattr(kind, "__slots__", ())
    return [text for name in names for text in _texts(getattr(value, name, None))]


@pytest.mark.parametrize(
    "event",
    [
        ev.BidPlaced(9, Bid(1, 2)),
        ev.Called(0, Call.DUDO, 1, True, ((1,), (2,))),
        ev.SeatLeft(9),
        ev.Won(7, ()),
        ev.NextSet(5, False, 0),
        ev.Dealt(1, 4, False),
        turn(3),
        ev.Thrown((v.Throw(8, 1),)),
        ev.Won(0, (v.Tally(0, 0, 0, 0, 0),) * 3),
    ],
    ids=lambda event: type(event).__name__,
)
def test_what_no_honest_server_says_makes_no_sense_and_changes_nothing(event: ev.AnyEvent) -> None:
    model = seated()
    before = model.view
    with pytest.raises(BadMessage):
        told(model, event)
    assert model.view == before


@pytest.mark.parametrize("value", ["sometimes", 9, None])
def test_options_that_cannot_be_make_no_sense(value: object) -> None:
    with pytest.raises(BadMessage):
        greeted().apply(m.View(view=lobby(rules={"palifico": value})), 100.0)


def test_options_of_a_newer_server_are_passed_over() -> None:
    model = seated(rules={"start_dice": 3, "gravity": True})
    assert model.rules == ruleset("standard", {"start_dice": 3})


def test_when_seats_go_after_a_game_its_picture_goes_with_them() -> None:
    model = seated()
    dealt(model)
    told(model, ev.BidPlaced(1, Bid(2, 4)), turn(0))
    told(model, ev.Called(0, Call.DUDO, 0, True, ((1,), (2,))), ev.DieLost(1), ev.Won(1, ()))
    told(model, ev.People(ME, (lobby().seats[0],), ()))
    assert model.view is not None
    assert len(model.view.seats) == 1
    assert (model.view.reveal, model.view.ladder, model.view.winner) == (None, (), NO_SEAT)


def test_seats_do_not_go_while_a_game_is_on() -> None:
    model = seated()
    dealt(model)
    told(model, ev.BidPlaced(1, Bid(2, 4)), turn(0))
    with pytest.raises(BadMessage):
        told(model, ev.People(ME, (lobby().seats[0],), ()))


@settings(max_examples=150)
@given(st.lists(server_messages(), max_size=6))
def test_whatever_a_server_says_only_the_documented_error_comes_out(
    messages: list[m.ServerMessage],
) -> None:
    """And what was taken in can be worded, whatever it was."""
    model = seated()
    for message in messages:
        with suppress(BadMessage):
            for happening in model.apply(message, 1.0):
                for line in story_words.story(happening):
                    assert line == clean(line)
