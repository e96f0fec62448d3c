"""Sentences about a seat that an earlier program of ours has left on a server."""

from __future__ import annotations

from .i18n import _
from .kept import KeptSeat


def taken(seat: KeptSeat) -> str:
    """Say that we go back to a seat under the name that it has."""
    text = _("You go back to your seat at {table}, as {name}.")
    return text.format(table=seat.table_name, name=seat.name)


def other_name(seat: KeptSeat) -> str:
    """Say that a seat waits under another name than the one that was chosen."""
    text = _('A seat of yours waits there as {name}: start with --name "{name}" to take it.')
    return text.format(name=seat.name)


def elsewhere(seat: KeptSeat) -> str:
    """Say that a seat waits on a server, to somebody who begins a game alone."""
    text = _("Your seat at {table}, as {name}, waits: perudo-client --plain {address} takes it.")
    where = seat.where._replace(pin="")
    return text.format(table=seat.table_name, name=seat.name, address=where)
