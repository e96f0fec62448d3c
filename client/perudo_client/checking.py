"""Checks every deal and every reveal of a game by what was told before (`perudo-fair/1`); pure.

A `Checker` is fed with all that came of a table, in order. The live client and `--verify` use the
same one. What is not right is a `Fault`, one a game: after it nothing is checked any more. Who
comes late takes the chain as it is told and checks from there.

This is all that an honest server may ever say of a game whose dice are proven:

- A game goes from `start` to `over`. Till then it has one number and one id, its seats are as many
  as there were, and no other game begins; nothing goes on after `over`, and no id comes twice.
- Our own seat is ours all the while, with these exceptions: a bot plays on in it, or it is given
  up, told in `people` by itself; only a fresh view gives it back, and just that seat.
- Each round has attempts 0, 1, 2 ... Each begins with `commit`: a commitment for every seat with
  dice and no other. An attempt after the first names whose share did not come: a share that was
  promised for the attempt before, or the share of a seat that was given up. Whoever is named is in
  no other draw of this round; so no server can draw again and again.
- A promise of ours that the server has for sure is in the next draw, and what we opened is in the
  mix of just that draw, unless we are named (see `own_share`).
- `open` tells all promised entropy; `deal` fixes how many dice each seat has until the reveal,
  which shows the seeds and dice of all of them, ours as they were dealt to us, and links the chain.
- A `view` says what was told, or what the next step would have told. Only where the line was lost,
  or we read so slowly that the server gave up telling us, may it be further. Then draws have gone
  by unseen: a new game, or a round without its end, is a `Gap`, after which the game is not
  `whole`; and we promise afresh, since our promise may have been used up in between.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from perudo_protocol import fairness
from perudo_protocol import story as ev
from perudo_protocol.fairness import Draw
from perudo_protocol.messages import Entropy, Promise
from perudo_protocol.story import AnyEvent
from perudo_protocol.views import NOBODY, Reveal, SeatView, TableView
from perudo_protocol.vocabulary import NO_SEAT, Phase, Player

from .draws import (
    Cups,
    Drawn,
    as_called,
    see_agreed,
    see_complete,
    see_counted,
    see_dice,
    see_left_out,
    see_shown,
)
from .faults import Fault, FaultKind, Wrong
from .findings import Anew, Checked, Excused, Finding, Gap, Unshown, Without
from .own_share import OwnShare

__all__ = ["Anew", "Checked", "Checker", "Excused", "Finding", "Gap", "Unshown", "Without"]

_BETWEEN = (Phase.LOBBY, Phase.OVER)
_OF_A_GAME = ev.Committed | ev.Opened | ev.Dealt | ev.Called | ev.Won


@dataclass(slots=True, repr=False)
class Checker:
    """Checks one game after another."""

    fault: Fault | None = None
    """What is wrong with this game; nothing more is looked for then."""
    sound: int = 0
    """How many deals and reveals of this game were found right."""
    shared: bool = False
    """Whether our own share is in the dice of the present round."""
    whole: bool = False
    """Whether nothing of this game is taken on trust."""
    skipped: bool = False
    """The last view showed that draws had gone by unseen."""
    game: str = ""
    """The game's id in all hashes; empty for none, and where the server offers no proof."""
    _number: int = 0
    _over: bool = False
    _seats: int = 0
    _seat: int = NO_SEAT
    """The seat that is ours in this game, be it that a bot plays on in it."""
    _since: int = -1
    _chain: bytes = b""
    _drawn: Drawn | None = None
    _named: set[int] = field(default_factory=set)
    """Who was left out in this round."""
    _shown: tuple[int, Reveal | None] = (0, None)
    """The last round that has ended, and what its call showed."""
    _own: OwnShare = field(default_factory=OwnShare)

    def forget(self) -> None:
        """Begin afresh: we are at no table any more."""
        self._begin(0, "", b"")

    def _begin(self, number: int, game: str, chain: bytes, seats: Sequence[SeatView] = ()) -> None:
        self.fault, self.sound, self.shared = None, 0, False
        self.whole = self.skipped = self._over = False
        self.game, self._number, self._chain = game, number, chain
        self._seats, self._seat, self._since = len(seats), NO_SEAT, -1
        self._drawn, self._own = None, OwnShare()
        self._named, self._shown = set(), (0, None)

    # What comes --------------------------------------------------------------------------------

    def own(self, message: Promise | Entropy) -> None:
        """Hear what we ourselves say."""
        self._own.said(message, self._seat, self._since)

    def view(self, view: TableView, asleep: bool = False) -> list[Finding]:
        """Take a whole picture in, which must not contradict what was told; `asleep` says that this
        computer has slept, or the line was lost, before it."""
        self.skipped = False
        try:
            return self._arrived(view, asleep)
        except Wrong as wrong:
            return self._failed(wrong)

    def event(self, before: TableView, event: AnyEvent, asleep: bool = False) -> list[Finding]:
        """Take one step of the story in; `before` is the view before it, and `asleep` says that
        this computer had slept before our last answer, or the line was lost after it."""
        try:
            return self._told(before, event, asleep)
        except Wrong as wrong:
            return self._failed(wrong)
        finally:
            if isinstance(event, ev.Won):
                self._over = True

    def hand(self, view: TableView) -> list[Finding]:
        """Take our own dice in; they are in the view."""
        if self.fault is not None or not self.game:
            return []
        try:
            self._hand(view)
        except Wrong as wrong:
            return self._failed(wrong)
        return []

    def _failed(self, wrong: Wrong) -> list[Finding]:
        self.fault = wrong.fault
        return [wrong.fault]

    @property
    def _on(self) -> bool:
        """Whether a game goes on whose dice are proven."""
        return bool(self.game) and not self._over

    def _told(self, before: TableView, event: AnyEvent, asleep: bool) -> list[Finding]:
        if isinstance(event, ev.Started) and not (self._on and self.fault is not None):
            return self._started(before, event)
        if self.fault is not None or not self.game:
            return []
        if self._over and isinstance(event, _OF_A_GAME):
            raise Wrong(FaultKind.TWO_STORIES, before.round)
        return self._event(before, event, asleep)

    def _event(self, before: TableView, event: AnyEvent, asleep: bool) -> list[Finding]:
        match event:
            case ev.People() if not self._over:
                self._people(before, event)
            case ev.SeatLeft(seat) if seat == before.my_seat:
                raise Wrong(FaultKind.TWO_STORIES, before.round, seat)
            case ev.Committed():
                return self._committed(before, event, asleep)
            case ev.Opened(entropies):
                self._opened(before, entropies)
            case ev.Dealt(number):
                return self._dealt(before, number)
            case ev.Called(_, _, _, _, cups, seeds, chain):
                return [self._called(before, cups, seeds, chain, ev.fold(before, event).reveal)]
            case ev.Won(chain=chain):
                return self._won(before, chain)
            case ev.Ready(seat, True) if seat == before.my_seat:
                self._own.ready(before.round)
            case _:
                pass
        return []

    # The game and its seats --------------------------------------------------------------------

    def _started(self, before: TableView, event: ev.Started) -> list[Finding]:
        again = self.game != "" and event.proof == self.game
        if self._on or again or event.game == self._number:
            raise Wrong(FaultKind.TWO_STORIES, before.round)
        self._begin(event.game, event.proof, fairness.first_link(event.proof), before.seats)
        self._seat, self.whole = before.my_seat, True
        return []

    def _people(self, before: TableView, told: ev.People) -> None:
        """See that nobody but who goes is unseated in mid-game, and no dice change hands."""
        mine = before.my_seat
        if len(told.seats) != self._seats:
            raise Wrong(FaultKind.TWO_STORIES, before.round)
        for seat, (old, new) in enumerate(zip(before.seats, told.seats, strict=True)):
            sits = new.person == before.you != NOBODY
            if old.dice != new.dice or (sits and seat != mine):
                raise Wrong(FaultKind.TWO_STORIES, before.round, seat)
            if seat == mine and not sits:
                if new.player not in (Player.STAND_IN, Player.NOBODY):
                    raise Wrong(FaultKind.TWO_STORIES, before.round, seat)
                self._own.dropped()

    def _arrived(self, view: TableView, asleep: bool) -> list[Finding]:
        between = view.phase in _BETWEEN
        if self._on and (view.game != self._number or view.phase is Phase.LOBBY):
            return [] if self.fault is not None else self._elsewhere(view, asleep)
        if view.phase is Phase.LOBBY:
            self.forget()
            return []
        if view.game != self._number:
            if self.game and view.proof.game == self.game:
                raise Wrong(FaultKind.TWO_STORIES, view.round)
            self._take_up(view)
        elif self._over and not between and self.fault is None:
            raise Wrong(FaultKind.TWO_STORIES, view.round)
        self._since = view.round
        return self._view(view, asleep)

    def _take_up(self, view: TableView) -> None:
        """Take a game up as it stands."""
        proof = view.proof
        self._begin(view.game, proof.game, proof.chain, view.seats)
        self._seat, self._over = view.my_seat, view.phase is Phase.OVER
        self.whole = proof.round <= 1 and not proof.attempt and not proof.entropies

    def _elsewhere(self, view: TableView, asleep: bool) -> list[Finding]:
        """Take up another game in the middle of one, whose end we can only have missed."""
        dice = {seat.dice for seat in view.seats}
        begins = view.proof.round <= 1 and dice == {view.rules.get("start_dice")}
        later = view.game > self._number and view.proof.game != self.game
        if not later or not (begins or asleep) or view.phase is Phase.LOBBY:
            raise Wrong(FaultKind.TWO_STORIES, view.round)
        if not view.proof.game:
            raise Wrong(FaultKind.MISSING, view.round)
        self._take_up(view)
        self.whole, self._since = False, view.round
        gap = Gap(max(1, view.proof.round))
        return [gap, *(found for found in self._view(view, asleep) if found != gap)]

    def _see_seats(self, view: TableView) -> None:
        """See that a picture in mid-game has the seats that we know, and us where we were."""
        mine = view.my_seat
        if len(view.seats) != self._seats or mine not in (NO_SEAT, self._seat):
            raise Wrong(FaultKind.TWO_STORIES, view.round, mine)
        if mine == NO_SEAT:
            self._own.dropped()

    # The draw ----------------------------------------------------------------------------------

    def _committed(self, before: TableView, told: ev.Committed, asleep: bool) -> list[Finding]:
        number, last = told.round, self._drawn
        if number != before.round + 1 or (last is not None and last.dealt and not last.ended):
            raise Wrong(FaultKind.CHANGED, number)
        again = last is not None and not last.ended and last.draw.round == number
        expected = last.draw.attempt + 1 if again and last is not None else 0
        if told.attempt != expected or (again and last is not None and last.opened):
            raise Wrong(FaultKind.CHANGED, number)
        draw = Draw(self.game, number, told.attempt)
        commitments, promises = fairness.given(told.commitments), fairness.given(told.promises)
        drawn = Drawn(draw, commitments, promises, told.left_out)
        if again and not told.left_out:
            raise Wrong(FaultKind.ABSENCE, number)
        see_complete(before.seats, drawn, promised=True)
        last = last if again else None
        return self._drawn_anew(drawn, last, before, excused=asleep, lost=False)

    def _drawn_anew(
        self, drawn: Drawn, last: Drawn | None, view: TableView, *, excused: bool, lost: bool
    ) -> list[Finding]:
        """Take in a draw that has begun; `last` is the attempt before it, where that was seen."""
        number, attempt = drawn.moment
        if last is None:
            if not attempt or self._drawn is None or self._drawn.draw.round != number:
                self._named = set()
        self._drawn = drawn
        findings: list[Finding] = []
        if attempt:
            findings.append(Anew(number, attempt, drawn.left_out))
        mine = view.my_seat
        late = mine in drawn.commitments and self._own.listed(
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

    def _opened(self, before: TableView, entropies: tuple[bytes, ...]) -> None:
        drawn = self._drawn
        if drawn is None or drawn.opened:
            raise Wrong(FaultKind.CHANGED, before.round + 1)
        self._mix(drawn, entropies)

    def _mix(self, drawn: Drawn, entropies: tuple[bytes, ...]) -> None:
        number, own = drawn.draw.round, self._own
        shared = own.in_draw(drawn.moment, drawn.promises)
        if len(entropies) != self._seats:
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

    def _dealt(self, before: TableView, number: int) -> list[Finding]:
        drawn = self._drawn
        if drawn is None or not drawn.opened or drawn.dealt or drawn.draw.round != number:
            raise Wrong(FaultKind.MISSING, number)
        if number != before.round + 1:
            raise Wrong(FaultKind.TWO_STORIES, number)
        see_complete(before.seats, drawn)
        return self._lies(drawn, before.seats)

    def _lies(self, drawn: Drawn, seats: Sequence[SeatView]) -> list[Finding]:
        """Take in that the dice lie under the cups, so many as each seat has."""
        drawn.dealt, drawn.counts = True, tuple(seat.dice for seat in seats)
        return self._without(drawn)

    def _without(self, drawn: Drawn) -> list[Finding]:
        self.shared = self._own.in_draw(drawn.moment, drawn.promises)
        if self.shared or not self._own.known:
            return []  # where we are new, no share is missed
        return [Without(drawn.draw.round)] if self._seat in drawn.commitments else []

    def _hand(self, view: TableView) -> None:
        drawn, mine, number = self._drawn, view.my_seat, view.round
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
            raise Wrong(FaultKind.MISSING, number)
        see_shown(drawn, before.my_seat, cups, seeds)
        if before.my_seat in drawn.commitments and not drawn.hand:
            raise Wrong(FaultKind.MISSING, number, before.my_seat)
        return self._linked(drawn, before, reveal, chain)

    def _linked(
        self, drawn: Drawn, view: TableView, reveal: Reveal | None, chain: bytes
    ) -> Finding:
        """End a round, whose shown dice are right."""
        number = drawn.draw.round
        if reveal is not None:
            see_counted(drawn, view, reveal)
        seeds, cups = ((), ()) if reveal is None else (reveal.seeds, reveal.cups)
        shown = fairness.given(seeds)
        commitments = sorted(drawn.commitments.items())
        link = fairness.next_link(
            self._chain, drawn.draw, commitments, drawn.mixed, sorted(shown.items())
        )
        if link != chain:
            raise Wrong(FaultKind.TWO_STORIES, number)
        self._chain, drawn.ended = chain, True
        self._shown = number, as_called(reveal)
        self.sound += 1
        if not shown:
            return Unshown(number, chain, self.shared)
        return Checked(number, len(shown), sum(map(len, cups)), chain, self.shared)

    def _won(self, before: TableView, chain: bytes) -> list[Finding]:
        drawn = self._drawn
        if drawn is not None and drawn.dealt and not drawn.ended:
            return [self._linked(drawn, before, None, chain)]
        if chain != self._chain:
            raise Wrong(FaultKind.TWO_STORIES, 0 if drawn is None else drawn.draw.round)
        return []

    # A whole picture ---------------------------------------------------------------------------

    def _view(self, view: TableView, asleep: bool) -> list[Finding]:
        if self.fault is not None or not self.game:
            return []
        proof, known = view.proof, self._drawn
        moment = (proof.round, proof.attempt)
        if proof.game != self.game or (known is not None and moment < known.moment):
            raise Wrong(FaultKind.TWO_STORIES, view.round)
        if proof.round not in (view.round, view.round + 1):
            raise Wrong(FaultKind.TWO_STORIES, view.round)
        if view.phase is Phase.BIDDING and proof.round != view.round:
            raise Wrong(FaultKind.TWO_STORIES, view.round)
        if view.phase is not Phase.OVER:
            self._see_seats(view)
        findings: list[Finding] = []
        if proof.round == 0:
            self._follows(fairness.first_link(self.game), proof.chain, 0)
        else:
            if known is None or moment != known.moment:
                findings += self._catch_up(view, known, asleep)
            else:
                see_agreed(known, view)
            findings += self._picture(view)
        self._see_reveal(view)
        self._over = view.phase is Phase.OVER
        return findings

    def _catch_up(self, view: TableView, known: Drawn | None, asleep: bool) -> list[Finding]:
        """Take up a draw that began unseen; the round before it ends here if it was seen."""
        proof, findings = view.proof, list[Finding]()
        if known is not None and known.dealt and not known.ended:
            if (known.draw.round, proof.round) == (view.round, view.round + 1):
                findings.append(self._ended_unseen(known, view))
        same = known is not None and known.draw.round == proof.round
        if same and known is not None and known.opened:
            raise Wrong(FaultKind.CHANGED, proof.round)
        first = known is None and proof.round == 1
        follows = known is not None and known.ended and known.draw.round + 1 == proof.round
        if first:
            self._chain = fairness.first_link(self.game)
        elif not same and not follows:
            self._chain, self.whole = b"", False  # not known from what we have seen
            if known is not None:
                findings.append(Gap(proof.round))
        last = known if same and known is not None else None
        if last is not None and last.draw.attempt + 1 != proof.attempt:
            last = None
        self.skipped = last is None and not ((first or follows) and proof.attempt == 0)
        draw = Draw(self.game, proof.round, proof.attempt)
        commitments, promises = fairness.given(proof.commitments), fairness.given(proof.promises)
        drawn = Drawn(draw, commitments, promises, proof.left_out)
        return findings + self._drawn_anew(drawn, last, view, excused=asleep, lost=asleep)

    def _ended_unseen(self, known: Drawn, view: TableView) -> Finding:
        reveal = view.reveal
        if reveal is None:
            raise Wrong(FaultKind.MISSING, view.round)
        see_shown(known, view.my_seat, reveal.cups, reveal.seeds)
        return self._linked(known, view, reveal, view.proof.chain)

    def _picture(self, view: TableView) -> list[Finding]:
        """Check a draw as a whole picture shows it."""
        drawn, proof = self._drawn, view.proof
        assert drawn is not None
        number, findings = proof.round, list[Finding]()
        dealt = number == view.round
        ended = dealt and view.phase in (Phase.REVEAL, Phase.OVER)
        if drawn.ended:
            self._follows(self._chain, proof.chain, number)
            return findings
        if not dealt and view.phase is not Phase.OVER:
            see_complete(view.seats, drawn, promised=True, waits=True)
        elif not ended and dealt:
            see_complete(view.seats, drawn)
        if proof.entropies and not drawn.opened:
            self._mix(drawn, proof.entropies)
        if dealt and not drawn.opened:
            raise Wrong(FaultKind.MISSING, number)
        if dealt and not drawn.dealt:
            findings += self._without(drawn) if ended else self._lies(drawn, view.seats)
            drawn.dealt = True
        if dealt and not ended and drawn.counts != tuple(seat.dice for seat in view.seats):
            raise Wrong(FaultKind.TWO_STORIES, number)
        if dealt and view.hand:
            self._hand(view)
        if not ended:
            self._follows(self._chain or proof.chain, proof.chain, number)
            self._chain = proof.chain
            return findings
        return [*findings, *self._picture_ended(view, drawn)]

    def _picture_ended(self, view: TableView, drawn: Drawn) -> list[Finding]:
        reveal, chain = view.reveal, view.proof.chain
        if reveal is not None:
            see_shown(drawn, view.my_seat, reveal.cups, reveal.seeds)
        elif view.phase is not Phase.OVER:
            raise Wrong(FaultKind.MISSING, view.round)
        if self._chain:
            return [self._linked(drawn, view, reveal, chain)]
        if reveal is not None:
            see_counted(drawn, view, reveal)
        self._chain, drawn.ended = chain, True
        self._shown = view.round, as_called(reveal)
        self.sound += 1
        return []

    def _see_reveal(self, view: TableView) -> None:
        """See that a picture shows the cups of a round as they were shown."""
        number, shown = self._shown
        if number == view.round and number and as_called(view.reveal) != shown:
            raise Wrong(FaultKind.TWO_STORIES, number)

    def _follows(self, known: bytes, told: bytes, number: int) -> None:
        if known != told:
            raise Wrong(FaultKind.TWO_STORIES, number)
