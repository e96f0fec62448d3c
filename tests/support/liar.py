"""A lying server against one real model, told what it likes: Ana (seat 0) is the victim, Ben (seat
1) is a puppet. It keeps the honest hashes, so that only its lie can be found."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

from msgspec.structs import replace

from perudo_client import happenings as h
from perudo_client.faults import Fault
from perudo_client.findings import Finding
from perudo_client.model import Model
from perudo_protocol import fairness
from perudo_protocol import messages as m
from perudo_protocol import story as ev
from perudo_protocol.codec import decode_server, encode
from perudo_protocol.fairness import Draw
from perudo_protocol.ruleset import STANDARD, to_wire
from perudo_protocol.views import Reveal, SeatView, TableView, Turn
from perudo_protocol.vocabulary import Bid, Call, Phase, Player

ANA, BEN = 0, 1
NONE = (b"", b"")
Seeds = Sequence[bytes]


class Liar:
    """Tells one model a game."""

    def __init__(self, *, seated: bool = True) -> None:
        self._drawn = count()
        self.model = Model(lambda: self.secret(b"ana"))
        self.now = 0.0
        self.said: list[m.Promise | m.Entropy] = []
        self.found: list[Finding] = []
        seats = (SeatView("Ana", Player.PERSON, 1), SeatView("Ben", Player.PERSON, 2))
        you = 1 if seated else 9
        rules = to_wire(STANDARD)
        self.view = TableView(table=1, name="T", rules=rules, rev=0, host=2, seats=seats, you=you)
        self.send(m.Welcome(version=1, server="x", name="L", person=you, you="Ana", now=0))
        self.show()

    def secret(self, kind: bytes) -> bytes:
        return hashlib.sha256(kind + b"%d" % next(self._drawn)).digest()

    # What is sent -------------------------------------------------------------------------------

    def send(self, message: m.ServerMessage) -> None:
        self.now += 0.01
        self.model.proving.beat(self.now)
        happened = self.model.apply(decode_server(encode(message)[4:]), self.now)
        self.said += self.model.proving.outgoing
        self.found += [each.finding for each in happened if isinstance(each, h.DiceProven)]

    def show(self, **changes: Any) -> None:
        """Send a changed view, which is so from now on."""
        self.view = replace(self.view, rev=self.view.rev + 1, **changes)
        self.send(m.View(view=self.view))

    def tell(self, *events: ev.AnyEvent) -> None:
        rev = self.view.rev + 1
        self.view = replace(ev.fold_all(self.view, events), rev=rev)
        self.send(m.Update(rev=rev, events=events))

    def come_back(self) -> None:
        """Cut the line; what comes next is a view after it."""
        welcome = m.Welcome(version=1, server="x", name="L", person=1, you="Ana", now=0)
        self.send(replace(welcome, resumed=True))

    # A game -------------------------------------------------------------------------------------

    def start(self, number: int = 1, game: str = "8f3a") -> None:
        self.tell(ev.Started(number, 5, game), ev.NextSet(BEN, False, 0))
        self.tell(ev.Ready(ANA, True))

    def draw(self, attempt: int = 0, number: int = 0) -> tuple[Draw, list[bytes]]:
        """Draw seeds for the next round."""
        draw = Draw(self.view.proof.game, number or self.view.round + 1, attempt)
        return draw, [self.secret(b"seed") for _ in self.view.seats]

    def commitments(self, draw: Draw, seeds: Seeds) -> tuple[bytes, ...]:
        return tuple(fairness.commitment(draw, seat, seed) for seat, seed in enumerate(seeds))

    def commit(
        self, draw: Draw, seeds: Seeds, promises: Seeds, left_out: tuple[int, ...] = ()
    ) -> ev.Committed:
        hashes = self.commitments(draw, seeds)
        return ev.Committed(draw.round, draw.attempt, hashes, tuple(promises), left_out)

    @property
    def promise(self) -> bytes:
        """What Ana has promised last."""
        return self.said[-1].promise

    @property
    def entropy(self) -> bytes:
        """What Ana has opened last."""
        last = self.said[-1]
        assert isinstance(last, m.Entropy)
        return last.entropy

    def hands(self, draw: Draw, seeds: Seeds, entropies: Seeds) -> tuple[tuple[int, ...], ...]:
        mixed = fairness.mix(draw, fairness.given(entropies))
        counts = [seat.dice for seat in self.view.seats]
        return tuple(
            fairness.dice(draw, seat, seed, mixed, counts[seat]) for seat, seed in enumerate(seeds)
        )

    def deal(self, draw: Draw, seeds: Seeds, entropies: Seeds) -> tuple[ev.AnyEvent, ...]:
        return ev.Opened(tuple(entropies)), ev.Dealt(draw.round, BEN, False), self.turn(BEN)

    def turn(self, seat: int) -> ev.TurnSet:
        return ev.TurnSet(seat, 0, (1,) * 6, (9,) * 6, (seat,), ())

    def hand(self, draw: Draw, seeds: Seeds, entropies: Seeds) -> None:
        dice = self.hands(draw, seeds, entropies)[ANA]
        self.view = ev.with_hand(self.view, dice, seeds[ANA])
        self.send(m.OwnHand(round=draw.round, dice=dice, seed=seeds[ANA]))

    def called(self, draw: Draw, seeds: Seeds, entropies: Seeds) -> Reveal:
        """Give an honest reveal of Ana's dudo on Ben's bid of three sixes."""
        cups = self.hands(draw, seeds, entropies)
        number = sum(die in (1, 6) for cup in cups for die in cup)
        lost = (BEN,) if number < 3 else (ANA,)
        right, bid = number < 3, Bid(3, 6)
        return Reveal(ANA, Call.DUDO, BEN, bid, number, right, cups, False, lost, (), tuple(seeds))

    def chain(self, draw: Draw, seeds: Seeds, entropies: Seeds) -> bytes:
        hashes = enumerate(self.commitments(draw, seeds))
        mixed = fairness.mix(draw, fairness.given(entropies))
        return fairness.next_link(self.view.proof.chain, draw, hashes, mixed, enumerate(seeds))

    def bid(self) -> None:
        self.tell(ev.BidPlaced(BEN, Bid(3, 6)), self.turn(ANA))

    def call(self, draw: Draw, seeds: Seeds, entropies: Seeds) -> None:
        """Tell the end of a round honestly."""
        shown, chain = self.called(draw, seeds, entropies), self.chain(draw, seeds, entropies)
        told = ev.Called(ANA, Call.DUDO, shown.count, shown.right, shown.cups, tuple(seeds), chain)
        self.tell(told, ev.DieLost(shown.lost[0]), ev.NextSet(BEN, False, 0))

    def fished(self) -> tuple[Draw, list[bytes], tuple[bytes, ...]]:
        """Commit honestly, and get Ana's share."""
        draw, seeds = self.draw()
        self.tell(self.commit(draw, seeds, (self.promise, b"")))
        return draw, seeds, (self.entropy, b"")

    def dealt(self) -> tuple[Draw, list[bytes], tuple[bytes, ...]]:
        """Deal honestly."""
        draw, seeds, entropies = self.fished()
        self.tell(*self.deal(draw, seeds, entropies))
        self.hand(draw, seeds, entropies)
        return draw, seeds, entropies

    def played(self) -> None:
        """Play a round honestly."""
        draw, seeds, entropies = self.dealt()
        self.bid()
        self.call(draw, seeds, entropies)

    def pictured(self, draw: Draw, seeds: Seeds, entropies: Seeds, **proof: Any) -> dict[str, Any]:
        """Give what a view says when a round has just been dealt."""
        shown = replace(
            self.view.proof,
            game=draw.game,
            round=draw.round,
            attempt=draw.attempt,
            commitments=self.commitments(draw, seeds),
            promises=NONE,
            entropies=tuple(entropies),
            left_out=(),
        )
        return {
            "phase": Phase.BIDDING,
            "round": draw.round,
            "proof": replace(shown, **proof),
            "hand": self.hands(draw, seeds, entropies)[ANA],
            "seed": seeds[ANA],
            "turn": Turn(BEN, 0, (1,) * 6, (9,) * 6, (), ()),
            "ladder": (),
            "reveal": None,
            "next": None,
        }

    # What came of it ----------------------------------------------------------------------------

    def faults(self) -> Iterator[Fault]:
        return (finding for finding in self.found if isinstance(finding, Fault))

    def opened(self) -> list[bytes]:
        """Give all entropy that Ana has opened."""
        return [said.entropy for said in self.said if isinstance(said, m.Entropy)]
