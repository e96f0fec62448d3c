"""The words of the game as plain values: face, bid, call, options, refusal.

Standard library only, so that the rules can stand on nothing but this. The clauses named
(S1.n, S2.n, Dn) are those of the rules that `README.md` explains.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

ACE = 1
"""The wild face, the *Paco*."""

FACES = (1, 2, 3, 4, 5, 6)
"""Every face of a die, aces first."""

NO_SEAT = -1
"""Stands where a seat number is expected and there is none."""

Seat = int
"""A place at the table, counted from 0 clockwise."""

Dice = tuple[int, ...]
"""The dice under one cup, faces 1-6, in the order in which they fell."""

MAX_SEATS = 10
"""No table seats more than ten (D27)."""

_BID = r"([0-9]{1,3})\s*[x×*]\s*([1-6])"


class Bid(NamedTuple):
    """A claim that at least `quantity` of all dice in play show `face` (S1.4, S2.8).

    `quantity` is from 1 to the number of dice in play (D4), `face` from 1 to 6 (D5); the value
    itself checks neither, since the server must be able to hold what a player sent.
    """

    quantity: int
    face: int

    def __str__(self) -> str:
        """Give the short form that is also read by `parse`: `5x4` is five fours."""
        return f"{self.quantity}x{self.face}"

    @classmethod
    def parse(cls, text: str) -> Bid:
        """Read `5x4` (also `5 x 4`, `5×4`, `5*4`); raise `ValueError` for anything else."""
        found = re.fullmatch(_BID, text.strip())
        if found is None:
            raise ValueError(f"{text!r} is not a bid; write how many and which face, as in 5x4")
        return cls(int(found[1]), int(found[2]))


class Call(StrEnum):
    """The two ways to answer a bid without raising it (S1.17, S2.20, S2.21)."""

    DUDO = "dudo"
    SPOT_ON = "spot_on"


class Refusal(StrEnum):
    """Why the rules refuse an act. The words are part of the protocol and never change."""

    NOT_PLAYING = "not_playing"
    """The seat has no dice, has left, or no round is being bid (S1.20, D32)."""
    NOT_YOUR_TURN = "not_your_turn"
    """Somebody else is in turn (S1.8, D11)."""
    OUT_OF_RANGE = "out_of_range"
    """Not two whole numbers, a quantity below one, or no such face (D5)."""
    ABOVE_TABLE = "above_table"
    """More dice than are in play (D4)."""
    ACES_OPENING = "aces_opening"
    """A normal round never opens on aces (S1.10, D9)."""
    NOT_HIGHER = "not_higher"
    """The bid does not outrank the standing one (D3, D7, D8)."""
    FACE_LOCKED = "face_locked"
    """The face never changes in palifico (S1.25, D23)."""
    DISABLED = "disabled"
    """This table plays without spot-on (D12)."""
    NO_BID = "no_bid"
    """There is no bid to call yet (D11, D14)."""
    OWN_BID = "own_bid"
    """Nobody calls their own bid (D11)."""
    STALE = "stale"
    """The act answers a bid that is no longer the standing one (D34)."""
    NOT_IN_PALIFICO = "not_in_palifico"
    """No spot-on in palifico (D17)."""
    NOT_HEADS_UP = "not_heads_up"
    """No spot-on with two players left (D18)."""


class Options(NamedTuple):
    """What one seat may do now, judged once by the server.

    `least` and `most` hold, for each face from ace to six, the bounds of the legal quantities, both
    inclusive; 0 in both where no bid on that face is legal.
    """

    least: tuple[int, ...] = (0, 0, 0, 0, 0, 0)
    most: tuple[int, ...] = (0, 0, 0, 0, 0, 0)
    may_dudo: bool = False
    may_spot_on: bool = False

    def allows(self, bid: Bid) -> bool:
        """Say whether this bid is legal: true exactly when the rules accept it."""
        quantity, face = bid
        if face not in FACES:
            return False
        return 0 < self.least[face - 1] <= quantity <= self.most[face - 1]

    @property
    def may_bid(self) -> bool:
        """Say whether any bid at all is legal; at the top of the ladder none is (D10)."""
        return any(self.least)


NO_OPTIONS = Options()
"""Nothing to do: somebody else's turn, or no round is being bid."""


class Phase(StrEnum):
    """Where a table stands in its life."""

    LOBBY = "lobby"
    """Nobody plays yet: seats are taken and left, bots added, the host starts."""
    THROW = "throw"
    """The throw for who begins is shown (S1.5, S2.6)."""
    BIDDING = "bidding"
    """Cups are down, a round is being bid."""
    REVEAL = "reveal"
    """A call was made, all dice of the round are open; the next round comes."""
    OVER = "over"
    """One player has dice left, or only one is left at all."""


class Player(StrEnum):
    """Who plays a seat."""

    PERSON = "person"
    BOT = "bot"
    """A bot from the start."""
    STAND_IN = "stand_in"
    """A bot that plays on for a person who has gone (D32, `on_leave: bot`)."""
    NOBODY = "nobody"
    """The person has gone and nobody plays on (D32, `on_leave: ghost`; or after the game)."""


PHRASES = (
    "hello",
    "good_luck",
    "well_played",
    "nice_bluff",
    "no_way",
    "really",
    "thinking",
    "hurry_up",
    "oops",
    "thanks",
    "again",
    "goodbye",
)
"""Quick phrases for the chat; each client words them in its player's language."""
