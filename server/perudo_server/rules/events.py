"""What happened in a game. A game is the fold of its events (`evolve`), and nothing else.

`decide` tells one act as several events in a fixed order, so that a reader of them needs no rules:
`Called`, then the dice that move, `Cleared` for leavers, `WentOut`, and last `Won` or `NextSet`.
"""

from __future__ import annotations

from perudo_protocol.vocabulary import Bid, Call, Dice, Seat

from .counting import veiled
from .values import Value


class Thrown(Value, frozen=True):
    """Each of these seats threw one open die for who begins (S1.5, S2.6)."""

    rolls: tuple[tuple[Seat, int], ...]


class NextSet(Value, frozen=True):
    """Who opens the coming round, and whether it is palifico; told again when that changes."""

    opener: Seat
    palifico: bool


class Dealt(Value, frozen=True):
    """A round begins: these dice lie under the cups, one hand a seat (S1.6, S2.7)."""

    cups: tuple[Dice, ...]

    def __repr__(self) -> str:
        """Say how many dice lie under each cup, never which."""
        return f"Dealt(cups={veiled(self.cups)})"


class BidPlaced(Value, frozen=True):
    """A seat bids, and the turn passes (S1.8)."""

    seat: Seat
    bid: Bid


class TimedOut(Value, frozen=True):
    """A seat's time is up; what it then does by rule follows (D33)."""

    seat: Seat


class Called(Value, frozen=True):
    """A seat calls the standing bid and all cups are lifted (S1.17, S2.19, S2.21).

    `count` is how many dice matched, `right` whether the caller was right.
    """

    seat: Seat
    call: Call
    count: int
    right: bool


class DieLost(Value, frozen=True):
    """A seat loses a die (S1.18, S2.19, D19)."""

    seat: Seat


class DieGained(Value, frozen=True):
    """A seat regains a die by spot-on (S2.23, D16)."""

    seat: Seat


class Left(Value, frozen=True):
    """A seat is given up; in mid-round its dice stay hidden and count until the end (D32)."""

    seat: Seat


class Cleared(Value, frozen=True):
    """The dice of a seat that was given up go out (D32)."""

    seat: Seat


class WentOut(Value, frozen=True):
    """A seat is out of the game, in this place, counted from the winner's 1 (S1.20, D40)."""

    seat: Seat
    place: int


class Won(Value, frozen=True):
    """One seat is left: it wins, and the game is over (S1.21, S2.29)."""

    seat: Seat


Event = (
    Thrown
    | NextSet
    | Dealt
    | BidPlaced
    | TimedOut
    | Called
    | DieLost
    | DieGained
    | Left
    | Cleared
    | WentOut
    | Won
)
"""Everything that can happen."""
