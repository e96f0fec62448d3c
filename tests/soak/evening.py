"""What scripted players keep of an evening, and what they share."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from perudo_protocol import messages as m
from perudo_protocol.story import AnyEvent
from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import Bid, Call

from .witness import Facts

if TYPE_CHECKING:
    from .player import Scripted


class Told(NamedTuple):
    """Something that a player was told of the public story: a fresh picture, or one step."""

    game: int
    what: TableView | AnyEvent


class Move(NamedTuple):
    """A move in a game, and the place where it is to stand."""

    game: int
    round: int
    number: int
    seat: int
    what: Bid | Call


class Answer(NamedTuple):
    """The answer to a request, and in which seat it was asked for."""

    person: int
    seat: int
    request: m.Request
    reason: str


class Evening(Protocol):
    """What the players share."""

    port: int
    table: int
    """The table to join; 0 while there is none."""
    options: dict[str, bool | int | str]
    pace: float
    """The longest a player thinks, in seconds."""
    facts: Facts

    def wrong(self, what: str) -> None:
        """Hear that a promise was broken."""

    def sent(self, player: Scripted, message: m.FromClient) -> None:
        """Hear that a player says something."""

    def news(self) -> None:
        """Hear that something has happened to a player."""

    def resumed(self, player: Scripted, lost: float) -> None:
        """Hear that a player is back, whose connection was lost then."""

    def may_start(self, view: TableView) -> bool:
        """Say whether the host is to begin the next game."""


def act_of(request: m.Request, seat: int) -> Move | None:
    """Give what an act of a seat does; `None` for a request that is none."""
    what: Bid | Call
    match request:
        case m.PlaceBid(quantity=quantity, face=face):
            what = Bid(quantity, face)
        case m.Dudo():
            what = Call.DUDO
        case m.SpotOn():
            what = Call.SPOT_ON
        case _:
            return None
    return Move(request.game, request.round, request.number, seat, what)
