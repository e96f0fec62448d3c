"""What a server can be caught at, each fault with its own words.

For each kind: what was found, what that proves, and what it does not prove. Nothing here is
stronger than what the hashes say.
"""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import NO_SEAT

from .i18n import _


class FaultKind(Enum):
    """What is wrong with the proof of a round's dice."""

    SWAPPED_SEED = "swapped_seed"
    """A seed is not the one to which the server had committed itself."""
    OTHER_DICE = "other_dice"
    """Dice are not those that follow from seed and entropy, or not as many."""
    LEFT_OUT = "left_out"
    """Entropy that was promised is not in the mix as it was promised."""
    CHANGED = "changed"
    """The server committed itself twice, or changed what it, or we, had promised."""
    REDRAWN = "redrawn"
    """The dice were drawn anew on account of somebody whose share was not awaited."""
    ABSENCE = "absence"
    """We answered, and are named as one whose share did not come."""
    TWO_STORIES = "two_stories"
    """What is told now contradicts what was told before."""
    MISSING = "missing"
    """Dice were dealt or shown without the whole proof."""
    MISCOUNTED = "miscounted"
    """Count or verdict of a call do not fit the dice that it shows."""


class Fault(Struct, frozen=True):
    """What was found, in which round, and at whose seat; `NO_SEAT` where it is nobody's."""

    kind: FaultKind
    round: int
    seat: int = NO_SEAT


class Wrong(Exception):
    """A fault, where it is found."""

    def __init__(self, kind: FaultKind, number: int, seat: int = NO_SEAT) -> None:
        """Say what it is, in which round and at whose seat."""
        super().__init__(kind)
        self.fault = Fault(kind, number, seat)


def found(view: TableView, fault: Fault) -> str:
    """Say what was found."""
    mine = fault.seat == view.my_seat != NO_SEAT
    somebody = 0 <= fault.seat < len(view.seats)
    text = _found_mine(fault.kind) if mine else _found(fault.kind, somebody)
    name = view.seats[fault.seat].name if somebody else ""
    return text.format(round=fault.round, name=name)


def _found_mine(kind: FaultKind) -> str:
    match kind:
        case FaultKind.SWAPPED_SEED:
            return _("Round {round}: your seed is not the one the server had committed itself to.")
        case FaultKind.OTHER_DICE:
            return _("Round {round}: your dice are not those that seed and shares give.")
        case FaultKind.LEFT_OUT:
            return _("Round {round}: your share was left out of the dice.")
        case FaultKind.CHANGED:
            return _("Round {round}: the server lists a promise as yours that is not yours.")
        case FaultKind.REDRAWN:
            return _("Round {round}: you are named as late in a draw that had no promise of yours.")
        case FaultKind.ABSENCE:
            return _("Round {round}: you are named as late, but your share was sent at once.")
        case FaultKind.TWO_STORIES:
            return _("Round {round}: your dice or seed are told differently now than before.")
        case FaultKind.MISSING:
            return _("Round {round}: you were dealt dice without their proof.")
        case FaultKind.MISCOUNTED:
            return _("Round {round}: what was said of the count does not fit your dice.")


def _found(kind: FaultKind, somebody: bool) -> str:
    match kind:
        case FaultKind.SWAPPED_SEED:
            return _(
                "Round {round}: the seed of {name} is not the one the server had committed"
                " itself to."
            )
        case FaultKind.OTHER_DICE:
            return _("Round {round}: the dice of {name} are not those that seed and shares give.")
        case FaultKind.LEFT_OUT:
            return _("Round {round}: the share of {name} is not the one that was promised.")
        case FaultKind.CHANGED:
            return _("Round {round}: the server changed its commitment after making it.")
        case FaultKind.REDRAWN if somebody:
            return _(
                "Round {round}: the dice were drawn anew on account of {name}, whose share was not"
                " awaited."
            )
        case FaultKind.REDRAWN:
            return _("Round {round}: the dice were drawn anew more often than can be.")
        case FaultKind.ABSENCE:
            return _("Round {round}: the dice were drawn anew and nobody is named as late.")
        case FaultKind.TWO_STORIES:
            return _("Round {round}: the server tells another story now than before.")
        case FaultKind.MISSING if somebody:
            return _("Round {round}: the dice of {name} came without their proof.")
        case FaultKind.MISSING:
            return _("Round {round}: the proof of the dice is missing or incomplete.")
        case FaultKind.MISCOUNTED:
            return _("Round {round}: the count, or who was right, does not fit the dice shown.")


def proves(kind: FaultKind) -> str:
    """Say what it proves."""
    match kind:
        case FaultKind.SWAPPED_SEED:
            return _(
                "This proves that the server exchanged a seed after it had committed itself: these"
                " dice may have been chosen."
            )
        case FaultKind.OTHER_DICE:
            return _(
                "This proves that these dice were not drawn as agreed: the server, not chance,"
                " may have chosen them."
            )
        case FaultKind.LEFT_OUT:
            return _(
                "This proves that the server did not mix the promised shares, so it may have known"
                " the dice before, and chosen them."
            )
        case FaultKind.CHANGED:
            return _(
                "This proves that the server did not keep to what it had fixed before the shares"
                " were open: it may have looked for dice that it likes."
            )
        case FaultKind.REDRAWN:
            return _(
                "This proves that the server drew again though no share was missing: it may have"
                " looked for dice that it likes."
            )
        case FaultKind.ABSENCE:
            return _(
                "Either your line stood still for more than 3 seconds, or the server passed over"
                " your share to draw again: from here nobody can tell which."
            )
        case FaultKind.TWO_STORIES:
            return _(
                "This proves that the server contradicts itself: it told you, or others, what"
                " did not happen."
            )
        case FaultKind.MISSING:
            return _("These dice cannot be checked: the server promised proof and gave none.")
        case FaultKind.MISCOUNTED:
            return _("This proves that the server counted wrong the very dice that it showed.")


def proves_not(kind: FaultKind) -> str:
    """Say what it does not prove."""
    match kind:
        case FaultKind.ABSENCE:
            return _("It does not prove that the server cheats.")
        case FaultKind.MISSING:
            return _("It does not prove that the dice were chosen, nor who gains by it.")
        case FaultKind.CHANGED | FaultKind.TWO_STORIES:
            return _(
                "It does not prove that anybody meant it: a server whose damaged journal was"
                " repaired with --recover, or that was set back to an old copy, does the same."
            )
        case _:
            return _("It does not prove who gains by it, nor whether it was meant.")


def fault_lines(view: TableView, fault: Fault) -> list[str]:
    """Give all sentences about a fault, the finding first."""
    return [found(view, fault), proves(fault.kind), proves_not(fault.kind)]
