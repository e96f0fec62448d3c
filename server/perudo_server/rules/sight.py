"""Who sees which dice (S1.6, S1.7, S1.17, S2.7, S2.19, D36)."""

from __future__ import annotations

from perudo_protocol.vocabulary import Dice, Seat

from .state import Game


def visible_cups(game: Game, seat: Seat) -> tuple[Dice | int, ...]:
    """Give for each cup its dice where this seat may see them, else only how many they are.

    One's own always; those of the others from the call on until the next deal, or for ever when
    the call ended the game. A game that ends because somebody left shows nobody's dice. `NO_SEAT`
    stands for one who watches.
    """
    shown = game.shown
    return tuple(
        [hand if shown or other == seat else len(hand) for other, hand in enumerate(game.cups)]
    )
