"""A game as a value: what the fold of its events is after each of them."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from perudo_protocol.ruleset import Ruleset
from perudo_protocol.vocabulary import MAX_SEATS, NO_SEAT, Bid, Dice, Seat

from .counting import veiled


class Stage(StrEnum):
    """What a game waits for."""

    THROWING = "throwing"
    """The throw, or the drawing, for who begins."""
    DEALING = "dealing"
    """The next round's dice; between a call and the next deal the last round lies open."""
    BIDDING = "bidding"
    """A bid or a call of a player."""
    OVER = "over"
    """Nothing more."""


class Rung(NamedTuple):
    """One bid of the ladder, and who made it."""

    seat: Seat
    bid: Bid


class Game(NamedTuple):
    """A whole game at one moment; immutable, built by `new_game` and `evolve` alone.

    Cups and ladder stay as they were after a call, until the next deal; `dice` already tells who
    has how many then.

    Fields that change together stand together, last those that change most, so that the next game
    is built by position (`after_bid` and the others): `_replace` takes four times as long.
    """

    rules: Ruleset
    dice: tuple[int, ...]
    """How many dice each seat has, those of leavers included until the round ends (D32)."""
    cups: tuple[Dice, ...]
    """What lies, or last lay, under each cup."""
    round: int = 0
    """Counts the deals; 0 before the first."""
    palifico_used: frozenset[Seat] = frozenset()
    """The seats that have opened a palifico round in this game (option `palifico: once`)."""
    gone: frozenset[Seat] = frozenset()
    """The seats that were given up."""
    places: tuple[int, ...] = ()
    """In which place each seat finished; 0 for one still in (D40)."""
    winner: Seat = NO_SEAT
    throwing: tuple[Seat, ...] = ()
    """Who must throw now for the start: all, then those tied highest; none for a drawing."""
    opener: Seat = NO_SEAT
    """Who opens this round; while dealing is awaited, the coming one."""
    palifico: bool = False
    """Whether this round is palifico; while dealing is awaited, the coming one."""
    stage: Stage = Stage.THROWING
    shown: bool = False
    """Whether a call has lifted the cups of this round (D36)."""
    turn: Seat = NO_SEAT
    """Who must bid or call; `NO_SEAT` when nobody must, as no round is being bid."""
    ladder: tuple[Rung, ...] = ()
    """The bids of the round, lowest first."""

    def __repr__(self) -> str:
        """Say everything but the dice, so that no log and no error can tell them."""
        known = (
            f"{name}={veiled(value) if name == 'cups' else repr(value)}"
            for name, value in self._asdict().items()
        )
        return f"Game({', '.join(known)})"

    @property
    def playing(self) -> tuple[Seat, ...]:
        """The seats still in: with dice and not given up, in clockwise order."""
        gone = self.gone
        return tuple([seat for seat, dice in enumerate(self.dice) if dice and seat not in gone])

    @property
    def in_play(self) -> int:
        """How many dice are in play, the limit of every bid (D4)."""
        return sum(self.dice)

    @property
    def standing(self) -> Bid | None:
        """The bid that stands, or `None` before the opening."""
        return self.ladder[-1].bid if self.ladder else None

    @property
    def wild(self) -> bool:
        """Whether aces count for every face in this round (S1.3, S1.24)."""
        return self.rules.wild_aces and not self.palifico

    def plays(self, seat: Seat) -> bool:
        """Say whether this seat is still in; false for any number that is no seat."""
        return 0 <= seat < len(self.dice) and self.dice[seat] > 0 and seat not in self.gone

    def next_from(self, seat: Seat) -> Seat:
        """Give this seat if it is still in, else the next that is, clockwise (S1.20, D19)."""
        return seat if self.plays(seat) else self.next_after(seat)

    def next_after(self, seat: Seat) -> Seat:
        """Give the next seat clockwise that is still in; `NO_SEAT` when none is."""
        dice, gone = self.dice, self.gone
        seats = len(dice)
        for step in range(1, seats + 1):
            other = (seat + step) % seats
            if dice[other] and other not in gone:
                return other
        return NO_SEAT

    def after_bid(self, seat: Seat, bid: Bid) -> Game:
        """Give the game when a seat has bid and the turn has passed (S1.8)."""
        return Game(*self[:-2], self.next_after(seat), (*self.ladder, Rung(seat, bid)))

    def after_call(self) -> Game:
        """Give the game when the cups are lifted (S1.17, S2.19)."""
        return Game(*self[:-4], Stage.DEALING, True, NO_SEAT, self.ladder)

    def with_dice(self, seat: Seat, dice: int) -> Game:
        """Give the game when a seat has so many dice now."""
        return Game(self.rules, put(self.dice, seat, dice), *self[2:])

    def before_deal(self, opener: Seat, palifico: bool) -> Game:
        """Give the game when it is known who opens the coming round."""
        return Game(*self[:-7], (), opener, palifico, Stage.DEALING, *self[-3:])

    def after_deal(self, cups: tuple[Dice, ...]) -> Game:
        """Give the game when the dice of a new round lie under the cups (S1.6, S2.7)."""
        opener, used = self.opener, self.palifico_used
        if self.palifico:
            used |= {opener}
        start = (self.rules, self.dice, cups, self.round + 1, used, self.gone, self.places)
        coming = (self.winner, self.throwing, opener, self.palifico)
        return Game(*start, *coming, Stage.BIDDING, False, opener, ())


def put(values: tuple[int, ...], seat: Seat, value: int) -> tuple[int, ...]:
    """Give values, one for each seat, with another one for this seat."""
    return (*values[:seat], value, *values[seat + 1 :])


class PlayerCountError(ValueError):
    """A game for too few or too many; the text says how many may play."""


def new_game(rules: Ruleset, players: int) -> Game:
    """Begin a game of so many players, each with `start_dice` dice (S1.5, S2.5, D27).

    It waits for the throw for who begins, or for the drawing with `first_player: random`. Raises
    `PlayerCountError` for fewer than two and for more than `max_players`, ten at the very most.
    """
    most = min(rules.max_players, MAX_SEATS)
    if not 2 <= players <= most:
        raise PlayerCountError(f"{players} cannot play; this table seats 2 to {most}")
    return Game(
        rules,
        dice=(rules.start_dice,) * players,
        cups=((),) * players,
        throwing=tuple(range(players)) if rules.first_player == "roll" else (),
        places=(0,) * players,
    )
