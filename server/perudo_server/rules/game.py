"""The rules of Perudo as one pure engine: decide, evolve, options.

A game is a value. `decide(game, action)` judges an act and gives what happens as events, or refuses
it with a reason and leaves the game as it was; `evolve(game, event)` folds one event in. Between
them they know no clock, no generator and no network: dice and time come in as actions.

    THROWING --Throw, highest alone; or Draw--> DEALING --Deal--> BIDDING --bid--> BIDDING
        ^ tied: those throw again                  ^                 |
        `--                                        `----- call ------+---- one seat left --> OVER

A seat may be left (`Leave`) at every stage but the last; when that leaves one seat in, the game is
over from any stage. Between a call and the next deal the game waits in DEALING with the cups, the
ladder and the dice of the round just played lying open (`shown`), while `opener` and `palifico`
already speak of the coming round.
"""

from .deciding import Refused, decide
from .evolving import evolve, evolve_all
from .options import bids, callers, options_for
from .state import Game, PlayerCountError, Stage, new_game, prepared

__all__ = [
    "Game",
    "PlayerCountError",
    "Refused",
    "Stage",
    "bids",
    "callers",
    "decide",
    "evolve",
    "evolve_all",
    "new_game",
    "options_for",
    "prepared",
]
