"""A game as a value: what the fold of its events is after each of them."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache

from perudo_protocol.ruleset import Ruleset
from perudo_protocol.vocabulary import MAX_SEATS, NO_OPTIONS, NO_SEAT, Bid, Dice, Options, Seat

from .bidding import Ground, grounds_of, offer
from .counting import veiled
from .events import BidPlaced
from .values import Value, replace


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


THROWING, DEALING, BIDDING, OVER = Stage
"""The stages under names of their own: to find one in `Stage` takes longer than to make a value."""


class Game(Value, frozen=True):
    """A whole game at one moment; built by `new_game` and `evolve` alone.

    Cups and ladder stay as they were after a call, until the next deal; `dice` already tells who
    has how many then. The last three fields follow from the others: see `prepared`.
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
    ladder: tuple[BidPlaced, ...] = ()
    """The bids of the round, lowest first."""
    circle: tuple[Seat, ...] = ()
    """Who follows whom while the round is bid: for each seat the next that is in (S1.8)."""
    grounds: tuple[Ground, ...] = ()
    """On what ground each seat bids in this round."""
    options: Options = NO_OPTIONS
    """What the seat in turn may do."""

    def __repr__(self) -> str:
        """Say everything but the dice, so that no log and no error can tell them."""
        known = [
            f"{name}={veiled(self.cups) if name == 'cups' else repr(getattr(self, name))}"
            for name in self.__struct_fields__
        ]
        return f"Game({', '.join(known)})"

    @property
    def playing(self) -> tuple[Seat, ...]:
        """The seats still in: with dice and not given up, in clockwise order."""
        return playing(self.dice, self.gone)

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
        return circle(self.dice, self.gone)[seat]


@lru_cache(maxsize=256)
def playing(dice: tuple[int, ...], gone: frozenset[Seat]) -> tuple[Seat, ...]:
    """Give the seats that have dice and were not given up, in clockwise order."""
    return tuple([seat for seat, number in enumerate(dice) if number and seat not in gone])


@lru_cache(maxsize=256)
def circle(dice: tuple[int, ...], gone: frozenset[Seat]) -> tuple[Seat, ...]:
    """Give for each seat the next one clockwise that is still in; `NO_SEAT` when none is."""
    inside = playing(dice, gone)
    first = inside[0] if inside else NO_SEAT
    after = [[other for other in inside if other > seat] for seat in range(len(dice))]
    return tuple([others[0] if others else first for others in after])


def laid_out(
    game: Game, turn: Seat, standing: Bid | None
) -> tuple[tuple[Seat, ...], tuple[Ground, ...], Options]:
    """Give `circle`, `grounds` and `options` of a round in which this seat is in turn.

    The first two hold until somebody is dealt dice or leaves, so that a bid need not ask for them.
    """
    dice, gone = game.dice, game.gone
    grounds = grounds_of(game.rules, game.palifico, dice, len(playing(dice, gone)))
    return circle(dice, gone), grounds, offer(grounds[turn], standing)


def prepared(game: Game) -> Game:
    """Give the game with what follows from its other fields."""
    if not game.plays(game.turn):
        return replace(game, circle=(), grounds=(), options=NO_OPTIONS)
    around, grounds, options = laid_out(game, game.turn, game.standing)
    return replace(game, circle=around, grounds=grounds, options=options)


def put(values: tuple[int, ...], seat: Seat, value: int) -> tuple[int, ...]:
    """Give values, one for each seat, with another one for this seat."""
    changed = list(values)
    changed[seat] = value
    return tuple(changed)


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
