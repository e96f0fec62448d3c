"""What happened to our seat while the connection was lost, as far as two pictures tell; pure."""

from __future__ import annotations

from perudo_protocol.ruleset import Ruleset
from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import NO_SEAT, Phase


def bot_played(before: TableView, after: TableView, rules: Ruleset, seconds: float) -> bool:
    """Say whether a bot has played for us, who were away for so many seconds.

    It begins when the seat is not kept any longer (D19); then it has played if our bids are more
    than they were, or the game has gone on by a round.
    """
    seat = before.my_seat
    if rules.on_leave != "bot" or seconds < rules.away_seconds or seat == NO_SEAT:
        return False
    if before.phase in (Phase.LOBBY, Phase.OVER) or before.seats[seat].dice == 0:
        return False
    if (after.game, after.round) != (before.game, before.round):
        return True
    return _bids(after, seat) > _bids(before, seat)


def _bids(view: TableView, seat: int) -> int:
    return sum(placed.seat == seat for placed in view.ladder)
