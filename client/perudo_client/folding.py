"""One update's events folded over the view, and told as happenings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from perudo_protocol import views as v
from perudo_protocol.errors import BadMessage
from perudo_protocol.views import AnyEvent, TableView, fold

from . import happenings as h
from .guard import checked, settled


def fold_story(view: TableView, events: Sequence[AnyEvent]) -> tuple[TableView, list[h.Happening]]:
    """Give the view after the events, and what happened, in their order.

    A call and the dice that it costs or wins are one `Revealed`. Raises `BadMessage` for events
    that cannot follow this view.
    """
    happened: list[h.Happening] = []
    for event in events:
        before = view
        view = _folded(before, event)
        latest = happened[-1] if happened else None
        if isinstance(latest, h.Revealed) and isinstance(event, v.DieLost | v.DieGained):
            happened[-1] = h.Revealed(view)
        else:
            happened.extend(_told(before, event, view))
    return view, happened


def _folded(view: TableView, event: AnyEvent) -> TableView:
    seat = getattr(event, "seat", 0)
    if isinstance(event, v.Called) and view.standing is None:
        raise BadMessage("a call without a bid")
    if not isinstance(event, v.People) and not 0 <= seat < len(view.seats):
        raise BadMessage("a seat that does not exist")
    after = fold(view, event)
    return settled(after) if isinstance(event, v.People) else checked(after)


def _told(before: TableView, event: AnyEvent, view: TableView) -> list[h.Happening]:
    match event:
        case v.People():
            return [h.PeopleChanged(view, before)]
        case v.Ready(seat, ready):
            return [h.ReadyChanged(view, seat, ready)]
        case v.Started():
            return [h.GameStarted(view)]
        case v.Thrown():
            return [h.ThrownForStart(view)]
        case v.NextSet():
            return [h.NextOpener(view)]
        case v.Dealt():
            return [h.NewRound(view)]
        case v.TurnSet(seat):
            if before.turn is not None and before.turn.seat == seat:
                return []  # what may be done has changed, not whose turn it is
            return [h.YourTurn(view) if seat == view.my_seat else h.TurnPassed(view, seat)]
        case v.BidPlaced():
            return [h.BidMade(view, view.ladder[-1])]
        case v.TimedOut(seat):
            return [h.TimeUp(view, seat)]
        case v.Called():
            return [h.Revealed(view)]
        case v.DieLost(seat):
            return [h.DiceMoved(view, seat, gained=False)]
        case v.DieGained(seat):
            return [h.DiceMoved(view, seat, gained=True)]
        case v.SeatLeft(seat):
            return [h.SeatGivenUp(view, seat, before.seats[seat])]
        case v.DiceCleared(seat):
            return [h.DiceGone(view, seat)]
        case v.WentOut(seat, place):
            return [h.WentOutOfGame(view, seat, place)]
        case v.Won():
            return [h.GameOver(view)]
        case _:
            assert_never(event)
