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

from dataclasses import dataclass, field

from perudo_protocol import fairness
from perudo_protocol import story as ev
from perudo_protocol.messages import Entropy, Promise
from perudo_protocol.story import AnyEvent
from perudo_protocol.views import NOBODY, TableView
from perudo_protocol.vocabulary import Phase, Player

from .faults import Fault, FaultKind, Wrong
from .findings import Finding, Gap
from .pictures import see_picture
from .rounds import Rounds

_BETWEEN = (Phase.LOBBY, Phase.OVER)
_OF_A_GAME = ev.Committed | ev.Opened | ev.Dealt | ev.Called | ev.Won


@dataclass(slots=True, repr=False)
class Checker:
    """Checks one game after another."""

    fault: Fault | None = None
    """What is wrong with this game; nothing more is looked for then."""
    rounds: Rounds = field(default_factory=Rounds)
    """This game's draws, as far as it has come."""
    _number: int = 0
    _over: bool = False
    _since: int = -1

    def forget(self) -> None:
        """Begin afresh: we are at no table any more."""
        self._begin(0, Rounds())

    def _begin(self, number: int, rounds: Rounds) -> None:
        self.fault, self.rounds = None, rounds
        self._number, self._over, self._since = number, False, -1

    # What comes --------------------------------------------------------------------------------

    def own(self, message: Promise | Entropy) -> None:
        """Hear what we ourselves say."""
        self.rounds.share.said(message, self.rounds.seat, self._since)

    def view(self, view: TableView, asleep: bool = False) -> list[Finding]:
        """Take a whole picture in, which must not contradict what was told; `asleep` says that this
        computer has slept, or the line was lost, before it."""
        self.rounds.skipped = False
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
        if self.fault is not None or not self.rounds.game:
            return []
        try:
            self.rounds.take_hand(view)
        except Wrong as wrong:
            return self._failed(wrong)
        return []

    def _failed(self, wrong: Wrong) -> list[Finding]:
        self.fault = wrong.fault
        return [wrong.fault]

    @property
    def _on(self) -> bool:
        """Whether a game goes on whose dice are proven."""
        return bool(self.rounds.game) and not self._over

    def _told(self, before: TableView, event: AnyEvent, asleep: bool) -> list[Finding]:
        if isinstance(event, ev.Started) and not (self._on and self.fault is not None):
            return self._started(before, event)
        if self.fault is not None or not self.rounds.game:
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
                return self.rounds.committed(before, event, asleep)
            case ev.Opened(entropies):
                self.rounds.opened(before, entropies)
            case ev.Dealt(number):
                return self.rounds.dealt(before, number)
            case ev.Called(_, _, _, _, cups, seeds, chain):
                reveal = ev.fold(before, event).reveal
                return [self.rounds.called(before, cups, seeds, chain, reveal)]
            case ev.Won(chain=chain):
                return self.rounds.won(before, chain)
            case ev.Ready(seat, True) if seat == before.my_seat:
                self.rounds.share.ready(before.round)
            case _:
                pass
        return []

    # The game and its seats --------------------------------------------------------------------

    def _started(self, before: TableView, event: ev.Started) -> list[Finding]:
        again = self.rounds.game != "" and event.proof == self.rounds.game
        if self._on or again or event.game == self._number:
            raise Wrong(FaultKind.TWO_STORIES, before.round)
        chain, seats = fairness.first_link(event.proof), len(before.seats)
        self._begin(event.game, Rounds(event.proof, chain, seats, before.my_seat, whole=True))
        return []

    def _people(self, before: TableView, told: ev.People) -> None:
        """See that nobody but who goes is unseated in mid-game, and no dice change hands."""
        mine = before.my_seat
        if len(told.seats) != self.rounds.seats:
            raise Wrong(FaultKind.TWO_STORIES, before.round)
        for seat, (old, new) in enumerate(zip(before.seats, told.seats, strict=True)):
            sits = new.person == before.you != NOBODY
            if old.dice != new.dice or (sits and seat != mine):
                raise Wrong(FaultKind.TWO_STORIES, before.round, seat)
            if seat == mine and not sits:
                if new.player not in (Player.STAND_IN, Player.NOBODY):
                    raise Wrong(FaultKind.TWO_STORIES, before.round, seat)
                self.rounds.share.dropped()

    def _arrived(self, view: TableView, asleep: bool) -> list[Finding]:
        between = view.phase in _BETWEEN
        if self._on and (view.game != self._number or view.phase is Phase.LOBBY):
            return [] if self.fault is not None else self._elsewhere(view, asleep)
        if view.phase is Phase.LOBBY:
            self.forget()
            return []
        if view.game != self._number:
            if self.rounds.game and view.proof.game == self.rounds.game:
                raise Wrong(FaultKind.TWO_STORIES, view.round)
            self._take_up(view)
        elif self._over and not between and self.fault is None:
            raise Wrong(FaultKind.TWO_STORIES, view.round)
        self._since = view.round
        return self._view(view, asleep)

    def _take_up(self, view: TableView) -> None:
        """Take a game up as it stands."""
        proof = view.proof
        whole = proof.round <= 1 and not proof.attempt and not proof.entropies
        seats, mine = len(view.seats), view.my_seat
        self._begin(view.game, Rounds(proof.game, proof.chain, seats, mine, whole))
        self._over = view.phase is Phase.OVER

    def _elsewhere(self, view: TableView, asleep: bool) -> list[Finding]:
        """Take up another game in the middle of one, whose end we can only have missed."""
        dice = {seat.dice for seat in view.seats}
        begins = view.proof.round <= 1 and dice == {view.rules.get("start_dice")}
        later = view.game > self._number and view.proof.game != self.rounds.game
        if not later or not (begins or asleep) or view.phase is Phase.LOBBY:
            raise Wrong(FaultKind.TWO_STORIES, view.round)
        if not view.proof.game:
            raise Wrong(FaultKind.MISSING, view.round)
        self._take_up(view)
        self.rounds.whole, self._since = False, view.round
        gap = Gap(max(1, view.proof.round))
        return [gap, *(found for found in self._view(view, asleep) if found != gap)]

    def _view(self, view: TableView, asleep: bool) -> list[Finding]:
        if self.fault is not None or not self.rounds.game:
            return []
        findings = see_picture(self.rounds, view, asleep)
        self._over = view.phase is Phase.OVER
        return findings
