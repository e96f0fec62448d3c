"""One game as it runs: the only writer of its state, its clock and its pauses.

Everything that happens is an action for the rules: acts of players, dice, time. A refusal goes
back to who acted; events are folded into the state, and told. The game never waits for anybody
longer than the table's clock and the server's pauses allow:

    THROW --(all ready, or throw_seconds)--> a draw --> BIDDING --(a call)--> REVEAL --(all ready,
    or reveal_seconds)--> a draw --> BIDDING ... --> OVER

In BIDDING each turn lasts turn_seconds at most, and a draw waits entropy_seconds at most for the
entropy that players have promised (`drawing`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from perudo_protocol import fairness, story
from perudo_protocol.fairness import Draw
from perudo_protocol.ruleset import Ruleset
from perudo_protocol.story import AnyEvent, Opened, Paused, Started, TimeGiven
from perudo_protocol.vocabulary import NO_SEAT, Refusal
from perudo_protocol.words import Denial

from . import entries as n
from .clock import Clock, millis
from .dice import Dice
from .drawing import Drawing, commit, take
from .record import new_record, note, note_committed, note_ended, note_opened
from .ruled import event_of, ruled
from .rules import actions
from .rules.actions import Action, Deal, Leave, Throw, TimeUp
from .rules.events import BidPlaced, Called, Dealt, Event, NextSet, Won
from .rules.game import Game, Refused, Stage, decide, evolve, new_game
from .settings import Settings
from .timing import Keep, Timing
from .view import committed, tell, turn_event

Teller = Callable[[list[AnyEvent]], None]


class Play(Timing):
    """Runs one game; tells the public story in the order in which it happens."""

    def __init__(
        self,
        number: int,
        rules: Ruleset,
        players: int,
        *,
        clock: Clock,
        dice: Dice,
        settings: Settings,
        tell_all: Teller,
        hand_out: Callable[[], None],
        keep: Keep | None,
        proof: str,
    ) -> None:
        """Prepare a game for so many seats; `begin` starts it, `restored` and `wake` go on with it.

        `tell_all` gets the public events of each step; `hand_out` is called after each deal, when
        every player is to get their own dice; `keep` writes down what happens, before it is told,
        if anything is kept here. `proof` is the game's id in all hashes of its dice.
        """
        super().__init__(clock, settings.pause_seconds, keep)
        self.number = number
        self.game: Game = new_game(rules, players)
        self.record = new_record(players, proof)
        self.drawing: Drawing | None = None
        """The draw that the next round waits for, or `None`."""
        self._without: set[int] = set()
        """The seats whose entropy will not come, for which there must be another attempt."""
        self._out: set[int] = set()
        """The seats for which there was one in this round: each can hold up a round only once."""
        self._seeds = (b"",) * players
        """The seeds of the dice under the cups."""
        self._promises = [b""] * players
        """What each seat has promised for the next draw."""
        self._dice = dice
        self._settings = settings
        self._tell_all = tell_all
        self._hand_out = hand_out

    @property
    def on(self) -> bool:
        """Say whether the game still goes on."""
        return self.game.stage is not Stage.OVER

    def begin(self) -> None:
        """Start: everybody gets dice, and it is thrown or drawn who opens."""
        rules = self.game.rules
        self._note(n.Began(self.number, self.record.proof.game, len(self.game.dice)))
        proof, timed = self.record.proof.game, rules.turn_seconds > 0
        self._tell_all([Started(self.number, rules.start_dice, proof, timed)])
        self._throw_on()

    def _throw_on(self) -> None:
        while self.game.stage is Stage.THROWING:
            throwing = self.game.throwing
            if throwing:
                dice = self._dice.throw(len(throwing))
                self.act(Throw(tuple(zip(throwing, dice, strict=True))))
            else:
                self.act(actions.Draw(self._dice.pick(self.game.playing)))

    def act(self, action: Action, before: Sequence[AnyEvent] = ()) -> Refusal | None:
        """Judge an action and do it; gives the reason if it is refused, and then nothing moved.

        `before` is told in the same update, before what the action brings.
        """
        outcome = decide(self.game, action)
        if isinstance(outcome, Refused):
            return outcome.reason
        ladder, turn = self.game.ladder, self.game.turn
        public: list[AnyEvent] = [*before]
        for event in outcome:
            self._fold(event)
            if type(event) is NextSet:
                self._round_follows()
            public.append(tell(event, self))
        game = self.game
        if game.turn != NO_SEAT:
            if game.ladder is not ladder or game.turn != turn:
                self._start_turn(game.rules.turn_seconds)
            public.append(turn_event(self))
        elif game.stage is Stage.OVER:
            self.stop()
        if self._keep is not None:
            self._keep_events(outcome, self._keep)
        self._tell_all(public)
        return None

    def _keep_events(self, events: Sequence[Event], keep: Keep) -> None:
        """Write down what has happened; and what has changed of the times with the last of it, if
        that is all there is to say."""
        for event in events[:-1]:
            keep(ruled(event))
        deadline = self._new_deadline()
        keep(ruled(events[-1], deadline))
        if not deadline:
            self._keep_time()

    def _note(self, entry: n.AnyEntry) -> None:
        if self._keep is not None:
            self._keep(entry)

    def leave(self, seat: int) -> None:
        """Give up a seat in mid-game; nobody plays on (D32)."""
        self.act(Leave(seat))
        self._give_up_waiting(seat)

    def absent(self, seat: int) -> None:
        """Hear that whoever promised a seat's entropy does not play it any more."""
        if self._promises[seat]:
            self.promise(seat, b"")
        if self.drawing is not None and seat in self.drawing.missing:
            self._give_up_waiting(seat)

    def _give_up_waiting(self, seat: int) -> None:
        """Have another attempt without a seat, once nothing more is awaited of the others: what
        they have opened, or are just opening, must never meet new seeds."""
        self._without.add(seat)
        self._go_on()

    def ready_seats(self) -> list[int]:
        """Give the seats whose being ready is waited for: those that play in the next round."""
        return list(self.game.playing)

    def deal(self) -> None:
        """Let everybody throw in secret: once all promised entropy is in, the next round begins."""
        if self.game.stage is Stage.DEALING and self.drawing is None:
            self._attempt(0, [])

    def seed_of(self, seat: int) -> bytes:
        """Give the seed of the dice under a seat's cup: a secret but to its own player."""
        return self._seeds[seat]

    def promise(self, seat: int, promised: bytes) -> None:
        """Take what a seat promises for the next draw."""
        if self.on and promised != self._promises[seat]:
            self._note(n.Promised(seat, promised))
            self._promises[seat] = promised

    def entropy(self, seat: int, moment: tuple[int, int], entropy: bytes, promised: bytes) -> None:
        """Take a seat's entropy for a draw, its round and attempt, and its next promise.

        What comes late is passed over, but its promise holds; what was not promised is as if it
        had not come.
        """
        self.promise(seat, promised)
        drawing = self.drawing
        if drawing is None or seat not in drawing.missing:
            return
        if moment != (drawing.proof.round, drawing.proof.attempt):
            return
        taken = take(drawing, seat, entropy)
        if taken is None:
            self._give_up_waiting(seat)
            return
        self._note(n.Shared(seat, entropy))
        self.drawing = taken
        self._go_on()

    def _go_on(self) -> None:
        """Deal, or draw afresh, as soon as no entropy is awaited any more."""
        drawing = self.drawing
        if drawing is None or not self._without.issuperset(drawing.missing):
            return
        if self._without:
            self._attempt(drawing.proof.attempt + 1, self._without)
        else:
            self._deal(drawing)

    def _attempt(self, number: int, left_out: Collection[int]) -> None:
        """Draw afresh, with what is promised now; each promise is good for one draw alone.

        Who has failed in this round already is out of its draws: the promise is for the next.
        """
        dice = self.game.dice
        seeds = tuple(self._dice.seed() if number else b"" for number in dice)
        out = self._out.union(left_out) if number else set()
        taking_part = set(self.game.playing) - out
        promises = tuple(p if s in taking_part else b"" for s, p in enumerate(self._promises))
        entry = n.Drawn(number, seeds, promises, tuple(sorted(left_out)))
        self._note(entry)
        self._take_draw(entry)
        self.resume = self._resume_left = 0.0
        self._keep_time()
        self._tell_all([committed(self.record.proof)])
        self._set_timer(self._clock.later(self._settings.entropy_seconds, self._entropy_late))
        self._go_on()

    def _take_draw(self, entry: n.Drawn) -> None:
        draw = Draw(self.record.proof.game, self.game.round + 1, entry.attempt)
        drawing = commit(self.record.proof, draw, entry.seeds, entry.promises, entry.left_out)
        self.drawing, self._without = drawing, set()
        self._out = self._out.union(entry.left_out) if entry.attempt else set()
        used = zip(self._promises, entry.promises, strict=True)
        self._promises = [b"" if promised else kept for kept, promised in used]
        self.record = note_committed(self.record, drawing)

    def _entropy_late(self) -> None:
        if self.drawing is not None:
            self._without.update(self.drawing.missing)
            self._go_on()

    def _deal(self, drawing: Drawing) -> None:
        mixed = drawing.mixed
        cups = tuple(
            self._dice.hand(drawing.draw, seat, drawing.seeds[seat], mixed, number)
            for seat, number in enumerate(self.game.dice)
        )
        self.act(Deal(cups), [Opened(drawing.opened)])
        self._hand_out()

    def give_time(self, seconds: float) -> None:
        """See that the present turn lasts so much longer at least: nobody could act for a while."""
        if self.deadline and self.deadline - self._clock.now() < seconds:
            self._run_turn(seconds)
            self._tell_turn()

    def more_time(self, seat: int) -> Denial | None:
        """Let the present turn of this seat last as long again."""
        if self.game.stage is not Stage.BIDDING or self.game.turn != seat:
            return Denial.NO_CLOCK
        if not self.deadline:
            return Denial.PAUSED if self.paused else Denial.NO_CLOCK
        self._run_turn(self.deadline - self._clock.now() + self.game.rules.turn_seconds)
        self._tell_turn(TimeGiven(seat))
        return None

    def pause(self) -> Denial | None:
        """Stop the clocks of turn and wait, for `pause_seconds` of the whole game at most."""
        if self._pause_left < 1:
            return Denial.PAUSED_ENOUGH
        self._hold(drawing=self.drawing is not None)
        self._tell_turn(Paused(millis(self.paused)), *self._wait_told())
        return None

    def go_on(self) -> None:
        """Let the clocks go on after a pause."""
        if not self.paused:
            return
        self._release()
        self._tell_turn(Paused(0), *self._wait_told())

    def _tell_turn(self, *before: AnyEvent) -> None:
        self._keep_time()
        bidding = self.game.stage is Stage.BIDDING
        self._tell_all([*before, turn_event(self)] if bidding else [*before])

    def _wait_told(self) -> list[AnyEvent]:
        """Tell the wait for the next round afresh, where there is one."""
        following = self.record.next
        if following is None or self.game.stage is not Stage.DEALING:
            return []
        return [story.NextSet(following.opener, following.palifico, millis(self.resume))]

    # After a restart of the server -------------------------------------------------------------

    def restored(self, entry: n.AnyEntry) -> None:
        """Take in what was once written down; nothing is told, and no clock runs."""
        match entry:
            case n.Ruled():
                self._fold(event_of(entry))
                if entry.deadline:
                    self._restore_deadline(entry.deadline)
            case n.Drawn():
                self._take_draw(entry)
            case n.Promised(seat, promise):
                self._promises[seat] = promise
            case n.Shared(seat, entropy) if self.drawing is not None:
                self.drawing = take(self.drawing, seat, entropy) or self.drawing
            case n.Timed():
                self._restore_time(entry)
            case _:
                pass

    def wake(self) -> None:
        """Go on after a restart: the clocks run from where they were."""
        game, now = self.game, self._clock.now()
        if not self.on:
            return
        self._wake_pause()
        if self.drawing is not None:
            self._without.update(self._given_up(self.drawing))
            seconds = max(self._settings.entropy_seconds, self._settings.grace_seconds)
            self._set_timer(self._clock.later(seconds, self._entropy_late))
            self._go_on()
        elif game.stage is Stage.THROWING:
            self._throw_on()
        elif game.stage is Stage.DEALING and not self.paused:
            self._run_wait(max(0.0, self.resume - now))
        elif self.deadline:
            self._run_turn(max(self._settings.grace_seconds, self.deadline - now))
        self._keep_time()

    def _given_up(self, drawing: Drawing) -> list[int]:
        """Give the seats that have gone since a draw began: there has to be one without them."""
        dice = self.game.dice
        return [seat for seat in fairness.given(drawing.proof.commitments) if not dice[seat]]

    def stop(self) -> None:
        """Forget all that was to happen by itself."""
        self._stop_times()
        self.drawing = None

    def _fold(self, event: Event) -> None:
        before = self.game
        self.game = evolve(before, event)
        if not isinstance(event, BidPlaced):  # all of a bid is in the game itself
            self._remember(before, event)

    def _remember(self, before: Game, event: Event) -> None:
        """Take in what an event means besides; `before` is the game in which it happened."""
        if isinstance(event, Dealt) and self.drawing is not None:
            self._seeds = self.drawing.seeds
            self.record = note_opened(self.record, self.drawing)
            self.drawing = None
        self.record = note(self.record, before, event)
        if isinstance(event, (Called, Won)):
            shown = self._seeds if isinstance(event, Called) else ()
            self.record = note_ended(self.record, shown)

    def _round_follows(self) -> None:
        """Have the next round begin by itself after a while, unless that is awaited already."""
        if not (self.resume or self._resume_left or self.drawing is not None):
            settings = self._settings
            seconds = settings.reveal_seconds if self.game.round else settings.throw_seconds
            self._await_round(seconds)

    def time_up(self) -> None:
        """Do by rule what a seat has not done in time (D33)."""
        if self.game.stage is Stage.BIDDING:
            self.act(TimeUp(self.game.turn))
