"""Whole games between players that see only their views, straight on the rules: no server, no wire.

Each seat's view is built from public facts and the seat's own cup, as the server builds it. A move
that the rules refuse, or a game that goes on too long, is an error.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Protocol

from msgspec.structs import replace

from perudo_bot.reading import Reading
from perudo_protocol.ruleset import CHOICES, PRESETS, SWITCH, Ruleset, ruleset, to_wire
from perudo_protocol.views import Placed, SeatView, TableView, Turn
from perudo_protocol.vocabulary import FACES, MAX_SEATS, NO_SEAT, Bid, Call, Phase, Player
from perudo_server.rules.actions import Action, Deal, Draw, Dudo, Leave, PlaceBid, SpotOn, Throw
from perudo_server.rules.game import (
    Game,
    Refused,
    Stage,
    decide,
    evolve_all,
    new_game,
    options_for,
)

MOST_MOVES = 4000
"""No game of bots may take more moves; ten seats of six dice come to some 300."""


class Endless(AssertionError):
    """A game that took more moves than any game should."""


class Chooser(Protocol):
    """Whoever plays a seat in these games."""

    def choose(self, view: TableView) -> Bid | Call:
        """Give the move of a seat in turn."""

    def interject(self, view: TableView) -> Call | None:
        """Give a call out of turn, or none."""


class RandomLegal:
    """Plays anything that is legal, calls as often as bids on one face."""

    def __init__(self, rng: random.Random) -> None:
        """Choose by this generator."""
        self._rng = rng

    def choose(self, view: TableView) -> Bid | Call:
        """Give any legal move."""
        options = view.options_for(view.my_seat)
        moves: list[Bid | Call] = []
        for face, least, most in zip(FACES, options.least, options.most, strict=True):
            if least:
                moves.append(Bid(self._rng.randint(least, min(most, least + 2)), face))
        moves += [Call.DUDO] if options.may_dudo else []
        moves += [Call.SPOT_ON] if options.may_spot_on else []
        return self._rng.choice(moves)

    def interject(self, view: TableView) -> Call | None:
        """Never."""
        return None


class LeastRaise:
    """Makes the least raise that its own odds like best, and doubts below one half."""

    def choose(self, view: TableView) -> Bid | Call:
        """Give the least raise, or dudo."""
        options = view.options_for(view.my_seat)
        reading = Reading(view, trust=1.0)
        standing = view.standing
        if options.may_dudo and standing and reading.chance(standing.bid) < 0.5:
            return Call.DUDO
        bids = [Bid(options.least[f - 1], f) for f in FACES if options.least[f - 1]]
        return max(bids, key=reading.chance) if bids else Call.DUDO

    def interject(self, view: TableView) -> Call | None:
        """Never."""
        return None


@dataclass
class Played:
    """How a game went."""

    winner: int
    rounds: int = 0
    bids: int = 0
    calls: dict[tuple[Call, bool], int] = field(default_factory=dict)
    """How often each call was made, and was right."""
    interjected: int = 0

    @property
    def moves(self) -> int:
        """Count bids and calls."""
        return self.bids + sum(self.calls.values())


def any_rules(rng: random.Random) -> Ruleset:
    """Draw a preset or, mostly, a value for every single option."""
    if rng.random() < 0.2:
        return ruleset(rng.choice(list(PRESETS)), {"max_players": MAX_SEATS})
    values: dict[str, object] = {}
    for name, choice in CHOICES.items():
        if choice is SWITCH:
            values[name] = rng.random() < 0.5
        else:
            values[name] = rng.choice(choice.words or range(choice.least, choice.most + 1))
    return ruleset("standard", {**values, "max_players": MAX_SEATS})


def view_for(game: Game, seat: int, wire: dict[str, Any]) -> TableView:
    """Give what this seat sees of a game that is being bid; `wire` is `to_wire` of its rules."""
    return TableView(
        table=1,
        name="table",
        rules=wire,
        rev=0,
        host=1,
        seats=_seats(game.dice),
        phase=Phase.BIDDING,
        game=1,
        round=game.round,
        opener=game.opener,
        palifico=game.palifico,
        ladder=tuple(Placed(rung.seat, rung.bid) for rung in game.ladder),
        turn=_turn(game),
        you=seat + 1,
        hand=game.cups[seat],
    )


@lru_cache
def _seats(dice: tuple[int, ...]) -> tuple[SeatView, ...]:
    return tuple(SeatView(f"Bot {n}", Player.BOT, n + 1, have) for n, have in enumerate(dice))


def _turn(game: Game) -> Turn:
    any_may = "any" in (game.rules.dudo_by, game.rules.spot_on_by)
    offers = {s: options_for(game, s) for s in (game.playing if any_may else (game.turn,))}
    mine = offers[game.turn]
    return Turn(
        game.turn,
        0,
        mine.least,
        mine.most,
        tuple(seat for seat, offer in offers.items() if offer.may_dudo),
        tuple(seat for seat, offer in offers.items() if offer.may_spot_on),
    )


def play_out(
    rules: Ruleset, seats: Sequence[Chooser], rng: random.Random, leaving: float = 0.0
) -> Played:
    """Play a game to its end; `leaving` is the chance at each move that somebody goes for good.

    Raises `AssertionError` for a move that is refused and `Endless` past `MOST_MOVES`.
    """
    game = new_game(rules, len(seats))
    wire = to_wire(rules)
    played = Played(NO_SEAT)
    while game.stage is not Stage.OVER:
        if game.stage is not Stage.BIDDING:
            game = _do(game, _dice(game, rng))
            continue
        if leaving and rng.random() < leaving:
            game = _do(game, Leave(rng.choice(game.playing)))
            continue
        action = _move(game, seats, wire, rng)
        _note(played, game, action)
        game = _do(game, action)
        if played.moves > MOST_MOVES:
            raise Endless(f"{played} under {rules.changes()}")
    played.winner = game.winner
    played.rounds = game.round
    return played


def _dice(game: Game, rng: random.Random) -> Action:
    if game.stage is Stage.DEALING:
        return Deal(tuple(tuple(rng.choices(FACES, k=dice)) for dice in game.dice))
    if game.throwing:
        return Throw(tuple((seat, rng.choice(FACES)) for seat in game.throwing))
    return Draw(rng.choice(game.playing))


def _move(game: Game, seats: Sequence[Chooser], wire: dict[str, Any], rng: random.Random) -> Action:
    seen = view_for(game, game.turn, wire)
    assert seen.turn is not None
    callers = (set(seen.turn.dudo) | set(seen.turn.spot_on)) - {game.turn}
    for seat in rng.sample(sorted(callers), len(callers)):
        call = seats[seat].interject(replace(seen, you=seat + 1, hand=game.cups[seat]))
        if call is not None:
            return _action(seat, call)
    return _action(game.turn, seats[game.turn].choose(seen))


def _action(seat: int, choice: Bid | Call) -> Action:
    match choice:
        case Bid():
            return PlaceBid(seat, choice)
        case Call.DUDO:
            return Dudo(seat)
        case Call.SPOT_ON:
            return SpotOn(seat)


def _note(played: Played, game: Game, action: Action) -> None:
    if isinstance(action, PlaceBid):
        played.bids += 1
    elif isinstance(action, (Dudo, SpotOn)):
        events = decide(game, action)
        assert not isinstance(events, Refused), (events, action)
        call = Call.DUDO if isinstance(action, Dudo) else Call.SPOT_ON
        right = bool(getattr(events[0], "right", False))
        played.calls[call, right] = played.calls.get((call, right), 0) + 1
        played.interjected += action.seat != game.turn


def _do(game: Game, action: Action) -> Game:
    events = decide(game, action)
    assert not isinstance(events, Refused), f"{action} was refused as {events} in {game}"
    return evolve_all(game, events)
