"""Checks every deal and every reveal of a game by what was told before (`perudo-fair/1`); pure.

A `Checker` is fed with all that came of a table, in order. The live client and `--verify` use the
same one. What is not right is a `Fault`, one a game: after it nothing is checked any more. Who
comes late takes the chain as it is told and checks from there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from perudo_protocol import fairness
from perudo_protocol import story as ev
from perudo_protocol.fairness import Draw
from perudo_protocol.messages import Entropy, Promise
from perudo_protocol.story import AnyEvent
from perudo_protocol.views import Reveal, TableView
from perudo_protocol.vocabulary import NO_SEAT, Phase

from .counting import counted_right
from .faults import Fault, FaultKind


@dataclass(frozen=True, slots=True)
class Checked:
    """All dice of a round were shown, and are right."""

    round: int
    seats: int
    dice: int
    chain: bytes
    shared: bool = True
    """Our own share is in these dice."""


@dataclass(frozen=True, slots=True)
class Unshown:
    """A round ended without a call; its link in the chain is right."""

    round: int
    chain: bytes
    shared: bool = True
    """Our own share is in these dice."""


@dataclass(frozen=True, slots=True)
class Anew:
    """A new attempt at a round's dice, without the seats whose share did not come."""

    round: int
    attempt: int
    left_out: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Excused:
    """Our share came late because this computer slept."""

    round: int


@dataclass(frozen=True, slots=True)
class Gap:
    """What happened before this round was not told to us: it is taken on trust."""

    round: int


@dataclass(frozen=True, slots=True)
class Without:
    """The dice of a round were dealt without our share."""

    round: int


Cups = Sequence[tuple[int, ...]]
Finding = Checked | Unshown | Anew | Excused | Gap | Without | Fault


class _Wrong(Exception):
    def __init__(self, kind: FaultKind, number: int, seat: int = NO_SEAT) -> None:
        super().__init__(kind)
        self.fault = Fault(kind, number, seat)


@dataclass(slots=True)
class _Drawn:
    """The draw that goes on, or whose dice lie under the cups."""

    draw: Draw
    commitments: dict[int, bytes]
    promises: dict[int, bytes]
    entropies: tuple[bytes, ...] = ()
    dealt: bool = False
    ended: bool = False
    seed: bytes = b""
    hand: tuple[int, ...] = ()
    told: Reveal | None = None
    """The reveal that ended it, without what came of it."""

    @property
    def opened(self) -> bool:
        return bool(self.entropies)

    @property
    def mixed(self) -> bytes:
        return fairness.mix(self.draw, fairness.given(self.entropies))

    @property
    def moment(self) -> tuple[int, int]:
        return self.draw.round, self.draw.attempt


@dataclass(slots=True)
class _Own:
    """What is known of our own share."""

    promise: bytes = b""
    certain: bool = False
    """The server has this promise for sure: it has answered to something said later."""
    answered: tuple[int, int] = (0, -1)
    """Round and attempt of the draw that we answered last."""
    entropy: bytes = b""
    """What we opened then."""


