"""A table's roster as the journal keeps it; `restoring` makes a roster of it again."""

from __future__ import annotations

from collections.abc import Iterable

from . import entries as n
from .roster import Roster, SeatState


def kept_roster(roster: Roster, table: int, banned: Iterable[str]) -> n.Roster:
    """Write down who is at a table, whom it has sent away, and to whom its lock has opened."""
    return n.Roster(
        roster.host.number,
        tuple(_seat_kept(seat) for seat in roster.seats),
        tuple(n.WatcherKept(w.person.number, w.waiting) for w in roster.watchers),
        tuple(sorted(banned)),
        tuple(p.number for p in roster.everybody() if table in p.visit.let_in),
    )


def _seat_kept(seat: SeatState) -> n.SeatKept:
    return n.SeatKept(
        seat.name,
        seat.player,
        0 if seat.person is None else seat.person.number,
        0 if seat.owner is None else seat.owner.number,
        seat.away,
        seat.time_outs,
        seat.more_time,
        seat.ready,
    )
