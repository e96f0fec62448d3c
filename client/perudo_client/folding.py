"""One update's events folded over the view, and told as happenings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, assert_never

from perudo_protocol import story as ev
from perudo_protocol.errors import BadMessage
from perudo_protocol.story import AnyEvent, fold
from perudo_protocol.views import TableView

from . import happenings as h
from .guard import followed, settled


class Step(NamedTuple):
    """One event, and the view before and after it."""

    before: TableView
    event: AnyEvent
    after: TableView


def fold_steps(view: TableView, events: Sequence[AnyEvent]) -> list[Step]:
    """Fold events over a view one by one; raises `BadMessage` for those that cannot follow it."""
    steps: list[Step] = []
    for event in events:
        after = _folded(view, event)
        steps.append(Step(view, event, after))
        view = after
    return steps


def happenings(steps: Sequence[Step], untold: frozenset[str] = frozenset()) -> list[h.Happening]:
    """Give what happened, in order; nobody was told that those in `untold` are away.

    A call and the dice that it costs or wins are one `Revealed`.
    """
    happened: list[h.Happening] = []
    for before, event, view in steps:
        latest = happened[-1] if happened else None
        if isinstance(latest, h.Revealed) and isinstance(event, ev.DieLost | ev.DieGained):
            happened[-1] = h.Revealed(view)
        else:
            happened.extend(_told(before, event, view, untold))
    return happened


def _folded(view: TableView, event: AnyEvent) -> TableView:
    seat = getattr(event, "seat", 0)
    if isinstance(event, ev.Called) and view.standing is None:
        raise BadMessage("a call without a bid")
    if not isinstance(event, ev.People) and not 0 <= seat < len(view.seats):
        raise BadMessage("a seat that does not exist")
    after = fold(view, event)
    return settled(view, after) if isinstance(event, ev.People) else followed(after, event)


def _told(
    before: TableView, event: AnyEvent, view: TableView, untold: frozenset[str]
) -> list[h.Happening]:
    match event:
        case ev.People(sent_away=person):
            return [h.PeopleChanged(view, before, person, untold)]
        case ev.Ready(seat, ready):
            return [h.ReadyChanged(view, seat, ready)]
        case ev.Started():
            return [h.GameStarted(view)]
        case ev.Thrown():
            return [h.ThrownForStart(view)]
        case ev.NextSet():
            return [h.NextOpener(view)]
        case ev.Committed() | ev.Opened():
            return []
        case ev.Dealt():
            return [h.NewRound(view)]
        case ev.TurnSet(seat):
            if before.turn is not None and before.turn.seat == seat:
                return []  # what may be done has changed, not whose turn it is
            return [h.YourTurn(view) if seat == view.my_seat else h.TurnPassed(view, seat)]
        case ev.BidPlaced():
            return [h.BidMade(view, view.ladder[-1])]
        case ev.TimedOut(seat):
            return [h.TimeUp(view, seat)]
        case ev.TimeGiven(seat):
            return [h.MoreTimeTaken(view, seat)]
        case ev.Paused():
            return [h.PauseChanged(view)]
        case ev.Called():
            return [h.Revealed(view)]
        case ev.DieLost(seat):
            return [h.DiceMoved(view, seat, gained=False)]
        case ev.DieGained(seat):
            return [h.DiceMoved(view, seat, gained=True)]
        case ev.SeatLeft(seat):
            return [h.SeatGivenUp(view, seat, before.seats[seat])]
        case ev.DiceCleared(seat):
            return [h.DiceGone(view, seat)]
        case ev.WentOut(seat, place):
            return [h.WentOutOfGame(view, seat, place)]
        case ev.Won():
            return [h.GameOver(view)]
        case _:
            assert_never(event)
