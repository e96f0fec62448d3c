"""The same client as lines of text: for screen readers, scripts, and terminals that can no more.

`Plain` is told what the server says and what is typed, and writes lines. Typed lines are taken one
by one: the next when the server has answered what the last one asked, so that a script can be
written down as it would be typed. At the end of input the game is left.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from enum import Enum
from typing import Protocol, cast

from perudo_bot.identity import Identity
from perudo_bot.journey import Journey
from perudo_protocol.elsewhere import Astray, Known, NotThere
from perudo_protocol.errors import BadMessage
from perudo_protocol.messages import Challenge, ClientMessage, Redirect, ServerMessage
from perudo_protocol.vocabulary import NO_SEAT, Phase
from perudo_protocol.words import ByeReason, Denial, ErrorWord

from . import happenings as h
from . import plain_words, reasons, sent_words
from .address import place_of
from .banner import banner, lost_lines
from .coming_back import seconds_alone, seconds_to_try
from .endings import Closed
from .faults import Fault
from .gate import SERVER, Gate, key_for
from .i18n import _
from .keeping import Keeper
from .model import Model
from .naming import numbered
from .plain_orders import Orders
from .proof_words import finding_line
from .story_words import call_line, result_lines, story, winner_line
from .typed import Command, Order, parse, plain
from .words import Style, hand_line, together

OK, USAGE, UNAVAILABLE, PROTOCOL, NO_PERMISSION = 0, 64, 69, 76, 77
"""Exit codes, as in sysexits.h."""
YES = ("y", "yes", "s", "sim", "si", "o", "oui")
NO = ("n", "no", "nao", "non")
BOTS_ALONE = 3
BOTS_IN_DEMO = 4
MOST_NAMES = 20
"""How many numbers are tried behind a name that others have."""
LONGEST_TRY = 300.0
"""So long a lost connection is tried, where nobody may be there to give up."""
ANSWER_SECONDS = 10.0
"""An answer may be lost when we read too slowly; so long the next typed line waits for it."""


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


class Wire(Protocol):
    """What this client needs of a connection."""

    @property
    def certificate(self) -> bytes:
        """The SHA-256 of the server's certificate; no bytes on a plain line."""

    @property
    def peer(self) -> str:
        """The server's address in numbers; empty when the connection is over."""

    def send(self, message: ClientMessage) -> None:
        """Send a message."""

    def greet(self, name: str) -> None:
        """Greet with another name."""

    def close(self) -> None:
        """End the connection after what is unsent."""


