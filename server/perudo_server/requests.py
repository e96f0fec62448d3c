"""What people may ask for, and who answers: the house for coming and going, a table for the rest.

Requests give `None` when they were carried out, else the reason word, with a sentence where it
helps. Who asks is known from the connection, never from the message.
"""

from __future__ import annotations

from collections.abc import Callable
from logging import Logger
from typing import Protocol

from perudo_protocol import messages as m
from perudo_protocol.ruleset import OptionError, Ruleset, ruleset
from perudo_protocol.vocabulary import Refusal
from perudo_protocol.words import AwayReason, Denial

from . import absence, hosting, moves
from .entrance import is_local
from .locks import Bolt, Porter
from .log import event
from .names import BadName, judge_table_name, skeleton
from .people import Person
from .register import Register
from .settings import Settings
from .table import Table

Outcome = Refusal | Denial | tuple[Denial, str] | None
"""Nothing when a request was carried out, else why not, with a sentence where it helps."""


class House(Protocol):
    """What is needed of the house."""

    settings: Settings
    log: Logger
    porter: Porter
    register: Register

    @property
    def tables(self) -> tuple[Table, ...]:
        """All tables."""

    def table(self, number: int) -> Table | None:
        """Give the table of this number."""

    def new_table(self, name: str, rules: Ruleset, maker: Person, bolt: Bolt | None) -> Table:
        """Open a table, at which its maker has the first seat."""


def judge(house: House, person: Person, request: m.Request) -> Outcome:
    """Do what somebody asks, or say why not."""
    table = house.table(person.table)
    if table is not None:
        seat = absence.stirred(table, person)
        if isinstance(request, m.Act):  # first, since most are
            return moves.act(table, seat, request)
    match request:
        case m.Make():
            return _make(house, person, request)
        case m.Join(table=number):
            return _go(house, person, number, Table.join)
        case m.Watch(table=number):
            return _go(house, person, number, Table.watch)
        case m.Unlock():
            return _unlock(house, person, request)
        case _:
            return Denial.NOT_AT_TABLE if table is None else _at_table(table, person, request)


def _make(house: House, person: Person, make: m.Make) -> Outcome:
    settings = house.settings
    if person.table:
        return Denial.AT_TABLE
    if person.bot:
        return Denial.NOT_HOST
    mine = house.register.tables_from(person.address)
    too_many = mine >= settings.tables_per_address and not is_local(person.address)
    if len(house.tables) >= settings.tables or too_many:
        return Denial.TOO_MANY_TABLES
    try:
        rules = ruleset(make.preset, make.options)
        name = judge_table_name(make.name)
    except OptionError as wrong:
        return Denial.BAD_OPTION, str(wrong)
    except BadName as wrong:
        return Denial.BAD_NAME, str(wrong)
    if skeleton(name) in {skeleton(table.name) for table in house.tables}:
        return Denial.NAME_TAKEN
    bolt = None if make.lock is None else Bolt.of_lock(make.lock)
    table = house.new_table(name, rules, person, bolt)
    event(house.log, "table_opened", table=table.number, person=person.number)
    table.show(person)
    return None


def _go(
    house: House, person: Person, number: int, how: Callable[[Table, Person], Outcome]
) -> Outcome:
    table = house.table(number)
    if table is None:
        return Denial.NO_TABLE
    if person.table not in (0, number):
        return Denial.AT_TABLE
    if table.bolt is not None and house.porter.bars(person.visit, number, table.bolt):
        person.send(house.porter.ask(person.visit, number, table.bolt))
        return Denial.LOCKED
    outcome = how(table, person)
    if outcome is None:
        event(house.log, "came", table=number, person=person.number)
    return outcome


def _unlock(house: House, person: Person, answer: m.Unlock) -> Outcome:
    """Let somebody who knows a table's join words come to it; ask again after wrong ones."""
    table = house.table(answer.table)
    if table is None:
        return Denial.NO_TABLE
    no = house.porter.judge(person.visit, answer)
    if no is Denial.WRONG_SECRET and table.bolt is not None:
        person.send(house.porter.ask(person.visit, table.number, table.bolt))
    return no


def _at_table(table: Table, person: Person, request: m.Request) -> Outcome:
    match request:
        case m.SetReady(game=game, round=number, ready=ready):
            return moves.set_ready(table, person, (game, number), ready)
        case m.Say(text=text, phrase=phrase):
            return moves.say(table, person, text, phrase)
        case m.Back():
            return absence.back(table, person)
        case m.MoreTime(game=game):
            return moves.more_time(table, person, game)
        case m.Leave():
            table.leave(person, AwayReason.LEFT)
            return None
        case _:
            return _host(table, person, request)


def _host(table: Table, person: Person, request: m.Request) -> Outcome:
    match request:
        case m.Start():
            return hosting.start(table, person)
        case m.Rematch():
            return hosting.rematch(table, person)
        case m.AddBot():
            return hosting.add_bot(table, person)
        case m.RemoveBot(seat=seat):
            return hosting.remove_bot(table, person, seat)
        case m.Pause(on=on):
            return hosting.pause(table, person, on)
        case m.Kick(person=number):
            return hosting.kick(table, person, number)
        case m.HandOver(person=number):
            return hosting.hand_over(table, person, number)
        case _:
            raise AssertionError(f"no such request: {type(request).__name__}")
