"""What the host of a table may ask for, each with what must be so first.

Each function gives `None` when it was done, else the reason word.
"""

from __future__ import annotations

from perudo_protocol.words import AwayReason, Denial

from . import entries as n
from .log import event
from .people import Person
from .table import Table

MOST_BANNED = 100
"""So many people who were sent away are remembered at a table, the latest."""


def start(table: Table, who: Person) -> Denial | None:
    """Start the first game."""
    if who is not table.roster.host:
        return Denial.NOT_HOST
    if table.play is not None:
        return Denial.GAME_ON
    if len(table.roster.seats) < 2:
        return Denial.TOO_FEW
    table.start_game()
    return None


def rematch(table: Table, who: Person) -> Denial | None:
    """Start another game: same seats, same options, a new throw (D42); those who wait sit down."""
    if who is not table.roster.host:
        return Denial.NOT_HOST
    if table.play is None:
        return Denial.NO_GAME
    if table.play.on:
        return Denial.GAME_ON
    waiting = sum(watcher.waiting for watcher in table.roster.watchers)
    if sum(seat.taken for seat in table.roster.seats) + waiting < 2:
        return Denial.TOO_FEW
    owners = [seat.owner for seat in table.roster.seats if seat.owner is not None]
    idle = table.roster.fill_up(table.rules.max_players)
    for owner in owners:
        if not owner.here:
            table.house.forget(owner)
    table.play = None
    table.keep(n.Over())
    for bot in idle:
        table.dismiss(bot, AwayReason.CLOSED)
    table.tell_people()
    table.start_game()
    return None


def add_bot(table: Table, who: Person) -> Denial | None:
    """Seat a bot of the house, or have it wait for the rematch."""
    if who is not table.roster.host:
        return Denial.NOT_HOST
    if table.game_on:
        return Denial.GAME_ON
    if table.free_seats() < 1:
        return Denial.TABLE_FULL
    bot = table.house.new_bot()
    bot.table = table.number
    if table.play is None:
        table.roster.sit(bot)
    else:
        table.roster.watch(bot, waiting=True)
    event(table.house.log, "bot_came", table=table.number, person=bot.number)
    table.tell_people()
    return None


def remove_bot(table: Table, who: Person, seat: int) -> Denial | None:
    """Take a bot from its seat."""
    if who is not table.roster.host:
        return Denial.NOT_HOST
    if seat >= len(table.roster.seats):
        return Denial.NO_SUCH_SEAT
    if table.game_on:
        return Denial.GAME_ON
    bot = table.roster.seats[seat].person
    if bot is None or not bot.bot:
        return Denial.NOT_A_BOT
    _send_off(table, bot)
    return None


def kick(table: Table, who: Person, number: int) -> Denial | None:
    """Send somebody away; a person may not come back to this table."""
    if who is not table.roster.host:
        return Denial.NOT_HOST
    target = table.roster.find(number)
    if target is None:
        return Denial.NO_SUCH_PERSON
    if target is who:
        return Denial.YOURSELF
    if target.ours and table.game_on:
        return Denial.GAME_ON
    if not target.ours:
        table.banned.pop(target.key, None)
        table.banned[target.key] = None
        for oldest in list(table.banned)[:-MOST_BANNED]:
            del table.banned[oldest]
    _send_off(table, target)
    return None


def pause(table: Table, who: Person, on: bool) -> Denial | None:
    """Stop the clocks of a game, or let them go on."""
    if who is not table.roster.host:
        return Denial.NOT_HOST
    play = table.play
    if play is None or not play.on:
        return Denial.NO_GAME
    if on and not play.paused:
        return play.pause()
    if not on:
        play.go_on()
        table.after_ready()
    return None


def hand_over(table: Table, who: Person, number: int) -> Denial | None:
    """Make somebody else the host."""
    if who is not table.roster.host:
        return Denial.NOT_HOST
    target = table.roster.find(number)
    if target is None or target.bot or not target.here:
        return Denial.NO_SUCH_PERSON
    table.roster.host = target
    event(table.house.log, "host", table=table.number, person=target.number)
    table.tell_people()
    return None


def _send_off(table: Table, target: Person) -> None:
    table.leave(target, AwayReason.KICKED)
    if target.ours:
        target.hang_up()