@dataclass(slots=True)
class Checker:
    """Checks one game after another."""

    fault: Fault | None = None
    """What is wrong with this game; nothing more is looked for then."""
    sound: int = 0
    """How many deals and reveals of this game were found right."""
    shared: bool = False
    """Whether our own share is in the dice of the present round."""
    game: str = ""
    """The game's id in all hashes; empty for none, and where the server offers no proof."""
    _number: int = 0
    _chain: bytes = b""
    _drawn: _Drawn | None = None
    _own: _Own = field(default_factory=_Own)

    def forget(self) -> None:
        """Begin afresh: we are at no table any more."""
        self._begin(0, "", b"")

    def _begin(self, number: int, game: str, chain: bytes) -> None:
        self.fault, self.sound, self.shared = None, 0, False
        self.game, self._number, self._chain = game, number, chain
        self._drawn, self._own = None, _Own()

    # What comes --------------------------------------------------------------------------------

    def own(self, message: Promise | Entropy) -> None:
        """Hear what we ourselves say."""
        own = self._own
        if isinstance(message, Entropy):
            own.answered = message.round, message.attempt
            own.entropy = message.entropy
        own.promise, own.certain = message.promise, False

    def view(self, view: TableView) -> list[Finding]:
        """Take a whole picture in, which must not contradict what was told."""
        if view.phase is Phase.LOBBY:
            self.forget()
            return []
        if view.game != self._number:
            self._begin(view.game, view.proof.game, view.proof.chain)
        try:
            return self._view(view)
        except _Wrong as wrong:
            return self._failed(wrong)

    def event(self, before: TableView, event: AnyEvent, asleep: bool = False) -> list[Finding]:
        """Take one step of the story in; `before` is the view before it, and `asleep` says that
        this computer has just slept."""
        if isinstance(event, ev.Started):
            self._begin(event.game, event.proof, fairness.first_link(event.proof))
            return []
        if self.fault is not None or not self.game:
            return []
        try:
            return self._event(before, event, asleep)
        except _Wrong as wrong:
            return self._failed(wrong)

    def hand(self, view: TableView) -> list[Finding]:
        """Take our own dice in; they are in the view."""
        if self.fault is not None or not self.game:
            return []
        try:
            self._hand(view, view.seats[view.my_seat].dice if view.my_seat != NO_SEAT else 0)
        except _Wrong as wrong:
            return self._failed(wrong)
        return []

    def _failed(self, wrong: _Wrong) -> list[Finding]:
        self.fault = wrong.fault
        return [wrong.fault]

    def _event(self, before: TableView, event: AnyEvent, asleep: bool) -> list[Finding]:
        match event:
            case ev.Committed():
                return self._committed(before, event, asleep)
            case ev.Opened(entropies):
                self._opened(before, entropies)
            case ev.Dealt(number):
                return self._dealt(before, number)
            case ev.Called(_, _, _, _, cups, seeds, chain):
                return [self._called(before, cups, seeds, chain, ev.fold(before, event).reveal)]
            case ev.Won(chain=chain):
                return self._won(chain)
            case ev.Ready(seat, True) if seat == before.my_seat:
                self._own.certain = bool(self._own.promise)  # it was said after the promise
            case _:
                pass
        return []

    # The draw ----------------------------------------------------------------------------------

    def _committed(self, before: TableView, told: ev.Committed, asleep: bool) -> list[Finding]:
        number, last = told.round, self._drawn
        if number != before.round + 1 or (last is not None and last.dealt and not last.ended):
            raise _Wrong(FaultKind.CHANGED, number)
        again = last is not None and not last.ended and last.draw.round == number
        expected = last.draw.attempt + 1 if again and last is not None else 0
        if told.attempt != expected or (again and last is not None and last.opened):
            raise _Wrong(FaultKind.CHANGED, number)
        if again and not told.left_out:
            raise _Wrong(FaultKind.ABSENCE, number)
        commitments, promises = fairness.given(told.commitments), fairness.given(told.promises)
        _complete(before, number, commitments)
        self._drawn = _Drawn(Draw(self.game, number, told.attempt), commitments, promises)
        findings: list[Finding] = []
        if told.attempt:
            findings.append(Anew(number, told.attempt, told.left_out))
        if before.my_seat in commitments:
            findings += self._own_promise(before.my_seat, told, asleep)
        return findings

    def _own_promise(self, seat: int, told: ev.Committed, asleep: bool) -> list[Finding]:
        own, listed = self._own, fairness.given(told.promises).get(seat, b"")
        if not own.promise:
            return []
        answered = own.answered == (told.round, told.attempt - 1)
        if answered and seat in told.left_out:
            if not asleep:
                raise _Wrong(FaultKind.ABSENCE, told.round, seat)
            return [Excused(told.round)]
        if listed == own.promise:
            own.certain = True
            return []
        if answered:  # whoever answers is in the next attempt, or named
            raise _Wrong(FaultKind.LEFT_OUT, told.round, seat)
        if own.certain:
            kind = FaultKind.CHANGED if listed else FaultKind.LEFT_OUT
            raise _Wrong(kind, told.round, seat)
        return []

    def _opened(self, before: TableView, entropies: tuple[bytes, ...]) -> None:
        drawn = self._drawn
        if drawn is None or drawn.opened:
            raise _Wrong(FaultKind.CHANGED, before.round + 1)
        self._mix(drawn, before.my_seat, entropies, len(before.seats))

    def _mix(self, drawn: _Drawn, mine: int, entropies: tuple[bytes, ...], seats: int) -> None:
        number, own = drawn.draw.round, self._own
        shared = own.answered == drawn.moment and mine in drawn.promises
        if len(entropies) != seats:
            raise _Wrong(FaultKind.MISSING, number)
        order = sorted(range(seats), key=lambda seat: seat != mine)  # our own share first
        for seat in order:
            promised, entropy = drawn.promises.get(seat, b""), entropies[seat]
            opened = fairness.promise(self.game, seat, entropy) if entropy else b""
            if opened != promised or (seat == mine and shared and entropy != own.entropy):
                raise _Wrong(FaultKind.LEFT_OUT, number, seat)
        drawn.entropies = entropies
        if shared:
            own.certain = True  # our next promise came with the share that is in here

    def _dealt(self, before: TableView, number: int) -> list[Finding]:
        drawn = self._drawn
        if drawn is None or not drawn.opened or drawn.dealt or drawn.draw.round != number:
            raise _Wrong(FaultKind.MISSING, number)
        if number != before.round + 1:
            raise _Wrong(FaultKind.TWO_STORIES, number)
        _complete(before, number, drawn.commitments)
        drawn.dealt = True
        return self._without(before.my_seat, drawn)

    def _hand(self, view: TableView, number_of_dice: int) -> None:
        drawn, mine, number = self._drawn, view.my_seat, view.round
        if drawn is None or not drawn.dealt or drawn.draw.round != number or not view.seed:
            raise _Wrong(FaultKind.MISSING, number, mine)
        if drawn.hand and (drawn.hand, drawn.seed) != (view.hand, view.seed):
            raise _Wrong(FaultKind.TWO_STORIES, number, mine)
        _dice(drawn, mine, view.seed, view.hand, number_of_dice)
        drawn.hand, drawn.seed = view.hand, view.seed
        self.sound += 1

    # The end of a round ------------------------------------------------------------------------

    def _called(
        self,
        before: TableView,
        cups: Cups,
        seeds: Sequence[bytes],
        chain: bytes,
        reveal: Reveal | None,
    ) -> Finding:
        drawn, number = self._drawn, before.round
        if drawn is None or not drawn.dealt or drawn.ended or drawn.draw.round != number:
            raise _Wrong(FaultKind.MISSING, number)
        dice = [seat.dice for seat in before.seats]
        _shown(drawn, before.my_seat, dice, cups, seeds)
        if before.my_seat in drawn.commitments and not drawn.hand:
            raise _Wrong(FaultKind.MISSING, number, before.my_seat)
        _counted(drawn, before, reveal)
        return self._linked(drawn, cups, seeds, chain)

    def _linked(self, drawn: _Drawn, cups: Cups, seeds: Sequence[bytes], chain: bytes) -> Finding:
        shown, number = fairness.given(seeds), drawn.draw.round
        commitments = sorted(drawn.commitments.items())
        link = fairness.next_link(
            self._chain, drawn.draw, commitments, drawn.mixed, sorted(shown.items())
        )
        if link != chain:
            raise _Wrong(FaultKind.TWO_STORIES, number)
        self._chain, drawn.ended = chain, True
        self.sound += 1
        if not shown:
            return Unshown(number, chain, self.shared)
        return Checked(number, len(shown), sum(map(len, cups)), chain, self.shared)

    def _won(self, chain: bytes) -> list[Finding]:
        drawn = self._drawn
        if drawn is not None and drawn.dealt and not drawn.ended:
            return [self._linked(drawn, (), (), chain)]
        if chain != self._chain:
            raise _Wrong(FaultKind.TWO_STORIES, 0 if drawn is None else drawn.draw.round)
        return []

    # A whole picture ---------------------------------------------------------------------------

    def _view(self, view: TableView) -> list[Finding]:
        if self.fault is not None or not self.game:
            return []
        proof, known = view.proof, self._drawn
        moment = (proof.round, proof.attempt)
        if proof.game != self.game or (known is not None and moment < known.moment):
            raise _Wrong(FaultKind.TWO_STORIES, view.round)
        if proof.round == 0:
            self._follows(fairness.first_link(self.game), proof.chain, 0)
            return []
        findings: list[Finding] = []
        if known is None or moment != known.moment:
            findings += self._catch_up(view, known)
        else:
            _agree(known, view)
        findings += self._picture(view)
        return findings

    def _catch_up(self, view: TableView, known: _Drawn | None) -> list[Finding]:
        """Take up a draw that began unseen; the round before it ends here if it was seen."""
        proof, findings = view.proof, list[Finding]()
        if known is not None and known.dealt and not known.ended:
            if (known.draw.round, proof.round) == (view.round, view.round + 1):
                findings.append(self._ended_unseen(known, view))
        same = known is not None and known.draw.round == proof.round
        follows = known is not None and known.ended and known.draw.round + 1 == proof.round
        if same and known is not None and known.opened:
            raise _Wrong(FaultKind.CHANGED, proof.round)
        if proof.round == 1:
            self._chain = fairness.first_link(self.game)
        elif not same and not follows:
            self._chain = b""  # not known from what we have seen
            if known is not None:
                findings.append(Gap(proof.round))
        draw = Draw(self.game, proof.round, proof.attempt)
        promises = fairness.given(proof.promises)
        self._drawn = _Drawn(draw, fairness.given(proof.commitments), promises)
        if self._own.promise and promises.get(view.my_seat) == self._own.promise:
            self._own.certain = True
        return findings

    def _ended_unseen(self, known: _Drawn, view: TableView) -> Finding:
        reveal, chain = view.reveal, view.proof.chain
        if reveal is None:
            raise _Wrong(FaultKind.MISSING, view.round)
        _shown(known, view.my_seat, None, reveal.cups, reveal.seeds)
        _counted(known, view, reveal)
        return self._linked(known, reveal.cups, reveal.seeds, chain)

    def _picture(self, view: TableView) -> list[Finding]:
        """Check a draw as a whole picture shows it."""
        drawn, proof = self._drawn, view.proof
        assert drawn is not None
        findings: list[Finding] = []
        number = proof.round
        dealt = number == view.round
        ended = dealt and view.phase in (Phase.REVEAL, Phase.OVER)
        if drawn.ended:
            self._follows(self._chain, proof.chain, number)
            if dealt and view.phase is Phase.REVEAL and view.reveal is not None:
                if drawn.told != _as_called(view.reveal):
                    raise _Wrong(FaultKind.TWO_STORIES, number)
            return findings
        if not ended:
            _complete(view, number, drawn.commitments)
        if proof.entropies and not drawn.opened:
            self._mix(drawn, view.my_seat, proof.entropies, len(view.seats))
        if dealt and not drawn.opened:
            raise _Wrong(FaultKind.MISSING, number)
        if dealt and not drawn.dealt:
            drawn.dealt = True
            findings += self._without(view.my_seat, drawn)
        if dealt and view.hand:
            mine = view.seats[view.my_seat].dice if view.my_seat != NO_SEAT else 0
            self._hand(view, len(view.hand) if ended else mine)
        if not ended:
            self._follows(self._chain or proof.chain, proof.chain, number)
            self._chain = proof.chain
            return findings
        return [*findings, *self._picture_ended(view, drawn)]

    def _picture_ended(self, view: TableView, drawn: _Drawn) -> list[Finding]:
        reveal, chain = view.reveal, view.proof.chain
        cups, seeds = ((), ()) if reveal is None else (reveal.cups, reveal.seeds)
        if reveal is not None:
            _shown(drawn, view.my_seat, None, cups, seeds)
            _counted(drawn, view, reveal)
        elif view.phase is not Phase.OVER:
            raise _Wrong(FaultKind.MISSING, view.round)
        if self._chain:
            return [self._linked(drawn, cups, seeds, chain)]
        self._chain, drawn.ended = chain, True
        self.sound += 1
        return []

    def _follows(self, known: bytes, told: bytes, number: int) -> None:
        if known != told:
            raise _Wrong(FaultKind.TWO_STORIES, number)

    def _without(self, mine: int, drawn: _Drawn) -> list[Finding]:
        self.shared = self._own.answered == drawn.moment and mine in drawn.promises
        if self.shared or not self._own.promise:
            return []  # where we are new, no share is missed
        return [Without(drawn.draw.round)] if mine in drawn.commitments else []


