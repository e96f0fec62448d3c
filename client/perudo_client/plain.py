"""The same client as lines of text: for screen readers, scripts, and terminals that can no more.

`Plain` is told what the server says and what is typed, and writes lines. Typed lines are taken one
by one: the next when the server has answered what the last one asked, so that a script can be
written down as it would be typed. At the end of input the game is left.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import cast

from perudo_protocol.errors import BadMessage
from perudo_protocol.messages import ClientMessage, ServerMessage
from perudo_protocol.vocabulary import Phase
from perudo_protocol.words import Denial, ErrorWord

from . import happenings as h
from . import plain_words, reasons
from .faults import Fault
from .i18n import _
from .model import Model
from .naming import numbered
from .plain_door import Door
from .plain_line import NO_PERMISSION, OK, PROTOCOL, UNAVAILABLE, USAGE, PlainLine
from .plain_orders import Orders
from .plain_telling import Teller
from .plan import Plan, begin, watch_bots
from .typed import Command, Order, parse

MOST_NAMES = 20
"""How many numbers are tried behind a name that others have."""
ANSWER_SECONDS = 10.0
"""An answer may be lost when we read too slowly; so long the next typed line waits for it."""


class Plain(PlainLine):
    """One player's game in lines."""

    def __init__(
        self,
        *,
        tell: Callable[[str], None],
        complain: Callable[[str], None],
        on_end: Callable[[int], None],
        clock: Callable[[], float],
        plan: Plan = Plan.LOOK,
        table: int = 0,
        name: str = "",
        with_odds: bool = False,
        on_taken: Callable[[], None] = lambda: None,
        secret: str = "",
        may_ask: bool = True,
        first_id: int = 0,
        on_hurry: Callable[[], None] = lambda: None,
    ) -> None:
        """Write with `tell`, the sentence that ends the program with `complain`.

        `on_end` gets the exit code, once; `on_taken` hears of each typed line dealt with. With
        odds, each turn begins with the chance of the standing bid. `secret` is tried at locked
        doors; where it does not fit, somebody is asked to type the words if `may_ask`. `on_hurry`
        hears that a lost connection is to be tried again at once.
        """
        super().__init__(
            Model(first_id=first_id),
            tell=tell,
            complain=complain,
            on_end=on_end,
            clock=clock,
            plan=plan,
        )
        self.is_ours: Callable[[str], bool] = lambda name: False
        """Says whether another program of this user sits there under a name; set by the owner."""
        self._table = table
        self._name = name
        self._names_left = MOST_NAMES
        self._on_taken = on_taken
        self.gate.given = secret
        self._may_ask = may_ask
        self._door = Door(self.gate, tell)
        self._on_hurry = on_hurry
        self._is_back = False
        self._is_known = False
        """The server has known us, in this program's life."""
        self._teller = Teller(self.model, tell, clock, with_odds=with_odds)
        self._orders = Orders(self.model, self._send, tell, clock, self.gate)
        self._lines: deque[str] = deque()
        self._input_over = False

    # What comes from the server ------------------------------------------------------------------

    def hear(self, message: ServerMessage) -> None:
        """Take a message in; raises `BadMessage` for one that makes no sense."""
        if self.journey.bars(message):
            raise BadMessage("join words are asked for at the first address alone")
        happened = self.model.apply(message, self._clock())
        for said in self.model.proving.outgoing:
            self._say(said)
        welcome = self.model.welcome
        self.keeper.take(self.model.proving.steps, "" if welcome is None else welcome.name)
        for happening in happened:
            self.gate.take(happening)
            self._hear(happening)
        self._teller.tell_banner()
        self._go_on()

    def _hear(self, happening: h.Happening) -> None:
        match happening:
            case h.Welcomed(welcome):
                self.journey.arrived()
                if welcome.resumed:
                    self._came_back(happening)
                else:
                    self._since = None
                    self._greeted(happening)
                self._is_known = True
            case h.TablesChanged():
                self._teller.list_tables(looking=self._plan is Plan.LOOK)
            case h.Arrived(again=again):
                self._arrived(again)
            case h.LeftTable(reason=reason):
                self._teller.rest()
                self._tell(reasons.away(reason))
                self._left()
            case h.WordsWanted():
                if self.gate.asking and not self.gate.busy:
                    self._ask_words()
            case h.RequestRefused(reason=Denial.LOCKED | Denial.WRONG_SECRET):
                if self.gate.asking:
                    self._ask_words()  # else words that we have are being tried
            case h.RequestDone() if self.gate.offer and self.model.welcome is None:
                self._tell(_("The words are right. Type yes to remember them for this server."))
            case h.RequestRefused(reason=Denial.TOO_MANY_TRIES) if self._must_come_in:
                self._stay_out(reasons.refused(happening))
            case h.RequestRefused():
                self._tell(reasons.refused(happening))
                if self.model.view is None or self._plan is Plan.DEMO:
                    self._plan_failed()
            case h.ErrorHappened():
                self._wrong(happening)
            case h.SentOn(redirect=redirect):
                self._follow(redirect)
            case h.ServerBye(reason=reason):
                self._word = reason
                self._problem = reasons.goodbye(reason, for_good=self.over_for_good)
            case h.GameOver():
                self._game_over(happening)
            case h.DiceProven(view, Fault() as fault):
                self._teller.waiting = False
                self._teller.tell_all(plain_words.fault_lines(view, fault, self.keeper.path))
            case _:
                self._teller.tell(happening)

    def _ask_words(self) -> None:
        """Ask for join words; where nobody can type them, say how they can be given."""
        if self._may_ask:
            self._door.ask()
        else:
            self._no_words(self.gate.for_server)

    def _no_words(self, server: bool) -> None:
        sentence = reasons.no_words(server, tried=bool(self.gate.given))
        if server or self._must_come_in:
            self._stay_out(sentence)
        else:
            self._tell(sentence)
            self.gate.close()
            self._plan_failed()

    @property
    def _must_come_in(self) -> bool:
        """Whether we were started for one table, and nobody is there to choose another."""
        return not self._may_ask and self._plan in (Plan.JOIN, Plan.WATCH)

    def _stay_out(self, sentence: str) -> None:
        self._complain(sentence)
        self.leave(NO_PERMISSION)

    def _take_words(self, line: str) -> None:
        """Take a line that answers our question for join words."""
        words = line.strip()
        if words.casefold() in ("q", "quit", "exit"):
            self.leave(OK)
        elif words:
            if not self._door.tries(words):
                self._ask_words()
        elif self.gate.for_server:
            self._ask_words()
        else:
            self.gate.close()
            self._plan_failed()

    def _greeted(self, happening: h.Welcomed) -> None:
        welcome = happening.welcome
        text = _("Connected to {server}. You are {name}.")
        self._tell(text.format(server=welcome.name, name=welcome.you))
        if self._names_left < MOST_NAMES and not welcome.resumed:
            ours = self.is_ours(self._name)
            self._tell(reasons.name_was_taken(self._name, welcome.you, by_us=ours))
        if not self._is_known and self._plan is not Plan.DEMO:
            self._tell(_("Type help to hear what can be typed."))
        begin(self._plan, self._table, self.model, self._send)

    def _plan_failed(self) -> None:
        """Go on from the list of tables; a demo, which nobody can tell what to do, ends."""
        if self._plan is Plan.DEMO:
            self.leave(UNAVAILABLE)
        elif self._plan is not Plan.LOOK:
            self._plan = Plan.LOOK
            self._teller.list_anew()
            self._teller.list_tables(looking=True)

    def _left(self) -> None:
        """Go on from the list of tables, which comes soon."""
        if self._plan is Plan.DEMO:
            self.leave(UNAVAILABLE)
        self._plan = Plan.LOOK
        self._teller.list_anew()

    def _arrived(self, again: bool) -> None:
        view = self.model.view
        if view is None:
            return
        back, self._is_back = self._is_back, False
        is_demo = self._plan is Plan.DEMO
        if is_demo and not again:
            watch_bots(view.table, self.model, self._send)
        words = self.gate.words_here
        self._teller.arrived(again=again, back=back, quiet=is_demo, words=words)

    def _game_over(self, happening: h.GameOver) -> None:
        self._teller.tell_end(happening)
        if self._plan is Plan.DEMO:
            self.leave(OK)
        elif self.model.can_rematch:
            self._tell(_("Type rematch for another game, or leave."))
        elif self.model.am_host:
            self._tell(plain_words.too_few_line())

    def _wrong(self, happening: h.ErrorHappened) -> None:
        word = self._word = happening.error
        if word == ErrorWord.BAD_PROOF:
            self._come_anew()
            return
        if self.journey.untried:
            self._set_out()
            return
        if word == ErrorWord.NAME_TAKEN and self._names_left and self.wire is not None:
            self._names_left -= 1
            self.wire.greet(numbered(self._name, MOST_NAMES + 1 - self._names_left))
            return
        self._problem = reasons.error(happening)
        if word in (ErrorWord.NAME_TAKEN, ErrorWord.BAD_NAME):
            self._complain(self._problem)
            self.leave(USAGE)
        elif word == ErrorWord.BAD_MESSAGE:  # no answer will come, but the connection stands
            self._tell(self._problem)
            self.model.pending.clear()
        elif word == ErrorWord.TOO_MANY_TRIES:
            self._lost_code = NO_PERMISSION
        elif word in (ErrorWord.VERSION, ErrorWord.BAD_FRAME):
            self._lost_code = PROTOCOL

    # What is typed -------------------------------------------------------------------------------

    def typed(self, line: str) -> None:
        """Take a typed line; while the connection is lost nothing typed is kept for later."""
        if self._since is None:
            self._lines.append(line)
            self._go_on()
        else:
            self._typed_away(line)
            self._on_taken()

    def input_ended(self) -> None:
        """Hear that nothing more will be typed: leave when the lines before it are done."""
        self._input_over = True
        self._go_on()

    def _go_on(self) -> None:
        while self._lines and not self._held:
            self._take(self._lines.popleft())
            self._on_taken()
        if self._input_over and not self._lines and not self._held:
            locked_out = self.gate.asking and self.gate.for_server
            self.leave(NO_PERMISSION if locked_out else OK)

    @property
    def _held(self) -> bool:
        """Whether the next typed line has to wait."""
        if self.gate.asking and self._code is None:
            return self.gate.busy
        if self._since is not None:
            return True
        if self.model.welcome is None or self._teller.waiting or self._code is not None:
            return True
        return bool(self.model.pending) and self._clock() < self._asked + ANSWER_SECONDS

    def _take(self, line: str) -> None:
        if self.gate.asking:
            self._take_words(line)
            return
        if self.model.proving.halted and line.split() == ["go", "on"]:
            self.model.proving.decided()
            self._tell(plain_words.own_risk_line())
            return
        if self.gate.offer and self._door.keeps(line):
            return
        if not line.strip():
            if self.model.can_be_ready and not self.model.am_ready:
                self._send(self.model.ready())
            return
        typed = parse(line)
        match typed:
            case Order(command=Command.LEAVE) if self.model.proving.halted:
                self.model.proving.decided()
                self._orders.carry_out(typed)
            case Order(command=Command.QUIT):
                self.leave(OK)
            case Order(command=Command.WAIT):
                view = self.model.view
                self._teller.waiting = not self.model.my_turn and (
                    view is not None and view.phase is not Phase.OVER
                )
            case _:
                self._orders.carry_out(typed)

    # A lost connection -----------------------------------------------------------------------

    def _came_back(self, happening: h.Welcomed) -> None:
        since, self._since = self._since, None
        self._word = self._problem = ""
        if since is None or not self._is_known:
            self._plan = Plan.LOOK
            self._greeted(happening)
            return
        self._is_back = True
        for request in list(self.model.pending.values()):
            self._say(cast(ClientMessage, request))

    def _come_anew(self) -> None:
        """Nobody waits for us: greet as somebody new under the same name.

        Who watched goes on watching that table.
        """
        if self._plan is Plan.ALONE:
            self._complain(reasons.given_up_alone())
            self.leave(UNAVAILABLE)
            return
        welcome, view = self.model.welcome, self.model.view
        seated = (view is None and welcome is None) or self.model.seated
        self._tell(reasons.not_waited_for(seated=seated))
        self._since, self._problem = None, ""
        self._teller.list_anew()
        self._teller.rest()
        self._plan = Plan.LOOK
        if view is not None and not seated:
            self._plan, self._table = Plan.WATCH, view.table
        self.gate.begin(self.gate.where)
        self.who.renew()
        self.model.forget()
        if self.journey.is_there:  # nobody is greeted but at the address that was asked for
            self.journey.begin_again()
            self._set_out()
        elif self.wire is not None:
            self.wire.greet(self._name if welcome is None else welcome.you)

    def _typed_away(self, line: str) -> None:
        if not line.strip():
            self._on_hurry()
        elif parse(line) == Order(Command.QUIT):
            self.leave(OK)
        else:
            text = _("Not done, the connection is lost: {line}. Wait, or type quit.")
            self._tell(text.format(line=line.strip()))
