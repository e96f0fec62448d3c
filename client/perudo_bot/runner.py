"""A player without a screen: hears the server's bytes, asks the brain, answers in human time.

Everything is synchronous. A pending thought is one timer of the loop; when the table moves on, the
thought is dropped and a new one begun, so that an act always answers what stands now (D34).

One thought is given to a moment. After a refusal the bot does what is surely legal, a few times at
most, so that it can never go round in a circle with a server that says no.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable

from msgspec.structs import replace

from perudo_protocol.codec import decode_server, encode
from perudo_protocol.errors import BadFrame, BadMessage, ForeignProtocol
from perudo_protocol.framing import TO_CLIENT, FrameReader
from perudo_protocol.link import Link
from perudo_protocol.messages import (
    Away,
    Bye,
    Challenge,
    ClientMessage,
    Done,
    Error,
    Hello,
    Join,
    Leave,
    Nonce,
    Notice,
    OwnHand,
    Ping,
    Pong,
    Redirect,
    Refused,
    Said,
    ServerMessage,
    SetReady,
    TableLine,
    Tables,
    Update,
    View,
    Welcome,
)
from perudo_protocol.story import fold_all, with_hand
from perudo_protocol.version import VERSIONS, program_version
from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import NO_SEAT, Bid, Call, Phase, Refusal
from perudo_protocol.words import Denial, ErrorWord

from .brain import Brain
from .comeback import CallLater as CallLater
from .comeback import Timer
from .identity import Identity, first_id
from .joining import JoinPlan
from .moments import Todo, Work, act_for, safe_choices, todo
from .unlocking import SERVER, Unlocker

LONGEST_LOOK = 4.0
"""The most seconds that a bot looks at a reveal before it is ready."""
MOST_REFUSALS = 3
"""After so many refusals of one move the bot leaves it to the clock."""
NAME_LETTERS = 16
"""The longest name that a server takes, in letters of one cell."""
MOST_NAMES = 99
"""How many names a bot tries when others have its name."""
BREATH = 1.0
"""Seconds to wait when the server says `slow_down`."""


class BotPlayer:
    """A bot at one end of a link; a `perudo_protocol.link.Receiver`."""

    def __init__(
        self,
        name: str,
        brain: Brain,
        seconds: float,
        join: JoinPlan | None = None,
        call_later: CallLater | None = None,
        who: Identity | None = None,
    ) -> None:
        """Play as `name`, taking about `seconds` for a move; 0 answers at once.

        With a `join` plan the bot looks for its table itself; without one it plays whatever seat
        the server gives it. `call_later` is the running loop's unless given. With `who` it can come
        back after a lost connection: open another link to it then.
        """
        self.name = name
        """The name that was last greeted with; a number follows it where others have it."""
        self.error: Error | None = None
        """What the server said was wrong with the connection, if it did."""
        self.encrypted = False
        """The server turned out to speak TLS, and was greeted without."""
        self.locked = ""
        """What was locked to the bot, so that it went home: `server` or `table`."""
        self.resumed = False
        """The server knew us when it was greeted last."""
        self.bye = ""
        """Why the server closed the connection, if it said so."""
        self._who = who
        self._brain = brain
        self._seconds = seconds
        self._join = join
        self._call_later = call_later or _on_loop
        self._pace = random.Random(brain.rng.getrandbits(64))
        self._link: Link | None = None
        self._reader = FrameReader(TO_CLIENT)
        self._view: TableView | None = None
        self._todo: Todo | None = None
        self._timer: Timer | None = None
        self._last_id = 0 if who is None else first_id()
        self._first_name = name
        self._names = 0
        self._asked = 0
        self._refusals = 0
        self._joining = 0
        self._unlocking = (0, 0)
        self._unlocker = Unlocker(join.secret if join is not None else "")
        self._tables: tuple[TableLine, ...] = ()

    @property
    def view(self) -> TableView | None:
        """What the bot sees of its table; `None` while it is at none."""
        return self._view

    # The link's side ----------------------------------------------------------------------------

    def opened(self, link: Link) -> None:
        """Greet, or come back."""
        self._link = link
        self._reader = FrameReader(TO_CLIENT)
        self._todo, self._joining, self.bye = None, 0, ""
        if self._who is not None and self._who.known:
            self._send(self._who.resume(_client()))
        else:
            self._greet(self.name)

    def _greet(self, name: str) -> None:
        self.name = name
        self._names += 1
        key = b"" if self._who is None else self._who.hash
        self._send(Hello(versions=VERSIONS, client=_client(), name=name, bot=True, key=key))

    def received(self, data: bytes) -> None:
        """Take bytes from the server, and act on every message that is whole by now."""
        self._reader.feed(data)
        try:
            while (payload := self._reader.next()) is not None:
                self._hear(payload)
        except BadFrame as wrong:
            self.encrypted = isinstance(wrong, ForeignProtocol) and wrong.speaks == "tls"
            self.close()

    def drained(self) -> None:
        """Nothing waits for room: a bot says little."""

    def lost(self) -> None:
        """The connection is over: stop thinking."""
        self._rest()
        self._link = None
        self._view = None

    def close(self) -> None:
        """Stop thinking and end the connection."""
        self._rest()
        if self._link is not None:
            self._link.close()

    def leave(self) -> None:
        """Leave the table for good, then close."""
        if self._view is not None:
            self._send(Leave(id=self._new_id()))
        self.close()

    # What the server says -----------------------------------------------------------------------

    def _hear(self, payload: bytes) -> None:
        try:
            message = decode_server(payload)
        except BadMessage:
            return  # a newer server may say things that a bot need not understand
        self._heard(message)

    def _heard(self, message: ServerMessage) -> None:
        match message:
            case View(view=view):
                self._came_to(view)
            case Update(rev=rev, events=events):
                if self._view is not None:
                    self._see(replace(fold_all(self._view, events), rev=rev))
            case OwnHand(round=number, dice=dice, seed=seed):
                if self._view is not None and number == self._view.round:
                    self._see(with_hand(self._view, dice, seed))
            case Refused(re=re, reason=reason):
                self._was_refused(re, reason)
            case Tables(tables=tables):
                self._choose_table(tables)
            case Away():
                self._was_sent_away()
            case Ping(now=now):
                self._send(Pong(now=now))
            case Error():
                self._was_told_wrong(message)
            case Bye(reason=reason):
                self.bye = reason
            case Challenge(table=table):
                self._unlocker.ask(message)
                if table == SERVER and not self._unlocking[0]:
                    self._unlock()
            case Done(re=re):
                self._was_done(re)
            case Welcome(person=person, resumed=resumed):
                self.resumed = resumed
                if self._who is not None:
                    self._who.person = person
                self.welcomed()
            case Nonce(nonce=nonce):
                self._prove(nonce)
            case Redirect():
                self.sent_on(message)
            case Notice() | Said():
                pass

    def welcomed(self) -> None:
        """Hear that the server knows us; for those who come back."""

    def greets(self) -> bool:
        """Say whether we may greet on this connection; else it is given up."""
        return True

    def sent_on(self, said: Redirect) -> None:
        """Hear where the server sends us; for those who go there."""

    def _prove(self, nonce: bytes) -> None:
        proof = None
        if self._who is not None and self._link is not None:
            proof = self._who.prove(nonce, self._link.certificate)
        if proof is not None:
            self._send(proof)

    def _came_to(self, view: TableView) -> None:
        if self._join is not None and self._view is None:
            self._join.came_to(view.table, back=self.resumed)
        self._joining = 0
        self._todo = None  # a view afresh may have swallowed an answer: think anew
        self._see(view)

    def _choose_table(self, tables: tuple[TableLine, ...]) -> None:
        self._tables = tables
        if self._join is None or self._view is not None or self._joining:
            return
        table = self._join.choose(tables)
        if table is None:
            self._join.tell_waiting()
        else:
            self._joining = self._new_id()
            self._send(Join(id=self._joining, table=table))

    def _was_sent_away(self) -> None:
        self._rest()
        view, self._view = self._view, None
        if self._join is not None and view is not None:
            self._join.sent_away(view.table)
            self._join.tell(f"left table {view.table}")

    def _unlock(self) -> None:
        """Answer the question for join words, or go elsewhere."""
        table = self._unlocker.table
        certificate = b"" if self._link is None else self._link.certificate
        answer = self._unlocker.answer(self._new_id(), certificate)
        if answer is None:
            self._is_locked_out(table)
        else:
            self._unlocking = answer.id, table
            self._send(answer)

    def _was_done(self, request: int) -> None:
        number, table = self._unlocking
        if request != number:
            return
        self._unlocking = (0, 0)
        if table != SERVER:
            self._joining = self._new_id()
            self._send(Join(id=self._joining, table=table))

    def _is_locked_out(self, table: int) -> None:
        self._unlocking = (0, 0)
        self._joining = 0
        if table == SERVER or self._join is None or self._join.locked_out(table):
            self.locked = "server" if table == SERVER else "table"
            self.close()
        else:
            self._choose_table(self._tables)

    def _was_refused(self, request: int, reason: str) -> None:
        if self._unlocking[0] == request:
            self._is_locked_out(self._unlocking[1])
            return
        if request == self._joining and reason == Denial.LOCKED:
            self._unlock()
            return
        if request == self._joining:
            self._joining = 0  # the next change of the list brings another try
            if self._join is not None:
                self._join.tell_waiting()
        if request != self._asked or reason == Refusal.STALE or self._refusals >= MOST_REFUSALS:
            return
        if reason == Denial.STORAGE_FULL:  # nothing is anybody's turn until it works again
            self._stop_timer()
            self._timer = self._call_later(BREATH, self._think)
            return
        self._refusals += 1
        if reason == Denial.SLOW_DOWN:
            self._stop_timer()
            self._timer = self._call_later(BREATH, self._think)
        else:
            self._fall_back(self._refusals - 1)

    def _was_told_wrong(self, error: Error) -> None:
        if error.error == ErrorWord.BAD_PROOF and self._who is not None:
            self._who.renew()
            if self.greets():
                self._greet(self.name)
            return
        if not self.greets():
            return
        if error.error == ErrorWord.NAME_TAKEN and self._names < MOST_NAMES:
            tail = f" {self._names + 1}"
            self._greet(self._first_name[: NAME_LETTERS - len(tail)].rstrip() + tail)
            return
        self.error = error
        if error.error in (ErrorWord.NAME_TAKEN, ErrorWord.BAD_NAME):
            self.close()  # the server would wait for another greeting

    # What the bot does --------------------------------------------------------------------------

    def _see(self, view: TableView) -> None:
        """Take in the view, and begin a thought where there is something new to do."""
        before, self._view = self._view, view
        self._tell_end(before, view)
        now = todo(view)
        if now == self._todo:
            return
        self._rest()
        self._todo = now
        if now is not None:
            self._refusals = 0
            self._timer = self._call_later(self._delay(now.work, view), self._think)

    def _delay(self, work: Work, view: TableView) -> float:
        """Give the seconds to think; never so many that the turn's clock might run out."""
        if work is Work.READY:
            return min(self._seconds * 2, LONGEST_LOOK)
        seconds = self._seconds * self._pace.uniform(0.5, 1.6)
        clock = float(view.rules["turn_seconds"])
        return min(seconds, clock / 2) if clock else seconds

    def _think(self) -> None:
        self._timer = None
        view, now = self._view, self._todo
        if view is None or now is None:
            return
        match now.work:
            case Work.MOVE:
                self._act(view, self._brain.choose(view))
            case Work.INTERJECT:
                call = self._brain.interject(view)
                if call is not None:
                    self._send(act_for(view, call, self._new_id()))
            case Work.READY:
                self._asked = self._new_id()
                self._send(SetReady(id=self._asked, game=view.game, round=view.round))

    def _act(self, view: TableView, choice: Bid | Call) -> None:
        self._asked = self._new_id()
        self._send(act_for(view, choice, self._asked))

    def _fall_back(self, tries: int) -> None:
        """Do what is surely legal, where the move is still the bot's."""
        view, now = self._view, self._todo
        if view is None or now is None or now.work is not Work.MOVE:
            return
        choices = safe_choices(view.options_for(view.my_seat))
        if tries < len(choices):
            self._act(view, choices[tries])

    def _tell_end(self, before: TableView | None, view: TableView) -> None:
        seat = view.my_seat
        ends = before is not None and before.phase is not Phase.OVER and view.phase is Phase.OVER
        if self._join is not None and ends and seat != NO_SEAT:
            self._join.tell(f"game over, place {view.seats[seat].place}")

    def _rest(self) -> None:
        self._todo = None
        self._stop_timer()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _new_id(self) -> int:
        self._last_id += 1
        return self._last_id

    def _send(self, message: ClientMessage) -> None:
        if self._link is not None:
            self._link.write(encode(message))


def _client() -> str:
    return f"perudo-bot {program_version()}"[:64]


def _on_loop(seconds: float, call: Callable[[], None]) -> Timer:
    loop = asyncio.get_running_loop()
    return loop.call_later(seconds, call) if seconds > 0 else loop.call_soon(call)