def _complete(view: TableView, number: int, commitments: Mapping[int, bytes]) -> None:
    """See that there is a commitment for every seat with dice, and for no other."""
    dice = {seat for seat, each in enumerate(view.seats) if each.dice}
    if odd := dice ^ set(commitments):
        raise _Wrong(FaultKind.MISSING, number, min(odd))


def _dice(drawn: _Drawn, seat: int, seed: bytes, hand: Sequence[int], number: int) -> None:
    """See that a hand follows from its seed, and the seed from its commitment."""
    if fairness.commitment(drawn.draw, seat, seed) != drawn.commitments.get(seat):
        raise _Wrong(FaultKind.SWAPPED_SEED, drawn.draw.round, seat)
    if fairness.dice(drawn.draw, seat, seed, drawn.mixed, number) != tuple(hand):
        raise _Wrong(FaultKind.OTHER_DICE, drawn.draw.round, seat)


def _shown(
    drawn: _Drawn, mine: int, dice: Sequence[int] | None, cups: Cups, seeds: Sequence[bytes]
) -> None:
    """See that all cups of a round are right, and all seeds there; our own first.

    `dice` says how many each seat has; where that is not known any more, so many as are shown.
    """
    number, shown = drawn.draw.round, fairness.given(seeds)
    under = {seat for seat, hand in enumerate(cups) if hand}
    if odd := (set(drawn.commitments) ^ set(shown)) | (under - set(shown)):
        raise _Wrong(FaultKind.MISSING, number, min(odd))
    for seat in sorted(shown, key=lambda seat: seat != mine):
        hand = cups[seat] if seat < len(cups) else ()
        _dice(drawn, seat, shown[seat], hand, len(hand) if dice is None else dice[seat])
        if not hand or (seat == mine and drawn.hand and drawn.hand != hand):
            raise _Wrong(FaultKind.OTHER_DICE, number, seat)


def _counted(drawn: _Drawn, view: TableView, reveal: Reveal | None) -> None:
    """See that the shown dice were counted right."""
    if reveal is not None and not counted_right(reveal, bool(view.rules.get("wild_aces", True))):
        raise _Wrong(FaultKind.MISCOUNTED, drawn.draw.round)
    drawn.told = None if reveal is None else _as_called(reveal)


def _as_called(reveal: Reveal) -> Reveal:
    return replace(reveal, lost=(), gained=())


def _agree(known: _Drawn, view: TableView) -> None:
    """See that a picture shows the draw that we know."""
    proof = view.proof
    same = (
        fairness.given(proof.commitments) == known.commitments
        and fairness.given(proof.promises) == known.promises
        and (not known.opened or proof.entropies == known.entropies)
        and (not known.dealt or proof.round == view.round)
        and (not known.ended or view.phase in (Phase.REVEAL, Phase.OVER))
    )
    if not same:
        kind = FaultKind.TWO_STORIES if known.opened else FaultKind.CHANGED
        raise _Wrong(kind, proof.round)
