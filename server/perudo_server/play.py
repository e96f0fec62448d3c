"""One game as it runs: the only writer of its state, its clock and its pauses.

Everything that happens is an action for the rules: acts of players, dice, time. A refusal goes
back to who acted; events are folded into the state, and told. The game never waits for anybody
longer than the table's clock and the server's pauses allow:

    THROW --(all ready, or throw_seconds)--> BIDDING --(a call)--> REVEAL --(all ready, or
    reveal_seconds)--> BIDDING ... --> OVER        in BIDDING each turn lasts turn_seconds at most
"""

from __future__ import annotations

from collections.abc import Callable

from perudo_protocol.ruleset import Ruleset
from perudo_protocol.story import AnyEvent, Started
from perudo_protocol.vocabulary import NO_SEAT, Refusal

from .clock import Clock, Timer
from .dice import Dice
from .record import new_record, note
from .rules.actions import Action, Deal, Draw, Leave, Throw, TimeUp
from .rules.events import Event, NextSet
from .rules.game import Game, Refused, Stage, decide, evolve, new_game
from .settings import Settings
from .view import tell, turn, turn_event

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
        self.record = new_record(players)
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
        self._tell_all([Started(self.number, rules.start_dice)])
        while self.game.stage is Stage.THROWING:
            throwing = self.game.throwing
            if throwing:
                dice = self._dice.throw(len(throwing))
                self.act(Throw(tuple(zip(throwing, dice, strict=True))))
            else:
                self.act(Draw(self._dice.pick(self.game.playing)))

    def act(self, action: Action) -> Refusal | None:
        """Judge an action and do it; gives the reason if it is refused, and then nothing moved."""
        outcome = decide(self.game, action)
        if isinstance(outcome, Refused):
            return outcome.reason
        public: list[AnyEvent] = []
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

    def ready_seats(self) -> list[int]:
        """Give the seats whose being ready is waited for: those that play in the next round."""
        return list(self.game.playing)

    def deal(self) -> None:
        """Let everybody throw in secret: the next round begins."""
        if self.game.stage is Stage.DEALING:
            self.act(Deal(tuple(self._dice.throw(number) for number in self.game.dice)))
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

    def _fold(self, event: Event) -> None:
        before = self.game
        self.game = evolve(before, event)
        self.record = note(self.record, before, event)
        if isinstance(event, NextSet) and not self.resume:
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
