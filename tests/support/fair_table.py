"""A house whose dice can be checked, players who take part in the draws, and a checker of stories.

The checker follows `protocol/README.md`, over what one peer was sent and nothing else.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any, NamedTuple

from perudo_protocol import fairness
from perudo_protocol import messages as m
from perudo_protocol import story as ev
from perudo_protocol.fairness import Draw

from .house import ChosenDice, HouseOfTests, Peer


class FairDice(ChosenDice):
    """Seeds that no test can mistake for each other, and dice that follow from them."""

    def __init__(self, faces: Sequence[int] = ()) -> None:
        super().__init__(faces)
        self.seeds: list[bytes] = []
        """All seeds that were ever drawn."""

    def seed(self) -> bytes:
        self.seeds.append(super().seed())
        return self.seeds[-1]

    def hand(self, draw: Draw, seat: int, seed: bytes, mixed: bytes, number: int) -> Any:
        return fairness.dice(draw, seat, seed, mixed, number)


class FairPeer(Peer):
    """A player who promises entropy at each start, and opens it as soon as it is asked for."""

    def __init__(self, which: int) -> None:
        super().__init__()
        self.takes_part = True
        self.holds = False
        """Keeps what it would answer in `held` instead of sending it."""
        self.lies = False
        """Answers with entropy that was not promised."""
        self.held: list[m.Entropy] = []
        self.entropies: list[bytes] = []
        """All that were ever drawn, the newest last."""
        self.sent: dict[tuple[int, int], m.Entropy] = {}
        """What was answered, by round and attempt: after a loss of the line it is sent again."""
        self.entropy = b""
        self._which = which

    def hear(self, message: m.ServerMessage) -> None:
        super().hear(message)
        if isinstance(message, m.Update) and self.takes_part:
            for event in message.events:
                self._take_part(event)

    def _take_part(self, event: ev.AnyEvent) -> None:
        if self.view is None or self.seat < 0:
            return
        match event:
            case ev.Started(game):
                self.send(m.Promise(game=game, promise=self.promise()))
            case ev.Committed(number, attempt, _, promises) if self.entropy:
                if promises[self.seat] == self.promised():
                    self._answer(number, attempt)

    def _answer(self, number: int, attempt: int) -> None:
        entropy = bytes(32) if self.lies else self.entropy
        answer = m.Entropy(
            game=self.at.game,
            round=number,
            attempt=attempt,
            entropy=entropy,
            promise=self.promise(),
        )
        self.sent[number, attempt] = answer
        if self.holds:
            self.held.append(answer)
        else:
            self.send(answer)

    def promise(self) -> bytes:
        """Draw new entropy and give the promise of it."""
        number = len(self.entropies)
        self.entropy = hashlib.sha256(b"entropy %d %d" % (self._which, number)).digest()
        self.entropies.append(self.entropy)
        return self.promised()

    def promised(self) -> bytes:
        """Give the promise of the newest entropy."""
        return fairness.promise(self.at.proof.game, self.seat, self.entropy)

    def release(self) -> None:
        """Send what was held back."""
        for answer in self.held:
            self.send(answer)
        self.held.clear()


class FairHouse(HouseOfTests):
    """Such dice, and everybody who comes is such a player."""

    def __init__(self, dice: Sequence[int] = (), **settings: Any) -> None:
        super().__init__(dice, **settings)
        self.lobby.dice = self.fair = FairDice(dice)
        self._peers = count(1)

    def new_peer(self) -> Peer:
        return FairPeer(next(self._peers))

    def fair_table(self, *names: str, bots: int = 0, **options: Any) -> list[FairPeer]:
        """Seat people and bots at a new table."""
        peers = self.table(*names, bots=bots, **options)
        return [peer for peer in peers if isinstance(peer, FairPeer)]

    def fair_game(self, *names: str, bots: int = 0, **options: Any) -> list[FairPeer]:
        """Seat people and bots, start, and deal the first round."""
        peers = self.fair_table(*names, bots=bots, **options)
        assert self.ask(peers[0], m.Start) == "done"
        self.ready(peers)
        return peers


class Round(NamedTuple):
    """A round as it was checked."""

    draw: Draw
    chain: bytes
    called: bool


def checked(heard: Sequence[m.ServerMessage]) -> list[Round]:
    """Check every draw of whole games that somebody saw from their start; gives the rounds."""
    return list(_Check().rounds(heard))


class _Check:
    """What is known of the present draw while a story is read."""

    def __init__(self) -> None:
        self.game, self.chain, self.round, self.attempt = "", b"", 0, -1
        self.committed = ev.Committed(0, 0, (), ())
        self.mixed = b""
        self.seen: set[bytes] = set()
        """All commitments and promises: none may come twice."""

    @property
    def draw(self) -> Draw:
        return Draw(self.game, self.committed.round, self.committed.attempt)

    def rounds(self, heard: Sequence[m.ServerMessage]) -> Iterator[Round]:
        you = seat = -1
        seats: dict[int, int] = {}
        for message in heard:
            match message:
                case m.View(view=view):
                    you, seat = view.you, view.my_seat
                    seats = {s.person: n for n, s in enumerate(view.seats) if s.person}
                case m.Update(events=events):
                    for event in events:
                        if isinstance(event, ev.People):
                            seats = {s.person: n for n, s in enumerate(event.seats) if s.person}
                            seat = seats.get(you, -1)
                        yield from self._event(event)
                case m.OwnHand(round=number, dice=hand, seed=seed):
                    assert number == self.round
                    self._hand(seat, hand, seed)

    def _event(self, event: ev.AnyEvent) -> Iterator[Round]:
        match event:
            case ev.Started(proof=game):
                assert game not in ("", self.game)
                self.game, self.chain = game, fairness.first_link(game)
                self.round, self.attempt = 0, -1
            case ev.Committed():
                self._commit(event)
            case ev.Opened(entropies):
                self._open(entropies)
            case ev.Dealt(number):
                assert number == self.committed.round == self.round + 1
                self.round, self.attempt = number, -1
            case ev.Called(cups=cups, seeds=seeds, chain=chain):
                shown = fairness.given(seeds)
                assert sorted(shown) == [n for n, hand in enumerate(cups) if hand]
                for seat, hand in enumerate(cups):
                    if hand:
                        self._hand(seat, hand, shown[seat])
                yield self._end(shown, chain, called=True)
            case ev.Won(chain=chain) if chain != self.chain:
                yield self._end({}, chain, called=False)

    def _commit(self, event: ev.Committed) -> None:
        assert event.round == self.round + 1
        assert event.attempt == self.attempt + 1
        assert bool(event.left_out) == bool(event.attempt)
        self.attempt, self.committed, self.mixed = event.attempt, event, b""
        fresh = [*filter(None, event.commitments), *filter(None, event.promises)]
        assert len({*fresh} | self.seen) == len(fresh) + len(self.seen)
        self.seen.update(fresh)

    def _open(self, entropies: Sequence[bytes]) -> None:
        opened = fairness.given(entropies)
        promises = fairness.given(self.committed.promises)
        assert {s: fairness.promise(self.game, s, e) for s, e in opened.items()} == promises
        self.mixed = fairness.mix(self.draw, opened)

    def _hand(self, seat: int, hand: Sequence[int], seed: bytes) -> None:
        assert self.committed.commitments[seat] == fairness.commitment(self.draw, seat, seed)
        assert fairness.dice(self.draw, seat, seed, self.mixed, len(hand)) == tuple(hand)

    def _end(self, seeds: dict[int, bytes], chain: bytes, *, called: bool) -> Round:
        commitments = fairness.given(self.committed.commitments).items()
        link = fairness.next_link(self.chain, self.draw, commitments, self.mixed, seeds.items())
        assert link == chain
        self.chain = chain
        return Round(self.draw, chain, called)