class Plain:
    """One player's game in lines. Its owner connects it, and hears its end from `on_end`."""

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
        self.model = Model(first_id=first_id)
        self.who = Identity()
        """Who we are to the server; the owner connects with it."""
        self.wire: Wire | None = None
        """The connection; set by the owner before anything is heard."""
        self.keeper = Keeper(None)
        """Saves the games; nowhere unless the owner sets another."""
        self.is_ours: Callable[[str], bool] = lambda name: False
        """Says whether another program of this user sits there under a name; set by the owner."""
        self.journey = Journey(clock)
        """Where the server is to be found; the owner connects there."""
        self.port = 0
        """The port that we are connected to; set by the owner."""
        self.known: Known = lambda host, port: b""
        """Gives the certificate by which the server at an address is known; set by the owner."""
        self.go_back: Callable[[], None] = lambda: None
        """Ends this connection and comes back on another one; set by the owner."""
        self._tell = tell
        self._complain = complain
        self._on_end = on_end
        self._clock = clock
        self._plan = plan
        self._table = table
        self._name = name
        self._names_left = MOST_NAMES
        self._with_odds = with_odds
        self._on_taken = on_taken
        self.gate = Gate(self.model, self._attempt, self._send, self._certificate)
        self.gate.given = secret
        self._may_ask = may_ask
        self._on_hurry = on_hurry
        self._since: float | None = None
        """When the connection was lost, while we try to come back."""
        self._is_back = False
        self._is_known = False
        """The server has known us, in this program's life."""
        self._word = ""
        self._banner = ""
        self.left = False
        """We have left on purpose, and the server could be told."""
        self._orders = Orders(self.model, self._send, tell, clock, self.gate)
        self._lines: deque[str] = deque()
        self._input_over = False
        self._waiting = False
        self._turn_untold = False
        self._listed: set[int] | None = None
        self._asked = 0.0
        self._code: int | None = None
        self._lost_code = UNAVAILABLE
        self._problem = ""

    # What comes from the server ------------------------------------------------------------------

    def hear(self, message: ServerMessage) -> None:
        """Take a message in; raises `BadMessage` for one that makes no sense."""
        if self.journey.is_there and isinstance(message, Challenge) and message.table == SERVER:
            raise BadMessage("join words are asked for at the first address alone")
        happened = self.model.apply(message, self._clock())
        for said in self.model.proving.outgoing:
            self._say(said)
        welcome = self.model.welcome
        self.keeper.take(self.model.proving.steps, "" if welcome is None else welcome.name)
        for happening in happened:
            self.gate.take(happening)
            self._hear(happening)
        self._tell_banner()
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
                self._list_tables()
            case h.Arrived(again=again):
                self._arrived(again)
            case h.LeftTable(reason=reason):
                self._turn_untold = self._waiting = False
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
            case h.Revealed(view):
                self._turn_untold = False
                if view.reveal is not None:
                    self._tell(call_line(view, view.reveal, Style.WORDS))
                    self._tell_all(plain_words.cups_lines(view))
                    self._tell_all(result_lines(view, view.reveal))
            case h.NextOpener():
                self._tell_all(story(happening, Style.WORDS))
                if self.model.can_be_ready and not self.model.am_ready:
                    self._tell(_("Press Enter to go on."))
            case h.HandDealt(view):
                if self._turn_untold:
                    self._your_turn()
                else:
                    self._tell(hand_line(view, Style.WORDS))
            case h.YourTurn(view):
                self._turn_untold = not view.hand
                if view.hand:
                    self._your_turn()
            case h.ReadyChanged(view) if view.phase not in (Phase.LOBBY, Phase.OVER):
                pass  # bots and people go on after each reveal: that is no news
            case h.GameOver():
                self._game_over(happening)
            case h.DiceProven(view, Fault() as fault):
                self._waiting = False
                self._tell_all(plain_words.fault_lines(view, fault, self.keeper.path))
            case h.DiceProven(view, finding):
                self._tell(finding_line(view, finding))
            case _:
                self._tell_all(story(happening, Style.WORDS))

    def _certificate(self) -> bytes:
        return b"" if self.wire is None else self.wire.certificate

    def _attempt(self, words: str) -> None:
        """Answer the question that stands; nothing moves here that making the key would hold up."""
        challenge = self.gate.challenge
        if challenge is not None and self.wire is not None:
            answer = self.gate.answer(key_for(challenge, words), self.wire.certificate)
            if answer is not None:
                self._send(answer)

    def _ask_words(self) -> None:
        """Ask for join words; where nobody can type them, say how they can be given."""
        server = self.gate.for_server
        if not self._may_ask:
            self._no_words(server)
            return
        if self.gate.word:
            self._tell(self.gate.word)
        if server:
            self._tell(_("This server is locked. Type its join words, or quit."))
        else:
            self._tell(_("This table is locked. Type its join words, or press Enter to stay out."))

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
            self.gate.type(words)
            if not self.gate.busy:  # they can be no join words
                if parse(words) == Order(Command.HELP):
                    self.gate.word = plain_words.join_words_line()
                self._ask_words()
        elif self.gate.for_server:
            self._ask_words()
        else:
            self.gate.close()
            self._plan_failed()

    def _keep_words(self, line: str) -> bool:
        """Take a line as the answer to whether words are to be kept, if it is one."""
        word = plain(line)
        if word in YES:
            self.gate.keep()
            self._tell(_("Remembered."))
        self.gate.offer = ""
        return word in YES or word in NO

    def _greeted(self, happening: h.Welcomed) -> None:
        welcome = happening.welcome
        text = _("Connected to {server}. You are {name}.")
        self._tell(text.format(server=welcome.name, name=welcome.you))
        if self._names_left < MOST_NAMES and not welcome.resumed:
            ours = self.is_ours(self._name)
            self._tell(reasons.name_was_taken(self._name, welcome.you, by_us=ours))
        model = self.model
        match self._plan:
            case Plan.JOIN:
                self._send(model.join(self._table))
            case Plan.WATCH:
                self._send(model.watch(self._table))
            case Plan.ALONE:
                self._send(model.make(_("Alone"), options={"turn_seconds": 0}))
                for _bot in range(BOTS_ALONE):
                    self._send(model.add_bot())
                self._send(model.start())
            case Plan.DEMO:
                self._send(model.make(_("Demo")))
            case Plan.LOOK:
                pass

    def _plan_failed(self) -> None:
        """Go on from the list of tables; a demo, which nobody can tell what to do, ends."""
        if self._plan is Plan.DEMO:
            self.leave(UNAVAILABLE)
        elif self._plan is not Plan.LOOK:
            self._plan = Plan.LOOK
            self._listed = None
            self._list_tables()

    def _left(self) -> None:
        """Go on from the list of tables, which comes soon."""
        if self._plan is Plan.DEMO:
            self.leave(UNAVAILABLE)
        self._plan = Plan.LOOK
        self._listed = None

    def _arrived(self, again: bool) -> None:
        view = self.model.view
        if view is None:
            return
        self._listed = None
        back, self._is_back = self._is_back, False
        taken_back = again and self._banner == "stood_in" and self.model.my_seat != NO_SEAT
        turn = self.model.my_turn and bool(view.hand)
        if taken_back and not back:
            self._tell(_("You have your seat back."))
        if again and (back or taken_back):
            self._tell_all(plain_words.moment_lines(view, turn_follows=turn))
        elif self._plan is not Plan.DEMO:
            self._tell_all(plain_words.arrival_lines(view, self.model.rules, turn_follows=turn))
            if self.gate.words_here and self.model.am_host:
                text = _("The table is locked. Its join words: {words}.")
                self._tell(text.format(words=self.gate.words_here))
        elif not again:
            self._send(self.model.watch(view.table))
            for _bot in range(BOTS_IN_DEMO):
                self._send(self.model.add_bot())
            self._send(self.model.start())
        if self.model.paused and not self.model.can_come_back:
            self._tell(banner(self.model, self._clock(), keys=False))
        if turn:
            self._your_turn()

    def _list_tables(self) -> None:
        """Say all tables on coming to the list, and later only those that are new."""
        numbers = {table.table for table in self.model.tables}
        if self.model.view is None and self._plan is Plan.LOOK:
            if self._listed is None:
                self._tell_all(plain_words.tables_lines(self.model.tables))
            else:
                new = [t for t in self.model.tables if t.table not in self._listed]
                self._tell_all([plain_words.table_line(table) for table in new])
        self._listed = numbers

    def _your_turn(self) -> None:
        self._turn_untold = self._waiting = False
        view = self.model.view
        if view is not None:
            seconds = self.model.seconds_left(self._clock())
            self._tell_all(plain_words.turn_lines(view, self.model.my_options, seconds))
            if self._with_odds and self.model.standing is not None:
                self._tell(plain_words.odds_line(view, self.model.standing))

    def _game_over(self, happening: h.GameOver) -> None:
        self._turn_untold = self._waiting = False
        self._tell(winner_line(happening.view))
        self._tell_all(plain_words.over_lines(happening.view))
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
        if self.model.welcome is None or self._waiting or self._code is not None:
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
        if self.gate.offer and self._keep_words(line):
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
                self._waiting = not self.model.my_turn and (
                    view is not None and view.phase is not Phase.OVER
                )
            case _:
                self._orders.carry_out(typed)

    # A lost connection -----------------------------------------------------------------------

    def may_return(self, why: Closed) -> float:
        """Hear that the connection is lost: give for how many seconds to try to come back.

        For 0 of them: not at all, and it is `lost`.
        """
        trying = self._since is not None
        if self.journey.untried and self._code is None:
            return LONGEST_TRY  # whatever is there: the first address may know better
        if self._code is not None or self._plan is Plan.DEMO:
            return 0.0
        if self.model.welcome is None and not trying:
            return 0.0
        if self.over_for_good:
            return 0.0
        seconds = min(seconds_to_try(why, self._word, trying=trying), LONGEST_TRY)
        if self._plan is Plan.ALONE:
            seconds = seconds_alone(self._word)
        if seconds and not trying:
            self._since = self._clock()
            stops = self._word == ByeReason.SHUTDOWN
            lines = lost_lines(self.model, away=0.0, next_try=0.0, stopping=stops)
            self._tell(together([*lines, _("Type quit to give up.")]))
        return seconds

    @property
    def over_for_good(self) -> bool:
        """Whether the server has stopped, and our seat with it."""
        lost = self.model.seated and not self.model.keeps
        return lost and self._word == ByeReason.SHUTDOWN and self.model.welcome is not None

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
        self._since, self._listed, self._problem = None, None, ""
        self._waiting = self._turn_untold = False
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

    def _follow(self, said: Redirect) -> None:
        """Go on at another address as who we are, or end where we are not to go there."""
        if self.wire is None or self._code is not None:
            return
        try:
            if not self.who.known or self._plan in (Plan.ALONE, Plan.DEMO):
                raise NotThere(Astray.UNKNOWN)
            ends = self.wire.peer, self.port, self.wire.certificate
            place = self.journey.follow(said, *ends, self.known)
        except NotThere as wrong:
            self._complain(sent_words.not_there(wrong.why, said.place))
            self._code = PROTOCOL
            self.wire.close()
        else:
            self._tell(sent_words.sent_on(place_of(place)))
            self._set_out()

    def _set_out(self) -> None:
        """Leave this connection for another one."""
        self._since = self._clock() if self._since is None else self._since
        self.go_back()

    def _typed_away(self, line: str) -> None:
        if not line.strip():
            self._on_hurry()
        elif parse(line) == Order(Command.QUIT):
            self.leave(OK)
        else:
            text = _("Not done, the connection is lost: {line}. Wait, or type quit.")
            self._tell(text.format(line=line.strip()))

    def _tell_banner(self) -> None:
        """Say once that a bot plays for us, or is about to."""
        model = self.model
        kind = "stood_in" if model.stood_in else "away" if model.counted_away else ""
        if kind and kind != self._banner:
            self._tell(banner(model, self._clock(), keys=False))
        self._banner = kind

    # The end -------------------------------------------------------------------------------------

    def leave(self, code: int) -> None:
        """Leave the table, close, and end with this exit code when closed."""
        if self._code is not None:
            return
        self._code = code
        if self.wire is None or self._since is not None:
            self._on_end(code)
            return
        self.left = True
        if self.model.view is not None:
            self.wire.send(self.model.leave())
        self.wire.close()

    def lost(self, why: Closed) -> None:
        """Hear that the connection is over."""
        self.keeper.rest()
        problem = self._problem or reasons.closed(why)
        if why is Closed.BY_US:
            problem = ""
        if problem:
            self._complain(problem)
        lost = PROTOCOL if why is Closed.NONSENSE else self._lost_code
        self._on_end(lost if self._code is None else self._code)

    def _send(self, message: ClientMessage) -> None:
        if self.model.proving.stops(message):
            self.model.answered(message.id)
            self._tell(plain_words.halted_line())
            return
        self._asked = self._clock()
        self._say(message)

    def _say(self, message: ClientMessage) -> None:
        if self.wire is not None and self._code is None:
            self.wire.send(message)

    def _tell_all(self, lines: list[str]) -> None:
        for line in lines:
            self._tell(line)
