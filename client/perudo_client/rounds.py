"""The rounds of one game whose dice are proven, each step by those before it; pure.

What is not right raises `Wrong`. The steps come from `checking`; `pictures` does with a whole
picture what it shows of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from perudo_protocol import fairness
from perudo_protocol import story as ev
from perudo_protocol.views import Reveal, SeatView, TableView
from perudo_protocol.vocabulary import NO_SEAT

from .draws import (
    Cups,
    Drawn,
    as_called,
    as_told,
    see_complete,
    see_counted,
    see_dice,
    see_left_out,
    see_shown,
)
from .faults import FaultKind, Wrong
from .findings import Anew, Checked, Excused, Finding, Unshown, Without
from .own_share import OwnShare


@dataclass(slots=True, repr=False)
class Rounds:
    """One game, from its start or from where it was taken up."""

    game: str = ""
    """The game's id in all hashes; empty for none, and where the server offers no proof."""
    chain: bytes = b""
    """The link of the last round; empty where it is not known from what was seen."""
    seats: int = 0
    seat: int = NO_SEAT
    """The seat that is ours in this game, be it that a bot plays on in it."""
    whole: bool = False
    """Whether nothing of this game is taken on trust."""
    sound: int = 0
    """How many deals and reveals of this game were found right."""
    shared: bool = False
    """Whether our own share is in the dice of the present round."""
    skipped: bool = False
    """The last view showed that draws had gone by unseen."""
    drawn: Drawn | None = None
    """The last draw."""
    shown: tuple[int, Reveal | None] = (0, None)
    """The last round that has ended, and what its call showed."""
    share: OwnShare = field(default_factory=OwnShare)
    _named: set[int] = field(default_factory=set)
    """Who was left out in this round."""

    # The draw ----------------------------------------------------------------------------------

    def committed(self, before: TableView, told: ev.Committed, asleep: bool) -> list[Finding]:
        """Take in that a draw begins."""
        number, last = told.round, self.drawn
        if number != before.round + 1 or (last is not None and last.dealt and not last.ended):
            raise Wrong(FaultKind.CHANGED, number)
        again = last is not None and not last.ended and last.draw.round == number
        expected = last.draw.attempt + 1 if again and last is not None else 0
        if told.attempt != expected or (again and last is not None and last.opened):
            raise Wrong(FaultKind.CHANGED, number)
        drawn = as_told(self.game, told)
        if again and not told.left_out:
            raise Wrong(FaultKind.ABSENCE, number)
        see_complete(before.seats, drawn, promised=True)
        last = last if again else None
        return self.drawn_anew(drawn, last, before, excused=asleep, lost=False)

    def drawn_anew(
        self, drawn: Drawn, last: Drawn | None, view: TableView, *, excused: bool, lost: bool
    ) -> list[Finding]:
        """Take in a draw that has begun; `last` is the attempt before it, where that was seen."""
        number, attempt = drawn.moment
        if last is None:
            if not attempt or self.drawn is None or self.drawn.draw.round != number:
                self._named = set()
        self.drawn = drawn
        findings: list[Finding] = []
        if attempt:
            findings.append(Anew(number, attempt, drawn.left_out))
        mine = view.my_seat
        late = mine in drawn.commitments and self.share.listed(
            mine,
            drawn.moment,
            drawn.promises,
            drawn.left_out,
            skipped=self.skipped,
            excused=excused,
            lost=lost,
        )
        see_left_out(drawn, last, view.seats, self._named)
        self._named.update(drawn.left_out)
        return [*findings, Excused(number)] if late else findings

    def opened(self, before: TableView, entropies: tuple[bytes, ...]) -> None:
        """Take in that all promised entropy is told."""
        drawn = self.drawn
        if drawn is None or drawn.opened:
            raise Wrong(FaultKind.CHANGED, before.round + 1)
        self.mix(drawn, entropies)

    def mix(self, drawn: Drawn, entropies: tuple[bytes, ...]) -> None:
        """See that all opened entropy is as it was promised, ours too."""
        number, own = drawn.draw.round, self.share
        shared = own.in_draw(drawn.moment, drawn.promises)
        if len(entropies) != self.seats:
            raise Wrong(FaultKind.MISSING, number)
        order = sorted(range(len(entropies)), key=lambda seat: seat != own.seat)  # our own first
        for seat in order:
            promised, entropy = drawn.promises.get(seat, b""), entropies[seat]
            opened = fairness.promise(self.game, seat, entropy) if entropy else b""
            if opened != promised or (seat == own.seat and shared and entropy != own.entropy):
                raise Wrong(FaultKind.LEFT_OUT, number, seat)
        drawn.entropies = entropies
        if shared:
            own.mixed(drawn.moment)

    def dealt(self, before: TableView, number: int) -> list[Finding]:
        """Take in that the dice are dealt."""
        drawn = self.drawn
        if drawn is None or not drawn.opened or drawn.dealt or drawn.draw.round != number:
            raise Wrong(FaultKind.MISSING, number)
        if number != before.round + 1:
            raise Wrong(FaultKind.TWO_STORIES, number)
        see_complete(before.seats, drawn)
        return self.covered(drawn, before.seats)

    def covered(self, drawn: Drawn, seats: Sequence[SeatView]) -> list[Finding]:
        """Take in that the dice lie under the cups, so many as each seat has."""
        drawn.dealt, drawn.counts = True, tuple(seat.dice for seat in seats)
        return self.without(drawn)

    def without(self, drawn: Drawn) -> list[Finding]:
        """Say if our own share is not in these dice, and should be."""
        self.shared = self.share.in_draw(drawn.moment, drawn.promises)
        if self.shared or not self.share.known:
            return []  # where we are new, no share is missed
        return [Without(drawn.draw.round)] if self.seat in drawn.commitments else []

    def take_hand(self, view: TableView) -> None:
        """See that our own dice, which are in the view, follow from the draw."""
        drawn, mine, number = self.drawn, view.my_seat, view.round
        if mine == NO_SEAT:
            raise Wrong(FaultKind.TWO_STORIES, number)
        if drawn is None or not drawn.dealt or drawn.draw.round != number or not view.seed:
            raise Wrong(FaultKind.MISSING, number, mine)
        if drawn.hand and (drawn.hand, drawn.seed) != (view.hand, view.seed):
            raise Wrong(FaultKind.TWO_STORIES, number, mine)
        number_of_dice = drawn.counts[mine] if drawn.counts else len(view.hand)
        see_dice(drawn, mine, view.seed, view.hand, number_of_dice)
        drawn.hand, drawn.seed = view.hand, view.seed
        self.sound += 1

    # The end of a round ------------------------------------------------------------------------

    def called(
        self,
        before: TableView,
        cups: Cups,
        seeds: Sequence[bytes],
        chain: bytes,
        reveal: Reveal | None,
    ) -> Finding:
        """Take in a call, which shows all seeds and dice."""
        drawn, number = self.drawn, before.round
        if drawn is None or not drawn.dealt or drawn.ended or drawn.draw.round != number:
            raise Wrong(FaultKind.MISSING, number)
        see_shown(drawn, before.my_seat, cups, seeds)
        if before.my_seat in drawn.commitments and not drawn.hand:
            raise Wrong(FaultKind.MISSING, number, before.my_seat)
        return self.linked(drawn, before, reveal, chain)

    def linked(self, drawn: Drawn, view: TableView, reveal: Reveal | None, chain: bytes) -> Finding:
        """End a round, whose shown dice are right."""
        number = drawn.draw.round
        if reveal is not None:
            see_counted(drawn, view, reveal)
        seeds, cups = ((), ()) if reveal is None else (reveal.seeds, reveal.cups)
        shown = fairness.given(seeds)
        commitments = sorted(drawn.commitments.items())
        link = fairness.next_link(
            self.chain, drawn.draw, commitments, drawn.mixed, sorted(shown.items())
        )
        if link != chain:
            raise Wrong(FaultKind.TWO_STORIES, number)
        self.ended(drawn, reveal, chain)
        if not shown:
            return Unshown(number, chain, self.shared)
        return Checked(number, len(shown), sum(map(len, cups)), chain, self.shared)

    def ended(self, drawn: Drawn, reveal: Reveal | None, chain: bytes) -> None:
        """Take in that a round is over, and was right."""
        self.chain, drawn.ended = chain, True
        self.shown = drawn.draw.round, as_called(reveal)
        self.sound += 1

    def won(self, before: TableView, chain: bytes) -> list[Finding]:
        """Take in that the game is over; its last round may have ended without a call."""
        drawn = self.drawn
        if drawn is not None and drawn.dealt and not drawn.ended:
            return [self.linked(drawn, before, None, chain)]
        if chain != self.chain:
            raise Wrong(FaultKind.TWO_STORIES, 0 if drawn is None else drawn.draw.round)
        return []
