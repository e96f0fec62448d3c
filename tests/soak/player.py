"""A scripted player: sits at the one table, plays by its view, and always comes back.

It keeps everything that it asked for until the answer comes, and asks again, with the same numbers,
when it has come back. All that it was told is kept in `told`, to be held against the journal.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter

from msgspec.structs import replace

from perudo_bot.brain import Brain
from perudo_bot.comeback import Comeback
from perudo_bot.moments import Todo, Work, act_for, todo
from perudo_protocol import messages as m
from perudo_protocol import returning
from perudo_protocol.story import AnyEvent, Committed, Started, fold, with_hand
from perudo_protocol.version import VERSIONS
from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import NO_SEAT, Phase, Player
from perudo_protocol.words import ErrorWord

from .evening import Answer, Evening, Move, Told, act_of
from .line import Line
from .shares import Misused, Shares
from .witness import Untrue, Witness

HARMLESS = {"stale", "slow_down", "game_on", "not_your_turn", "not_seated", "not_host", "too_few"}
"""Refusals that meet an act which was right when it was thought of."""
BREATH = 0.3
"""Seconds before another try after a refusal."""


class Scripted:
    """One player with all their lives; see `Line` for what is heard of each connection."""

    harmless = HARMLESS

    def __init__(self, name: str, evening: Evening, rng: random.Random) -> None:
        self.name = name
        self._evening = evening
        self._rng = rng
        self._brain = Brain(random.Random(rng.getrandbits(64)))
        loop = asyncio.get_running_loop()
        self._loop = loop
        self.comeback = Comeback(self._dial, loop.time, chance=rng.random)
        self.line: Line | None = None
        self.person = 0
        self.settled = False
        """Whether the server has acknowledged that the player is at the table."""
        self.view: TableView | None = None
        self.pending: dict[int, m.Request] = {}
        self.answers: list[Answer] = []
        self.told: list[Told] = []
        self.asked_again: list[tuple[int, int, int]] = []
        """Person, request and the server's clock at each request that was sent again."""
        self.counts: Counter[str] = Counter()
        self.acts: set[Move] = set()
        """All that was asked for in games."""
        self.chat: Counter[str] = Counter()
        self._key = b""
        self._nonce = b""
        self._id = rng.randrange(2**40)
        self._seats: dict[int, int] = {}
        self._shares = Shares(rng)
        self.witness = Witness(evening.facts)
        self._lost = 0.0
        self._lid = False
        self._timer: asyncio.TimerHandle | None = None
        self._todo: Todo | None = None
        self._waits_for: int = 0
        """The request whose answer the player waits for before thinking on."""

    # The connection --------------------------------------------------------------------------

    def come(self) -> None:
        """Connect, as soon as that is possible."""
        self._lost = self._loop.time()
        self.comeback.begin()

    async def _dial(self) -> None:
        self.line = Line(self)
        await self.line.dial(self._evening.port)

    def tear(self, *, reset: bool) -> None:
        """Lose the connection, now."""
        if self.line is not None:
            self.line.tear(reset)

    def close_lid(self, seconds: float) -> None:
        """Be away for so long: nothing is heard, nothing is tried."""
        self._lid, self.settled = True, False
        self.counts["lids"] += 1
        self.tear(reset=False)
        self.comeback.stop()
        self._loop.call_later(seconds, self._open_lid)

    def _open_lid(self) -> None:
        self._lid = False
        self.come()

    def end(self) -> None:
        """Go, without a word."""
        self._lid = True
        self._stop_timer()
        self.comeback.stop()
        self.tear(reset=False)

    def opened(self, line: Line) -> None:
        if self.person:
            self._nonce = self._rng.randbytes(returning.SIZE)
            again = m.Resume(
                versions=VERSIONS, client="soak", person=self.person, nonce=self._nonce
            )
            line.send(again)
        else:
            self._greet(line)

    def _greet(self, line: Line) -> None:
        self._key = self._rng.randbytes(returning.SIZE)
        key = returning.hashed(self._key)
        line.send(m.Hello(versions=VERSIONS, client="soak", name=self.name, key=key))

    def lost(self, line: Line) -> None:
        if line is not self.line:
            return
        self.line = None
        self._stop_timer()
        if self._lid:
            return
        if self.comeback.began is None:
            self._lost = self._loop.time()
            self.comeback.begin()

    def _send(self, message: m.FromClient) -> None:
        """Say something; before the welcome nothing is said, but what is pending follows it."""
        if self.line is not None and self.line.inside:
            self.line.send(message)
            self._evening.sent(self, message)

    def _ask(self, request: m.Request) -> None:
        self.pending[request.id] = request
        self._seats[request.id] = NO_SEAT if self.view is None else self.view.my_seat
        self.counts["asked"] += 1
        if (act := act_of(request, self._seats[request.id])) is not None:
            self.acts.add(act)
        self._send(request)

    def new_id(self) -> int:
        """Give a number that no request of any life had."""
        self._id += 1
        return self._id

    # What the server says --------------------------------------------------------------------

    def hear(self, line: Line, message: m.ServerMessage) -> None:
        if line is not self.line:
            return
        try:
            self._hear(line, message)
        except (Untrue, Misused) as wrong:
            self._evening.wrong(f"{self.name}: {wrong}")
        self._evening.news()

    def _hear(self, line: Line, message: m.ServerMessage) -> None:
        match message:
            case m.Nonce(nonce=nonce):
                proof = returning.prove(self._key, self.person, self._nonce, nonce)
                line.send(m.Prove(proof=proof))
            case m.Welcome():
                self._let_in(line, message)
            case m.Error():
                self._not_let_in(line, message)
            case m.Tables():
                self._go_to_table()
            case m.View(view=view):
                self._came(view)
            case m.Update(rev=rev, events=events):
                self._moved(rev, events)
            case m.OwnHand(round=number, dice=dice, seed=seed):
                self._got(number, dice, seed)
            case m.Done(re=re):
                self._answered(re, "")
            case m.Refused(re=re, reason=reason):
                self._answered(re, reason)
            case m.Said(name=name, text=text):
                self.chat[f"{name}: {text}"] += 1
            case m.Ping(now=now):
                line.send(m.Pong(now=now))
            case m.Notice(notice=notice):
                self._evening.wrong(f"{self.name} was told {notice}")
            case m.Bye(reason=reason):
                self.counts[f"bye {reason}"] += 1
            case _:
                self._evening.wrong(f"{self.name} was told {message!r}")

    def _let_in(self, line: Line, welcome: m.Welcome) -> None:
        if not line.welcomed.done():
            line.welcomed.set_result(None)
        self.comeback.stop()
        if welcome.resumed and welcome.person != self.person:
            self._evening.wrong(f"{self.name} was {self.person} and is {welcome.person}")
        if welcome.resumed:
            self.counts["resumed"] += 1
            self._evening.resumed(self, self._lost)
            for request in self.pending.values():
                self.counts["re-sent"] += 1
                self.asked_again.append((self.person, request.id, welcome.now))
                self._send(request)
        else:
            self.person, self.view, self.settled = welcome.person, None, False
            self.counts["greeted"] += 1
            self.pending.clear()
            self._waits_for = 0

    def _not_let_in(self, line: Line, error: m.Error) -> None:
        if error.error == ErrorWord.BAD_PROOF and not self.settled:
            self.person = 0  # nobody is waited for who never came to a table, or was away too long
            self.counts["bad_proof"] += 1
            self._greet(line)
        else:
            self._evening.wrong(f"{self.name} (settled={self.settled}) was told {error!r}")

    def _go_to_table(self) -> None:
        if self.view is not None:
            self._evening.wrong(f"{self.name} was sent from the table to the list")
        if self.pending:
            return
        if self._evening.table:
            self._ask(m.Join(id=self.new_id(), table=self._evening.table))
        else:
            options = self._evening.options
            self._ask(m.Make(id=self.new_id(), name="Soak", options=options))

    def _came(self, view: TableView) -> None:
        before, self.view = self.view, view
        if self._evening.table not in (0, view.table):
            self._evening.wrong(f"{self.name} is at table {view.table}")
        self._evening.table = view.table
        self.settled = True
        self.told.append(Told(view.game, view))
        if before is not None and before.my_seat == view.my_seat:
            self._same_hand(before, view)
        self.witness.view(view)
        self._has_one_host(view)
        for message in self._shares.come_back(view):
            self._send(message)
        self._todo = None
        self._think()

    def _same_hand(self, before: TableView, view: TableView) -> None:
        same = (before.game, before.round) == (view.game, view.round)
        if same and before.hand and before.phase is view.phase and before.hand != view.hand:
            self._evening.wrong(f"{self.name} had {before.hand} and has {view.hand} in {view!r}")
        if same and before.hand:
            self.counts["same hand"] += 1

    def _moved(self, rev: int, events: tuple[AnyEvent, ...]) -> None:
        view = self.view
        if view is None or rev != view.rev + 1:
            self._evening.wrong(f"{self.name} at {view and view.rev} was told revision {rev}")
            return
        for event in events:
            before, view = view, fold(view, event)
            self.told.append(Told(view.game, event))
            self.witness.event(before, event, view)
        self.view = replace(view, rev=rev)
        self._has_one_host(self.view)
        if any(isinstance(event, Started) for event in events):
            for message in self._shares.promise(self.view):
                self._send(message)
        for message in self._shares.answer(self.view) if _commits(events) else ():
            self._send(message)
        self._think()

    def _got(self, number: int, dice: tuple[int, ...], seed: bytes) -> None:
        if self.view is None or number != self.view.round:
            self._evening.wrong(f"{self.name} got dice of round {number}")
            return
        self.view = with_hand(self.view, dice, seed)
        self.witness.hand(self.view)
        self._think()

    def _has_one_host(self, view: TableView) -> None:
        people = {s.person for s in view.seats if s.player is Player.PERSON}
        people |= {person.person for person in view.watchers}
        if view.host not in people:
            self._evening.wrong(f"{self.name} sees host {view.host}, who is not among {people}")

    def _answered(self, number: int, reason: str) -> None:
        request = self.pending.pop(number, None)
        if request is None:
            self._evening.wrong(f"{self.name} got an answer to {number}, which waits for none")
            return
        self.answers.append(Answer(self.person, self._seats[number], request, reason))
        if reason and reason not in self.harmless:
            self._evening.wrong(f"{self.name} asked {request!r}: {reason}")
        if not reason and isinstance(request, (m.Make, m.Join)):
            self.settled = True
        self.counts[reason or "done"] += 1
        if number == self._waits_for:
            self._waits_for = 0
            self._todo = None
            self._think(BREATH if reason else 0.0)

    # What the player does --------------------------------------------------------------------

    def _think(self, rest: float = 0.0) -> None:
        """Begin a thought where there is something new to do."""
        view = self.view
        if view is None or self._waits_for:
            return
        now = todo(view)
        if now is not None and now == self._todo:
            return
        self._stop_timer()
        self._todo = now
        wait = rest + self._rng.uniform(0, self._evening.pace)
        self._timer = self._loop.call_later(wait, self._do)

    def _do(self) -> None:
        self._timer = None
        view = self.view
        if view is None or self.line is None or self._waits_for:
            return
        if self._rng.random() < 0.03:
            self._ask(m.Say(id=self.new_id(), text=f"line {self._id}"))
        between = view.phase in (Phase.LOBBY, Phase.OVER)
        if between and view.host == view.you and self._evening.may_start(view):
            kind = m.Start if view.phase is Phase.LOBBY else m.Rematch
            self._wait_for(kind(id=self.new_id()))
        elif between:
            self._timer = self._loop.call_later(BREATH, self._do)
        elif (now := todo(view)) is not None:
            self._work(now.work, view)

    def _work(self, work: Work, view: TableView) -> None:
        number = self.new_id()
        match work:
            case Work.MOVE:
                self._wait_for(act_for(view, self._brain.choose(view), number))
            case Work.INTERJECT if call := self._brain.interject(view):
                self._wait_for(act_for(view, call, number))
            case Work.READY:
                self._wait_for(m.SetReady(id=number, game=view.game, round=view.round))

    def _wait_for(self, request: m.Request) -> None:
        self._waits_for = request.id
        self._ask(request)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def _commits(events: tuple[AnyEvent, ...]) -> bool:
    return any(isinstance(event, Committed) for event in events)
