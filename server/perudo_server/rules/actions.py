"""What may be done to a game: acts of players, and dice and time, which come from outside too.

The rules hold no generator and no clock. The shell throws the dice and watches the time, and says
so with `Throw`, `Draw`, `Deal` and `TimeUp`; so a game is nothing but a fold of its events. A
player's act may be refused; a shell's act that does not fit is a programming error.
"""

from __future__ import annotations

from perudo_protocol.vocabulary import Bid, Dice, Seat

from .counting import veiled
from .values import Value


class Throw(Value, frozen=True):
    """From the dice: one open die for each seat in `Game.throwing`, for who begins (D26)."""

    rolls: tuple[tuple[Seat, int], ...]


class Draw(Value, frozen=True):
    """From the dice: this seat begins, drawn by lot (option `first_player: random`)."""

    seat: Seat


class Deal(Value, frozen=True):
    """From the dice: everybody has thrown in secret (S1.6, S2.7).

    `cups` has one hand a seat, each with as many dice as the seat has, empty for none.
    """

    cups: tuple[Dice, ...]

    def __repr__(self) -> str:
        """Say how many dice lie under each cup, never which."""
        return f"Deal(cups={veiled(self.cups)})"


class PlaceBid(Value, frozen=True):
    """A seat bids (S1.8, S2.8).

    `answers` is the number of bids on the ladder that the act answers, 0 for an opening bid;
    `None` leaves that unchecked (D34).
    """

    seat: Seat
    bid: Bid
    answers: int | None = None


class Dudo(Value, frozen=True):
    """A seat doubts the standing bid (S1.17, S2.19); `answers` as in `PlaceBid`."""

    seat: Seat
    answers: int | None = None


class SpotOn(Value, frozen=True):
    """A seat claims that the standing bid is exactly right (S2.21); `answers` as in `PlaceBid`."""

    seat: Seat
    answers: int | None = None


class Leave(Value, frozen=True):
    """A seat is given up for good and nobody plays on (D32, `on_leave: ghost`)."""

    seat: Seat


class TimeUp(Value, frozen=True):
    """From the clock: the time of the seat in turn is up (D33)."""

    seat: Seat


Action = Throw | Draw | Deal | PlaceBid | Dudo | SpotOn | Leave | TimeUp
"""Everything that `decide` judges."""
