"""What a bot thinks at its table: one thought a moment, an act in human time.

A pending thought is one timer of the loop; when the table moves on, the thought is dropped and a
new one begun, so that an act always answers what stands now (D34).

One thought is given to a moment. After a refusal the bot does what is surely legal, a few times at
most, so that it can never go round in a circle with a server that says no.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable

from perudo_protocol.messages import SetReady
from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import Bid, Call, Refusal
from perudo_protocol.words import Denial

from .brain import Brain
from .comeback import CallLater, Timer
from .moments import Todo, Work, act_for, safe_choices, todo
from .saying import Mouth

LONGEST_LOOK = 4.0
"""The most seconds that a bot looks at a reveal before it is ready."""
MOST_REFUSALS = 3
"""After so many refusals of one move the bot leaves it to the clock."""
BREATH = 1.0
"""Seconds to wait when the server says `slow_down`."""


class Thoughts:
    """Sees one table, and plays there."""

    def __init__(
        self,
        brain: Brain,
        seconds: float,
        mouth: Mouth,
        call_later: CallLater | None = None,
    ) -> None:
        """Take about `seconds` for a move; `call_later` is the running loop's unless given."""
        self.view: TableView | None = None
        """What is seen of the table; `None` at none."""
        self.call_later = call_later or _on_loop
        """Sets the timer of a thought."""
        self._brain = brain
        self._seconds = seconds
        self._mouth = mouth
        self._pace = random.Random(brain.rng.getrandbits(64))
        self._todo: Todo | None = None
        self._timer: Timer | None = None
        self._asked = 0
        self._refusals = 0

    def see(self, view: TableView) -> None:
        """Take in the view, and begin a thought where there is something new to do."""
        self.view = view
        now = todo(view)
        if now == self._todo:
            return
        self.rest()
        self._todo = now
        if now is not None:
            self._refusals = 0
            self._timer = self.call_later(self._delay(now.work, view), self._think)

    def afresh(self) -> None:
        """Think anew of what is seen next: an answer may be lost."""
        self._todo = None

    def rest(self) -> None:
        """Think of nothing."""
        self._todo = None
        self._stop_timer()

    def leave(self) -> None:
        """Be at no table any more."""
        self.rest()
        self.view = None

    def refused(self, request: int, reason: str) -> None:
        """Hear that a request was refused; of no weight unless it was the last move."""
        if request != self._asked or reason == Refusal.STALE or self._refusals >= MOST_REFUSALS:
            return
        if reason == Denial.STORAGE_FULL:  # nothing is anybody's turn until it works again
            self._wait()
            return
        self._refusals += 1
        if reason == Denial.SLOW_DOWN:
            self._wait()
        else:
            self._fall_back(self._refusals - 1)

    def _wait(self) -> None:
        self._stop_timer()
        self._timer = self.call_later(BREATH, self._think)

    def _delay(self, work: Work, view: TableView) -> float:
        """Give the seconds to think; never so many that the turn's clock might run out."""
        if work is Work.READY:
            return min(self._seconds * 2, LONGEST_LOOK)
        seconds = self._seconds * self._pace.uniform(0.5, 1.6)
        clock = float(view.rules["turn_seconds"])
        return min(seconds, clock / 2) if clock else seconds

    def _think(self) -> None:
        self._timer = None
        view, now = self.view, self._todo
        if view is None or now is None:
            return
        match now.work:
            case Work.MOVE:
                self._act(view, self._brain.choose(view))
            case Work.INTERJECT:
                call = self._brain.interject(view)
                if call is not None:
                    self._mouth.say(act_for(view, call, self._mouth.new_id()))
            case Work.READY:
                self._asked = self._mouth.new_id()
                self._mouth.say(SetReady(id=self._asked, game=view.game, round=view.round))

    def _act(self, view: TableView, choice: Bid | Call) -> None:
        self._asked = self._mouth.new_id()
        self._mouth.say(act_for(view, choice, self._asked))

    def _fall_back(self, tries: int) -> None:
        """Do what is surely legal, where the move is still the bot's."""
        view, now = self.view, self._todo
        if view is None or now is None or now.work is not Work.MOVE:
            return
        choices = safe_choices(view.options_for(view.my_seat))
        if tries < len(choices):
            self._act(view, choices[tries])

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def _on_loop(seconds: float, call: Callable[[], None]) -> Timer:
    loop = asyncio.get_running_loop()
    return loop.call_later(seconds, call) if seconds > 0 else loop.call_soon(call)
