"""How a round ends, how a seat is left, and what comes next (D19, D32, D40).

The order is that of the rules: leavers' dice go out, who is out, is the game over, who opens, is it
palifico. Nothing is cleared before it has been looked at.
"""

from __future__ import annotations

from perudo_protocol.vocabulary import NO_SEAT, Seat

from .events import Cleared, Event, Left, NextSet, WentOut, Won
from .evolving import evolve, evolve_all
from .state import Game, Stage

Events = tuple[Event, ...]


def settle(game: Game, loser: Seat, opener: Seat) -> Events:
    """End a round whose dice have moved already.

    `loser` is who lost a die in it, or `NO_SEAT`; the next opener is looked for from the seat
    `opener` on.
    """
    story: Events = ()
    if game.gone:
        story = _clear(game)
        game = evolve_all(game, story)
    if 0 in game.dice:
        story += _outs(game)
        playing = game.playing
        if len(playing) == 1:
            return (*story, Won(playing[0]))
    return (*story, NextSet(game.next_from(opener), falls_to_palifico(game, loser)))


def falls_to_palifico(game: Game, loser: Seat) -> bool:
    """Say whether the loss just suffered brings a palifico round (S1.23, S2.25).

    Only the player who lost a die in this round counts, now with exactly one, and still seated; the
    options `palifico` (D21) and `palifico_heads_up` (D22) may forbid it.
    """
    if loser == NO_SEAT or game.dice[loser] != 1 or loser in game.gone:
        return False
    rules = game.rules
    if rules.palifico == "off" or (rules.palifico == "once" and loser in game.palifico_used):
        return False
    return _palifico_fits(game)


def leave(game: Game, seat: Seat) -> Events:
    """Give up a seat that plays, at any stage before the end (D32, D40).

    While a round is bid its dice stay and count; at any other time, and when the game ends by it,
    they go out at once.
    """
    left = Left(seat)
    after = evolve(game, left)
    over = len(after.playing) == 1
    story: Events = (left,)
    if over or game.stage is not Stage.BIDDING:
        story += _clear(after)
    story += (WentOut(seat, len(after.playing) + 1),)
    if over:
        return (*story, Won(after.playing[0]))
    return story + _new_opener(game, after)


def _new_opener(before: Game, after: Game) -> Events:
    """Tell who opens now when a leaver has changed it."""
    if after.stage is Stage.THROWING and len(after.throwing) == 1:
        return (NextSet(after.throwing[0], palifico=False),)
    if after.stage is not Stage.DEALING:
        return ()
    opener = after.next_from(before.opener)
    palifico = before.palifico and opener == before.opener and _palifico_fits(after)
    if (opener, palifico) == (before.opener, before.palifico):
        return ()
    return (NextSet(opener, palifico),)


def _palifico_fits(game: Game) -> bool:
    return game.rules.palifico_heads_up or len(game.playing) > 2


def _clear(game: Game) -> Events:
    return tuple([Cleared(seat) for seat in sorted(game.gone) if game.dice[seat] > 0])


def _outs(game: Game) -> Events:
    """Tell who has just lost the last die; leavers have had their place since they left."""
    place = len(game.playing) + 1
    out = (s for s, dice in enumerate(game.dice) if dice == 0 and game.places[s] == 0)
    return tuple(WentOut(seat, place) for seat in out)
