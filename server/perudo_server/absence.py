"""Who is away: a seat waits for its player for a while, then a bot plays on until they are back.

    there --(connection lost, or two time-outs in a row)--> away --(away_seconds)--> a bot stands in
      ^------------(back, or anything that they ask)-----------'                           |
      '----------------------(they come back, or ask for the seat)-------------------------'

With `on_leave: ghost`, between games and for watchers there is no bot: who is away too long has
left (D31, D32, D33). Nobody else waits for them: the clock runs, and being ready is not asked of
them. A game without a clock waits for the seat `away_seconds`, and no longer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from perudo_protocol.vocabulary import NO_SEAT
from perudo_protocol.words import AwayReason, Denial

from .log import event
from .people import Person

if TYPE_CHECKING:
    from .table import Table

MOST_TIME_OUTS = 2
"""So many turns in a row that ran out of time make somebody away."""


def lost(table: Table, person: Person) -> None:
    """Keep the place of somebody whose connection is lost, and who can come back.

    Who only watched has no place to lose: they are gone, and may come to watch again. So is the one
    too many of an address: nobody holds more places than connections.
    """
    crowded = table.house.many_away(person.address)
    person.go()
    if crowded or not _has_place(table, person):
        table.house.forget(person)
        table.leave(person, None)
        return
    event(table.house.log, "away", table=table.number, person=person.number)
    if table.roster.owned_by(person) != NO_SEAT:  # a bot plays on already
        table.roster.stop_watching(person)
    else:
        _wait(table, person)
    if not table.mind():
        return
    if table.play is not None and table.play.paused and not table.roster.host.here:
        table.play.go_on()  # nobody could end the pause
    table.tell_people()
    table.after_ready()


def _has_place(table: Table, person: Person) -> bool:
    roster = table.roster
    waiting = any(watcher.waiting for watcher in roster.watchers if watcher.person is person)
    return waiting or roster.seat_of(person) != NO_SEAT or roster.owned_by(person) != NO_SEAT


def timed_out(table: Table, seat: int) -> None:
    """Hear that a turn ran out of time; who lets it happen again and again is away."""
    state = table.roster.seats[seat]
    person = state.person
    state.time_outs += 1
    if person is None or person.ours or state.away or state.time_outs < MOST_TIME_OUTS:
        table.keep_people()
        return
    event(table.house.log, "away", table=table.number, person=person.number, why="time_outs")
    _wait(table, person)
    table.tell_people()


def wake(table: Table, person: Person) -> None:
    """Wait for somebody after a restart: nobody could come back before it."""
    if table.roster.owned_by(person) == NO_SEAT:
        _wait(table, person)


def _wait(table: Table, person: Person) -> None:
    clock, wait = table.house.clock, float(table.rules.away_seconds)
    seat = table.roster.seat_of(person)
    if seat != NO_SEAT:
        table.roster.seats[seat].away = clock.now() + wait
    person.await_no_more()
    person.awaited = clock.later(wait, lambda: _expired(table, person))


def _expired(table: Table, person: Person) -> None:
    """Have a bot play on for somebody who is away too long, or let them go."""
    person.awaited = None
    seat = table.roster.seat_of(person)
    play = table.play
    playing = play is not None and play.on and seat in play.ready_seats()
    if playing and table.rules.on_leave == "bot" and not person.bot:
        _hand_to_bot(table, person, seat)
    elif person.here and playing:
        _stand_up(table, person, seat)
    elif person.here:  # between games nobody waits for them
        stirred(table, person)
    else:
        table.house.forget(person)
        table.leave(person, None)


def _hand_to_bot(table: Table, person: Person, seat: int) -> None:
    bot = table.house.new_bot(stands_in_for=table.roster.seats[seat].name)
    bot.table = table.number
    table.roster.stand_in(seat, bot, person)
    if person.here:
        table.roster.watch(person, waiting=True)
    event(table.house.log, "stand_in", table=table.number, person=bot.number, seat=seat)
    table.mind()
    table.roster.elect(there=True)
    table.tell_people()
    if table.play is not None:
        table.play.absent(seat)
    table.after_ready()


def _stand_up(table: Table, person: Person, seat: int) -> None:
    """Take the seat of somebody who is connected and does nothing; they watch from now on."""
    table.roster.vacate(seat)
    table.roster.watch(person, waiting=True)
    table.tell_people()
    if table.play is not None:
        table.play.leave(seat)
    table.after_ready()


def came_back(table: Table, person: Person) -> None:
    """Welcome somebody who has come back on another connection, and show them all."""
    person.await_no_more()
    owned = table.roster.owned_by(person)
    if owned != NO_SEAT:
        _take_back(table, person, owned)
        return
    if (seat := table.roster.seat_of(person)) != NO_SEAT:
        table.roster.seats[seat].away, table.roster.seats[seat].time_outs = 0.0, 0
    table.tell_back(person)
    table.show(person)


def stirred(table: Table, person: Person) -> int:
    """Hear that somebody asks for something: whoever does is not away. Gives their seat."""
    roster = table.roster
    seat = roster.seat_of(person)
    if seat != NO_SEAT and roster.seats[seat].away:
        person.await_no_more()
        state = roster.seats[seat]
        state.away, state.time_outs = 0.0, 0
        table.tell_people()
    return seat


def back(table: Table, person: Person) -> Denial | None:
    """Give somebody their own seat back from the bot that plays on."""
    seat = table.roster.owned_by(person)
    if seat != NO_SEAT:
        _take_back(table, person, seat)
        return None
    seat = table.roster.seat_of(person)
    return None if seat != NO_SEAT else Denial.NOT_AWAY


def _take_back(table: Table, person: Person, seat: int) -> None:
    bot = table.roster.take_back(seat, person)
    event(table.house.log, "back", table=table.number, person=person.number, seat=seat)
    table.mind()
    table.tell_people(but=person)
    table.show(person)
    if bot is not None and bot.ours:
        table.dismiss(bot, AwayReason.CLOSED)
