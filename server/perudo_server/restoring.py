"""A house as it was: made again of what stands in the journal, and how it goes on after a restart.

Everybody is away at first, with the time that the table keeps a seat; deadlines are where they
were, since the server's clock goes on from the journal's last moment, and are pushed back so that
people can be there before them. Bots of the house are there at once. Who cannot come back has left.
"""

from __future__ import annotations

from perudo_protocol.ruleset import OptionError, from_wire
from perudo_protocol.vocabulary import Player

from . import absence
from . import entries as n
from .house_bots import bring_in
from .lobby import Lobby
from .locks import Bolt
from .names import skeleton
from .past import CannotRestore, Past, Saved
from .people import Person, nobody_yet
from .roster import SeatState, Watcher
from .table import Table


def restore(lobby: Lobby, past: Past) -> int:
    """Bring back all tables of a past into an empty lobby whose clock goes on from `past.at`.

    Gives how many tables there are. Raises `CannotRestore`.
    """
    for of, number in past.most.items():
        lobby.register.count_from(of, number)
    tables = [table for number in past.tables if (table := _table(lobby, past, number)) is not None]
    _let_go(lobby, past, tables)
    for table in tables:
        _wake(lobby, table)
    return len(lobby.tables)


def _let_go(lobby: Lobby, past: Past, tables: list[Table]) -> None:
    """Write down what did not outlast the restart, so that the journal need not keep it."""
    for number in sorted(past.tables.keys() - {table.number for table in tables}):
        lobby.keep(number, n.Closed())
    for person in sorted(past.known.keys() - lobby.register.numbers):
        lobby.keep(n.HOUSE, n.Gone(person))


def _table(lobby: Lobby, past: Past, number: int) -> Table | None:
    saved = past.tables[number]
    if saved.roster is None:
        return None
    people = _people(lobby, past, number, saved.roster)
    host = people.get(saved.roster.host) or next(iter(people.values()), None)
    if host is None:
        return None
    try:
        rules = from_wire(saved.opened.rules)
    except OptionError as wrong:
        raise CannotRestore(f"table {number} has options that are unknown here: {wrong}") from None
    table = Table(number, saved.opened.name, rules, lobby, host)
    if saved.opened.key:
        table.bolt = Bolt(saved.opened.salt, saved.opened.key)
    lobby.register.add_table(table, saved.opened.address)
    _seat(table, saved, people)
    return table


def _people(lobby: Lobby, past: Past, number: int, roster: n.Roster) -> dict[int, Person]:
    wanted = {roster.host, *(watcher.person for watcher in roster.watchers)}
    wanted |= {who for seat in roster.seats for who in (seat.person, seat.owner) if who}
    stand_ins = {seat.person for seat in roster.seats if seat.player is Player.STAND_IN}
    people: dict[int, Person] = {}
    for who in sorted(wanted):
        came = past.known.get(who)
        if came is None:
            continue  # gone just before a cut in the journal
        person = Person(
            who, came.name, skeleton(came.name), came.bot, came.address, nobody_yet(), came.ours
        )
        person.table, person.token, person.here = number, came.key, False
        for answered in past.answers.get(who, {}).values():
            person.remember(answered.id, answered.reason, answered.detail)
        if who in roster.unlocked:
            person.visit.let_in |= {number}
        lobby.register.admit(person, named=who not in stand_ins)
        people[who] = person
    return people


def _seat(table: Table, saved: Saved, people: dict[int, Person]) -> None:
    kept = saved.roster
    assert kept is not None
    table.roster.seats = [
        SeatState(
            seat.name,
            seat.player if seat.person in people else Player.NOBODY,
            people.get(seat.person),
            number in saved.ready,
            people.get(seat.owner),
            seat.away,
            seat.time_outs,
            seat.more_time,
        )
        for number, seat in enumerate(kept.seats)
    ]
    known = [watcher for watcher in kept.watchers if watcher.person in people]
    table.roster.watchers = [Watcher(people[w.person], w.waiting) for w in known]
    table.banned = dict.fromkeys(kept.banned)
    if saved.began is None:
        return
    play = table.new_play(saved.began.game, saved.began.proof, saved.began.seats)
    for entry in saved.story:
        try:
            play.restored(entry)
        except (ValueError, LookupError, TypeError) as wrong:
            raise CannotRestore(f"game {play.number} does not go on: {wrong}") from None
    table.play = play


def _wake(lobby: Lobby, table: Table) -> None:
    """Let a table go on: its bots are there, its people are waited for, its clocks run."""
    for person in table.roster.everybody():
        if person.ours:
            bring_in(lobby, person)
    for person in list(table.roster.everybody()):
        if person.ours or table.number not in {t.number for t in lobby.tables}:
            continue
        if person.token:
            absence.wake(table, person)
        else:
            lobby.forget(person)
            table.leave(person, None)
    if table in lobby.tables and not table.mind():
        return
    if table.play is not None and table in lobby.tables:
        table.keep_people()
        table.play.wake()
