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

from perudo_protocol.fairness import Draw
from perudo_protocol.ruleset import Ruleset
from perudo_protocol.story import AnyEvent, Opened, Started
from perudo_protocol.vocabulary import NO_SEAT, Refusal

from .clock import Clock, Timer
from .dice import Dice
from .drawing import Drawing, commit, take
from .record import new_record, note, note_committed, note_ended, note_opened
from .rules import actions
from .rules.actions import Action, Deal, Leave, Throw, TimeUp
from .rules.events import Called, Event, NextSet, Won
from .rules.game import Game, Refused, Stage, decide, evolve, new_game
from .settings import Settings
from .view import committed, tell, turn, turn_event

Teller = Callable[[list[AnyEvent]], None]


class Play:
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
    ) -> None:
        """Prepare a game for so many seats; `begin` starts it.

        `tell_all` gets the public events of each step; `hand_out` is called after each deal, when
        every player is to get their own dice.
        """
        self.number = number
        self.game: Game = new_game(rules, players)
        self.record = new_record(players, dice.new_id())
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
        self.deadline = 0.0
        """When the time of the turn is up, on the clock; 0 without one."""
        self.resume = 0.0
        """When the next round begins by itself; 0 when none is awaited."""
        self._clock = clock
        self._dice = dice
        self._settings = settings
        self._tell_all = tell_all
        self._hand_out = hand_out
        self._timer: Timer | None = None
        self._stamp = (0, NO_SEAT, 0)

    @property
    def on(self) -> bool:
        """Say whether the game still goes on."""
        return self.game.stage is not Stage.OVER

    def begin(self) -> None:
        """Start: everybody gets dice, and it is thrown or drawn who opens."""
        rules = self.game.rules
        self._tell_all([Started(self.number, rules.start_dice, self.record.proof.game)])
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
        public: list[AnyEvent] = list(before)
        for event in outcome:
            self._fold(event)
            told = tell(event, self)
            if told is not None:
                public.append(told)
        public += self._set_turn()
        if not self.on:
            self.stop()
        self._tell_all(public)
        return None

    def leave(self, seat: int) -> None:
        """Give up a seat in mid-game; nobody plays on (D32)."""
        self.act(Leave(seat))
        self._give_up_waiting(seat)

    def absent(self, seat: int) -> None:
        """Hear that whoever promised a seat's entropy does not play it any more."""
        self._promises[seat] = b""
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
        if self.on:
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
        game = self.game
        draw = Draw(self.record.proof.game, game.round + 1, number)
        seeds = [self._dice.seed() if dice else b"" for dice in game.dice]
        self._out = self._out.union(left_out) if number else set()
        promises = [b""] * len(seeds)
        for seat in set(game.playing) - self._out:
            promises[seat], self._promises[seat] = self._promises[seat], b""
        drawing = commit(self.record.proof, draw, seeds, promises, left_out)
        self.drawing, self._without = drawing, set()
        self.record = note_committed(self.record, drawing)
        self.resume = 0.0
        self._tell_all([committed(drawing.proof)])
        self._set_timer(self._clock.later(self._settings.entropy_seconds, self._entropy_late))
        self._go_on()

    def _entropy_late(self) -> None:
        if self.drawing is not None:
            self._without.update(self.drawing.missing)
            self._go_on()

    def _deal(self, drawing: Drawing) -> None:
        self.drawing, self._seeds = None, drawing.seeds
        self.record = note_opened(self.record, drawing)
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
            self.deadline = self._clock.now() + seconds
            self._set_timer(self._clock.later(seconds, self._time_up))
            self._tell_all(self._set_turn())

    def stop(self) -> None:
        """Forget all that was to happen by itself."""
        self._set_timer(None)
        self.deadline = self.resume = 0.0
        self.drawing = None

    def _fold(self, event: Event) -> None:
        before = self.game
        self.game = evolve(before, event)
        self.record = note(self.record, before, event)
        if isinstance(event, Called | Won):
            shown = self._seeds if isinstance(event, Called) else ()
            self.record = note_ended(self.record, shown)
        if isinstance(event, NextSet) and not self.resume and self.drawing is None:
            self._pause()

    def _pause(self) -> None:
        settings = self._settings
        seconds = settings.reveal_seconds if self.game.round else settings.throw_seconds
        self.deadline = 0.0
        self.resume = self._clock.now() + seconds
        self._set_timer(self._clock.later(seconds, self.deal))

    def _set_turn(self) -> list[AnyEvent]:
        """Start the clock of a new turn, and tell what may be done in it."""
        game = self.game
        if game.stage is not Stage.BIDDING:
            return []
        stamp = (game.round, game.turn, len(game.ladder))
        if stamp != self._stamp:
            self._stamp = stamp
            self._start_turn(game.rules.turn_seconds)
        now = turn(self)
        return [] if now is None else [turn_event(now)]

    def _start_turn(self, seconds: int) -> None:
        self.resume = 0.0
        self.deadline = self._clock.now() + seconds if seconds else 0.0
        self._set_timer(self._clock.later(seconds, self._time_up) if seconds else None)

    def _time_up(self) -> None:
        if self.game.stage is Stage.BIDDING:
            self.act(TimeUp(self.game.turn))

    def _set_timer(self, timer: Timer | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = timer
