"""What the plain client is to do once it is greeted."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from perudo_protocol.messages import ClientMessage

from .address import Address
from .config import ClientOptions
from .i18n import _
from .model import Model

BOTS_ALONE = 3
BOTS_IN_DEMO = 4


class Plan(Enum):
    """What to do once greeted."""

    LOOK = "look"
    """Say which tables there are."""
    JOIN = "join"
    WATCH = "watch"
    ALONE = "alone"
    """Play against bots at once, on a server of one's own."""
    DEMO = "demo"
    """Watch bots play a whole game, then end."""


def chosen(options: ClientOptions, address: Address) -> tuple[Plan, int]:
    """Give what the options ask for at this address, and the table."""
    if options.demo:
        return Plan.DEMO, 0
    if options.watch:
        return Plan.WATCH, options.watch
    if options.table or address.table:
        return Plan.JOIN, options.table or address.table
    return (Plan.LOOK if options.address is not None else Plan.ALONE), 0


def begin(plan: Plan, table: int, model: Model, send: Callable[[ClientMessage], None]) -> None:
    """Ask the server for what is planned; `table` is the one to go to."""
    match plan:
        case Plan.JOIN:
            send(model.join(table))
        case Plan.WATCH:
            send(model.watch(table))
        case Plan.ALONE:
            send(model.make(_("Alone"), options={"turn_seconds": 0}))
            _add_bots(BOTS_ALONE, model, send)
        case Plan.DEMO:
            send(model.make(_("Demo")))
        case Plan.LOOK:
            pass


def watch_bots(table: int, model: Model, send: Callable[[ClientMessage], None]) -> None:
    """Have bots play at the table that was made for the demo."""
    send(model.watch(table))
    _add_bots(BOTS_IN_DEMO, model, send)


def _add_bots(count: int, model: Model, send: Callable[[ClientMessage], None]) -> None:
    for _bot in range(count):
        send(model.add_bot())
    send(model.start())
