"""The plain client's connection: how it is lost, looked for again, sent on and left."""

from __future__ import annotations

from collections.abc import Callable

from perudo_bot.identity import Identity
from perudo_bot.journey import Journey
from perudo_protocol.elsewhere import Astray, Known, NotThere
from perudo_protocol.messages import ClientMessage, Redirect
from perudo_protocol.words import ByeReason

from . import plain_words, reasons, sent_words
from .address import place_of
from .banner import lost_lines
from .coming_back import seconds_alone, seconds_to_try
from .endings import Closed
from .gate import Gate, key_for
from .i18n import _
from .keeping import Keeper
from .line import OpenLine
from .model import Model
from .plan import Plan
from .words import together

OK, USAGE, UNAVAILABLE, PROTOCOL, NO_PERMISSION = 0, 64, 69, 76, 77
"""Exit codes, as in sysexits.h."""
LONGEST_TRY = 300.0
"""So long a lost connection is tried, where nobody may be there to give up."""


class PlainLine:
    """One player's connection. Its owner makes it, and hears its end from `on_end`."""

    def __init__(
        self,
        model: Model,
        *,
        tell: Callable[[str], None],
        complain: Callable[[str], None],
        on_end: Callable[[int], None],
        clock: Callable[[], float],
        plan: Plan,
    ) -> None:
        """Be at no server yet."""
        self.model = model
        self.who = Identity()
        """Who we are to the server; the owner connects with it."""
        self.wire: OpenLine | None = None
        """The connection; set by the owner before anything is heard."""
        self.keeper = Keeper(None)
        """Saves the games; nowhere unless the owner sets another."""
        self.journey = Journey(clock)
        """Where the server is to be found; the owner connects there."""
        self.port = 0
        """The port that we are connected to; set by the owner."""
        self.known: Known = lambda host, port: b""
        """Gives the certificate by which the server at an address is known; set by the owner."""
        self.go_back: Callable[[], None] = lambda: None
        """Ends this connection and comes back on another one; set by the owner."""
        self.left = False
        """We have left on purpose, and the server could be told."""
        self._tell = tell
        self._complain = complain
        self._on_end = on_end
        self._clock = clock
        self._plan = plan
        self.gate = Gate(model, self._attempt, self._send, self._certificate)
        self._asked = 0.0
        """When something was asked for last."""
        self._since: float | None = None
        """When the connection was lost, while we try to come back."""
        self._word = ""
        """Of the last `bye` or `error`."""
        self._problem = ""
        self._code: int | None = None
        """How we end, once we do."""
        self._lost_code = UNAVAILABLE

    def _certificate(self) -> bytes:
        return b"" if self.wire is None else self.wire.certificate

    def _attempt(self, words: str) -> None:
        """Answer the question that stands; nothing moves here that making the key would hold up."""
        challenge = self.gate.challenge
        if challenge is not None and self.wire is not None:
            answer = self.gate.answer(key_for(challenge, words), self.wire.certificate)
            if answer is not None:
                self._send(answer)

    def _send(self, message: ClientMessage) -> None:
        """Ask for something; while the dice are found wrong, nothing is played."""
        if self.model.proving.stops(message):
            self.model.answered(message.id)
            self._tell(plain_words.halted_line())
            return
        self._asked = self._clock()
        self._say(message)

    def _say(self, message: ClientMessage) -> None:
        """Send a message, where there is a connection."""
        if self.wire is not None and self._code is None:
            self.wire.send(message)

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
