"""A house whose journal fails once, at a commit that the test chooses, and players who check that
nothing is told that is not durable."""

from __future__ import annotations

import random
from collections.abc import Sequence
from enum import Enum
from typing import Any

from perudo_protocol import messages as m
from perudo_protocol import returning
from perudo_protocol.story import AnyEvent, Committed, Started, fold
from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import NO_SEAT, Phase
from perudo_server import view
from perudo_server.journal_entry import Entry
from tests.soak.chronicle import Chronicle, Follower, check_answer
from tests.soak.evening import Answer, Told
from tests.soak.shares import Shares
from tests.soak.witness import Facts, Witness

from .fair_table import FairDice
from .held_clock import HeldClock
from .house import HouseOfTests, KeptJournal, Peer


class Fault(Enum):
    """What happens at the chosen commit."""

    NONE = "none"
    FAILS = "it fails, and works again later"
    DIES_BEFORE = "the server dies before it"
    DIES_AFTER = "the server dies after it, and nobody was told"


class FaultyJournal(KeptJournal):
    """Fails at one commit."""

    def __init__(
        self,
        clock: HeldClock,
        entries: Sequence[Entry] = (),
        at: int = 0,
        fault: Fault = Fault.NONE,
    ) -> None:
        super().__init__(clock, entries)
        self.calls = 0
        self.dead = False
        self._at = at
        self._fault = fault

    def commit(self) -> None:
        if self.dead or not self._buffer or self._flight:
            return
        self.calls += 1
        struck = self.calls == self._at
        if struck and self._fault is Fault.FAILS:
            self.works = False
        self.dead = struck and self._fault in (Fault.DIES_BEFORE, Fault.DIES_AFTER)
        if self.dead and self._fault is Fault.DIES_AFTER:
            self.durable += self._buffer
        if not self.dead:
            super().commit()

    def after_crash(self) -> FaultyJournal:
        return FaultyJournal(self._clock, self.durable)


class Soul:
    """What stays of a player over all connections."""

    def __init__(self, name: str, facts: Facts) -> None:
        self.name = name
        self.shares = Shares(random.Random(name))
        self.witness = Witness(facts)
        self.told: list[Told] = []
        self.follower = Follower()
        self.pending: m.Request | None = None
        self.seat = NO_SEAT
        self.person = 0
        self.settled = False
        """Whether a seat is kept for certain."""


class Player(Peer):
    """A peer with a soul: takes part in the draws, and looks at all that it is told."""

    def __init__(self, soul: Soul, house: FaultyHouse) -> None:
        super().__init__()
        self.soul = soul
        self._house = house

    def hear(self, message: m.ServerMessage) -> None:
        before = self.view
        super().hear(message)
        match message:
            case m.Welcome(person=person):
                self.soul.person = person
            case m.View(view=view):
                self.soul.settled = True
                self._told(view.game, view)
                self.soul.witness.view(view)
                self._say(self.soul.shares.come_back(view))
            case m.Update(events=events) if before is not None:
                self._heard(before, events)
            case m.OwnHand():
                self.soul.witness.hand(self.at)
            case m.Done(re=re):
                self._answered(re, "")
            case m.Refused(re=re, reason=reason):
                self._answered(re, reason)

    def _heard(self, before: TableView, events: tuple[AnyEvent, ...]) -> None:
        for event in events:
            after = fold(before, event)
            self._told(after.game, event)
            self.soul.witness.event(before, event, after)
            before = after
        if any(isinstance(event, Started) for event in events):
            self._say(self.soul.shares.promise(self.at))
        if any(isinstance(event, Committed) for event in events):
            self._say(self.soul.shares.answer(self.at))

    def _say(self, messages: list[m.FromClient]) -> None:
        for message in messages:
            self.send(message)

    def _told(self, game: int, what: TableView | AnyEvent) -> None:
        """See that what is told is durable already, at this very moment."""
        self.soul.told.append(Told(game, what))
        self._house.read()
        self.soul.follower.follow(self._house.chronicle, self.soul.told)

    def _answered(self, number: int, reason: str) -> None:
        soul = self.soul
        assert soul.pending is not None
        assert soul.pending.id == number
        self._house.read()
        request, soul.pending = soul.pending, None
        self._house.reasons.append(reason)
        if reason != "storage_full":
            answer = Answer(soul.person, soul.seat, request, reason)
            check_answer(self._house.chronicle, answer)


