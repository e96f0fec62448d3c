"""A player without a screen: hears the server's bytes, finds its table, and plays as it thinks.

Everything is synchronous. What to do at the table is the part of `thoughts`.
"""

from __future__ import annotations

from msgspec.structs import replace

from perudo_protocol.codec import decode_server
from perudo_protocol.errors import BadFrame, BadMessage, ForeignProtocol
from perudo_protocol.framing import TO_CLIENT, FrameReader
from perudo_protocol.link import Link
from perudo_protocol.messages import (
    Away,
    Bye,
    Challenge,
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
    TableLine,
    Tables,
    Update,
    View,
    Welcome,
)
from perudo_protocol.story import fold_all, with_hand
from perudo_protocol.version import VERSIONS, program_version
from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import NO_SEAT, Phase
from perudo_protocol.words import Denial, ErrorWord

from .brain import Brain
from .comeback import CallLater
from .identity import Identity, first_id
from .joining import JoinPlan
from .saying import Mouth
from .thoughts import Thoughts
from .unlocking import SERVER, Unlocker

NAME_LETTERS = 16
"""The longest name that a server takes, in letters of one cell."""
MOST_NAMES = 99
"""How many names a bot tries when others have its name."""


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
        self._mouth = Mouth(0 if who is None else first_id())
        self._thoughts = Thoughts(brain, seconds, self._mouth, call_later)
        self._join = join
        self._reader = FrameReader(TO_CLIENT)
        self._first_name = name
        self._names = 0
        self._joining = 0
        self._unlocking = (0, 0)
        self._unlocker = Unlocker(join.secret if join is not None else "")
        self._tables: tuple[TableLine, ...] = ()

    @property
    def view(self) -> TableView | None:
        """What the bot sees of its table; `None` while it is at none."""
        return self._thoughts.view

    # The link's side ----------------------------------------------------------------------------

    def opened(self, link: Link) -> None:
        """Greet, or come back."""
        self._mouth.link = link
        self._reader = FrameReader(TO_CLIENT)
        self._thoughts.afresh()
        self._joining, self.bye = 0, ""
        if self._who is not None and self._who.known:
            self._mouth.say(self._who.resume(_client()))
        else:
            self._greet(self.name)

    def _greet(self, name: str) -> None:
        self.name = name
        self._names += 1
        key = b"" if self._who is None else self._who.hash
        self._mouth.say(Hello(versions=VERSIONS, client=_client(), name=name, bot=True, key=key))

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
        self._thoughts.leave()
        self._mouth.link = None

    def close(self) -> None:
        """Stop thinking and end the connection."""
        self._thoughts.rest()
        if self._mouth.link is not None:
            self._mouth.link.close()

    def leave(self) -> None:
        """Leave the table for good, then close."""
        if self.view is not None:
            self._mouth.say(Leave(id=self._mouth.new_id()))
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
                if self.view is not None:
                    self._see(replace(fold_all(self.view, events), rev=rev))
            case OwnHand(round=number, dice=dice, seed=seed):
                if self.view is not None and number == self.view.round:
                    self._see(with_hand(self.view, dice, seed))
            case Refused(re=re, reason=reason):
                self._was_refused(re, reason)
            case Tables(tables=tables):
                self._choose_table(tables)
            case Away():
                self._was_sent_away()
            case Ping(now=now):
                self._mouth.say(Pong(now=now))
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
        if self._who is not None and self._mouth.link is not None:
            proof = self._who.prove(nonce, self._mouth.link.certificate)
        if proof is not None:
            self._mouth.say(proof)

    def _came_to(self, view: TableView) -> None:
        if self._join is not None and self.view is None:
            self._join.came_to(view.table, back=self.resumed)
        self._joining = 0
        self._thoughts.afresh()  # a view afresh may have swallowed an answer
        self._see(view)

    def _choose_table(self, tables: tuple[TableLine, ...]) -> None:
        self._tables = tables
        if self._join is None or self.view is not None or self._joining:
            return
        table = self._join.choose(tables)
        if table is None:
            self._join.tell_waiting()
        else:
            self._joining = self._mouth.new_id()
            self._mouth.say(Join(id=self._joining, table=table))

    def _was_sent_away(self) -> None:
        view = self.view
        self._thoughts.leave()
        if self._join is not None and view is not None:
            self._join.sent_away(view.table)
            self._join.tell(f"left table {view.table}")

    def _unlock(self) -> None:
        """Answer the question for join words, or go elsewhere."""
        table = self._unlocker.table
        certificate = b"" if self._mouth.link is None else self._mouth.link.certificate
        answer = self._unlocker.answer(self._mouth.new_id(), certificate)
        if answer is None:
            self._is_locked_out(table)
        else:
            self._unlocking = answer.id, table
            self._mouth.say(answer)

    def _was_done(self, request: int) -> None:
        number, table = self._unlocking
        if request != number:
            return
        self._unlocking = (0, 0)
        if table != SERVER:
            self._joining = self._mouth.new_id()
            self._mouth.say(Join(id=self._joining, table=table))

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
        self._thoughts.refused(request, reason)

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

    def _see(self, view: TableView) -> None:
        self._tell_end(self.view, view)
        self._thoughts.see(view)

    def _tell_end(self, before: TableView | None, view: TableView) -> None:
        seat = view.my_seat
        ends = before is not None and before.phase is not Phase.OVER and view.phase is Phase.OVER
        if self._join is not None and ends and seat != NO_SEAT:
            self._join.tell(f"game over, place {view.seats[seat].place}")


def _client() -> str:
    return f"perudo-bot {program_version()}"[:64]
