"""What a typed line does in the plain client: a request to the server, or some lines to read."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from perudo_protocol.messages import ClientMessage, Join, Watch
from perudo_protocol.ruleset import CHOICES, PRESETS, SWITCH
from perudo_protocol.views import NOBODY, TableView
from perudo_protocol.vocabulary import NO_SEAT, PHRASES, Bid, Call

from . import plain_words
from .gate import Gate, new_lock, too_short
from .i18n import _
from .model import Model
from .proof_words import mark_line
from .typed import Command, Order, Typed, Unclear
from .words import Style, hand_line, listed

Send = Callable[[ClientMessage], None]
Tell = Callable[[str], None]


class Orders:
    """Carries out what was typed, with the model at hand."""

    def __init__(
        self, model: Model, send: Send, tell: Tell, clock: Callable[[], float], gate: Gate
    ) -> None:
        """Send requests with `send`, answer with `tell`; `gate` keeps a table's join words."""
        self._model = model
        self._gate = gate
        self._send = send
        self._tell = tell
        self._clock = clock

    def carry_out(self, typed: Typed) -> None:
        """Do what was typed; `wait` and `quit` are the caller's."""
        match typed:
            case Unclear(sentence):
                self._tell(sentence)
            case Bid(quantity, face):
                self._at_table(lambda: self._send(self._model.bid(quantity, face)))
            case Call.DUDO:
                self._at_table(lambda: self._send(self._model.dudo()))
            case Call.SPOT_ON:
                self._at_table(lambda: self._send(self._model.spot_on()))
            case Order(command, rest):
                self._order(command, rest.strip())
            case _:
                assert_never(typed)

    def _order(self, command: Command, rest: str) -> None:
        match command:
            case Command.HELP:
                self._tell_all(plain_words.help_lines())
            case Command.RULES:
                self._tell_all(plain_words.rules_lines(self._model.rules))
            case Command.TABLES:
                self._tell_all(self._tables())
            case Command.MAKE:
                self._make(rest)
            case Command.JOIN:
                self._go(command, rest, self._model.join)
            case Command.WATCH:
                self._go(command, rest, self._model.watch)
            case Command.PHRASES if not rest:
                self._tell_all(plain_words.phrases_lines())
            case Command.WAIT | Command.QUIT:
                raise ValueError(f"{command.value} is not carried out here")
            case _:
                self._at_table(lambda: self._table_order(command, rest))

    def _table_order(self, command: Command, rest: str) -> None:
        model = self._model
        match command:
            case Command.SAY:
                self._send(model.say(rest[:400]))
            case Command.PHRASES:
                word = rest.casefold().replace(" ", "_")
                self._send(model.phrase(word if word in PHRASES else rest[:64]))
            case Command.READY | Command.UNREADY if (
                model.view and not model.can_be_ready and not model.proving.halted
            ):
                self._tell(plain_words.unready_line(model.view, stood_in=model.stood_in))
            case Command.READY | Command.UNREADY:
                self._send(model.ready(ready=command is Command.READY))
            case Command.START:
                self._send(model.start())
            case Command.REMATCH:
                self._send(model.rematch())
            case Command.LEAVE:
                self._send(model.leave())
            case Command.BACK:
                self._send(model.back())
            case Command.MORE_TIME:
                self._send(model.more_time())
            case Command.PAUSE | Command.GO_ON:
                self._send(model.pause(command is Command.PAUSE))
            case Command.BOT:
                self._send(model.add_bot())
            case Command.UNBOT:
                self._remove_bot(rest)
            case Command.KICK:
                self._person(rest, lambda person: self._send(model.kick(person)))
            case Command.HOST:
                self._person(rest, lambda person: self._send(model.hand_over(person)))
            case _:
                if model.view is not None:
                    self._tell_all(self._asked(command, model.view))

    def _asked(self, command: Command, view: TableView) -> list[str]:
        """Give the lines that answer a question about the table."""
        match command:
            case Command.DICE:
                return [hand_line(view, Style.WORDS)]
            case Command.BIDS:
                return plain_words.bids_lines(view)
            case Command.TIME:
                return [plain_words.seconds_line(self._model.seconds_left(self._clock()))]
            case Command.ODDS:
                return self._odds(view)
            case _:
                proof = mark_line(self._model.mark, view.proof.chain)
                return [*plain_words.status_lines(view, self._model.my_options), *proof]

    def _odds(self, view: TableView) -> list[str]:
        standing = self._model.standing
        if standing is None:
            return [_("There is no bid yet.")]
        return [plain_words.odds_line(view, standing)]

    def _at_table(self, do: Callable[[], None]) -> None:
        if self._model.view is None:
            self._tell(_("You are at no table. Type tables, then join and a number."))
        else:
            do()

    def _tables(self) -> list[str]:
        """Give the list of tables; the server tells it to nobody who is at one."""
        if self._model.view is None:
            return plain_words.tables_lines(self._model.tables)
        return [_("The tables are not told to people at a table. Leave yours to hear them.")]

    def _go(self, command: Command, rest: str, ask: Callable[[int], Join | Watch]) -> None:
        """Go to the table of this number or name; without one to ours, or to the only one."""
        if not rest and self._model.view is not None:
            self._send(ask(self._model.view.table))
            return
        tables = self._model.tables
        wanted = rest.casefold()
        found = [t.table for t in tables if wanted in ("", str(t.table), t.name.casefold())]
        if len(found) == 1:
            self._send(ask(found[0]))
        elif rest.isdecimal() and rest.isascii() and len(rest) < 16:
            self._send(ask(int(rest)))
        else:
            text = _("Which table? Type {command} and the table's number.")
            self._tell(text.format(command=command.value))

    def _remove_bot(self, rest: str) -> None:
        seat = self._model.seat_named(rest)
        if seat == NO_SEAT:
            self._tell(_("Which bot? Type unbot and its name, or the number of its seat."))
        else:
            self._send(self._model.remove_bot(seat))

    def _person(self, rest: str, do: Callable[[int], None]) -> None:
        person = self._model.person_named(rest)
        if person == NOBODY:
            text = _("Nobody at this table is called {name}.")
            self._tell(text.format(name=repr(rest)))
        else:
            do(person)

    def _make(self, rest: str) -> None:
        """Read `NAME PRESET OPTION=VALUE words=JOIN-WORDS`; a name of several words is fine."""
        name: list[str] = []
        preset, options, words = "standard", dict[str, bool | int | str](), ""
        for word in rest.split():
            option, equals, value = word.partition("=")
            if equals and option == "words":
                words = value or " "  # which locks nothing, and is said to
                continue
            if equals and option not in CHOICES:
                text = _("No option is called {option}; there are {options}.")
                self._tell(text.format(option=repr(option), options=listed(CHOICES)))
                return
            if equals:
                options[option] = _value(option, value)
            elif word in PRESETS and name:
                preset = word
            else:
                name.append(word)
        wrong = words and too_short(words)
        if wrong:
            self._tell(wrong)
            return
        self._gate.words_here = words
        lock = new_lock(words) if words else None
        called = " ".join(name)[:400] or self._table_name()
        self._send(self._model.make(called, preset, options, lock))

    def _table_name(self) -> str:
        number = max((table.table for table in self._model.tables), default=0) + 1
        return _("Table {number}").format(number=number)

    def _tell_all(self, lines: list[str]) -> None:
        for line in lines:
            self._tell(line)


def _value(option: str, text: str) -> bool | int | str:
    """Read an option's value as far as it can be; the server judges the rest."""
    choice = CHOICES[option]
    word = text.casefold()
    if choice is SWITCH and word in ("on", "true", "yes", "off", "false", "no"):
        return word in ("on", "true", "yes")
    if not choice.words and word.isdecimal() and word.isascii() and len(word) < 10:
        return int(word)
    return text[:64]