class FaultyHouse(HouseOfTests):
    """Three people at one table, of whom one drops, one leaves, and one is the host."""

    keys = True

    def __init__(self, at: int = 0, fault: Fault = Fault.NONE, **options: Any) -> None:
        super().__init__([6, 1, 1], entropy_seconds=3.0)
        self.dice = FairDice([6, 1, 1])
        self.journal: FaultyJournal = FaultyJournal(self.clock, (), at, fault)
        self.lobby = self._open()
        self.chronicle = Chronicle()
        self.reasons: list[str] = []
        self.facts = Facts()
        self.options = options
        self._soul = Soul("", self.facts)
        self.players = [self._greet(Soul(name, self.facts)) for name in ("Ana", "Bo", "Cy")]
        self.gone: set[int] = set()
        """Who has left for good."""
        self.away: set[int] = set()
        """Whose connection is lost, for now."""
        self.crashes = 0

    def read(self) -> None:
        """Read on in what is durable."""
        self.chronicle.take(self.journal.durable[self.chronicle.last :])

    def new_peer(self) -> Peer:
        return Player(self._soul, self)

    def _greet(self, soul: Soul) -> Player:
        self._soul = soul
        return as_player(self.peer(soul.name))

    # What goes wrong -------------------------------------------------------------------------

    def see_to_it(self) -> None:
        """Mend the journal when it has failed, start again when the server has died."""
        self.clock.settle()
        if self.journal.failing:
            self._wait_for_room()
        elif self.journal.dead:
            self._crash()

    def _wait_for_room(self) -> None:
        quiet = [len(p.soul.told) for p in self.players]
        self.clock.advance(100)  # nobody's time runs out meanwhile
        assert quiet == [len(p.soul.told) for p in self.players]
        self.journal.works = True
        self.journal.report()
        self.clock.settle()

    def _crash(self) -> None:
        self.crashes += 1
        self.restart()
        for number in range(len(self.players)):
            if number not in self.away | self.gone:
                self.back(number)

    def back(self, number: int) -> None:
        """Have somebody come back, and ask again what was not answered."""
        old = self.players[number]
        self._soul = old.soul
        peer = self.players[number] = self._resume(old)
        self.away.discard(number)
        self.see_to_it()
        if self.players[number] is not peer:
            return  # the server has died over it, and everybody has come back
        if peer.all(m.Error):  # who was away too long, or had not come to a table yet
            if isinstance(old.soul.pending, m.Leave):  # it was done: nobody waits any more
                old.soul.pending, old.soul.settled = None, False
                self.reasons.append("")
            assert not old.soul.settled
            hashed = returning.hashed(peer.key)
            peer.send(m.Hello(versions=(1,), client="test", name=old.soul.name, key=hashed))
            self.clock.settle()
        else:
            assert peer.last(m.Welcome).resumed
        if old.soul.pending is not None:
            peer.send(old.soul.pending)
        self.see_to_it()

    def _resume(self, old: Player) -> Player:
        peer = as_player(self.connect())
        peer.ids, peer.key = old.ids, old.key
        ours = random.Random(len(self.reasons)).randbytes(returning.SIZE)
        who = old.soul.person
        peer.send(m.Resume(versions=(1,), client="test", person=who, nonce=ours))
        self.clock.settle()
        proof = returning.prove(peer.key, who, ours, peer.last(m.Nonce).nonce)
        peer.send(m.Prove(proof=proof))
        return peer

    # What is done ----------------------------------------------------------------------------

    def want(self, who: int, kind: type[m.Request], **fields: Any) -> str:
        """Ask for something until it is answered, over every failure."""
        for _ in range(5):
            player = self.players[who]
            request = kind(id=player.new_id(), **fields)
            player.soul.pending = request
            player.soul.seat = NO_SEAT if player.view is None else player.seat
            player.send(request)
            self.see_to_it()
            assert player.soul.pending is None, f"{request} was never answered"
            if (reason := self.reasons[-1]) != "storage_full":
                return reason
        raise AssertionError("there is never room")

    def sit(self) -> None:
        """Have all three at one table, and the game begun."""
        assert not self.want(0, m.Make, name="Test", options=self.options)
        for number in (1, 2):
            assert not self.want(number, m.Join, table=self.players[0].at.table)
        assert not self.want(0, m.Start)

    def play(self, script: dict[int, tuple[str, int]], bound: int = 400) -> int:
        """Play to the end with what the script says at its steps; give how many there were."""
        for step in range(bound):
            self.see_to_it()
            if step in script:
                self._happen(*script[step])
            elif self.at.phase is Phase.OVER:
                return step
            else:
                self._step()
        raise AssertionError(f"no end: {self.at!r}")

    @property
    def at(self) -> TableView:
        """Give what one who is there sees."""
        return self.players[self._there()[0]].at

    def _there(self) -> list[int]:
        here = range(len(self.players))
        return [n for n in here if n not in self.away | self.gone and self.players[n].view]

    def _happen(self, what: str, number: int) -> None:
        match what:
            case "drop":
                self.away.add(number)
                self.players[number].soul.settled = False
                self.drop(self.players[number])
            case "back":
                self.back(number)
                if self.players[number].view is None:
                    self.want(number, m.Join, table=self.at.table)
            case "leave":
                assert not self.want(number, m.Leave)
                self.gone.add(number)
            case "pause" | "go on":
                self.want(number, m.Pause, on=what == "pause")
            case "wait":
                self.clock.advance(number)
            case _:
                raise AssertionError(what)

    def _step(self) -> None:
        at = self.at
        if at.phase is not Phase.BIDDING:
            self._be_ready(at)
        elif at.turn is not None:
            for number in self._there():
                if self.players[number].seat == at.turn.seat:
                    self._move(number)
                    return
            self.clock.advance(11)  # a bot's turn, or one of somebody who is away

    def _be_ready(self, at: TableView) -> None:
        for number in self._there():
            mine = self.players[number]
            if mine.seat != NO_SEAT and mine.mine.dice and not mine.mine.ready:
                self.want(number, m.SetReady, game=at.game, round=at.round)
                return
        self.clock.advance(5)

    def _move(self, number: int) -> None:
        player = self.players[number]
        options = player.at.options_for(player.seat)
        if options.may_dudo and len(player.at.ladder) >= 2:
            assert not self.want(number, m.Dudo, **player.stamp())
        else:
            face = next(f for f in range(6, 0, -1) if options.least[f - 1])
            bid = {"quantity": options.least[face - 1], "face": face}
            assert not self.want(number, m.PlaceBid, **bid, **player.stamp())

    # What must be so in the end --------------------------------------------------------------

    def fresh(self, number: int) -> TableView:
        """Give the picture that the server would send somebody now."""
        person = self.the_table().roster.find(self.players[number].soul.person)
        assert person is not None
        return view.build(self.the_table(), person)


def as_player(peer: Peer) -> Player:
    """Say that a peer of a `FaultyHouse` is what it is."""
    assert isinstance(peer, Player)
    return peer
