"""Our requests to the server: each with a number of its own, and remembered until answered.

The acts of a game name the game, the round and the number of the bid that they answer (D34), taken
from the view as it is when the request is made.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from perudo_protocol import messages as m
from perudo_protocol.views import TableView

MOST_PENDING = 64
"""So many unanswered requests are remembered; a server that answers none costs no more."""

_Request = TypeVar("_Request", bound=m.Request)


class Asking:
    """Makes requests; send each one that it gives."""

    view: TableView | None = None

    def __init__(self) -> None:
        """Start with nothing asked."""
        self.pending: dict[int, m.Request] = {}
        self._last = 0

    def answered(self, number: int) -> m.Request | None:
        """Take the request of this number off the list; `None` if it was never asked."""
        return self.pending.pop(number, None)

    # The table -------------------------------------------------------------------------------

    def make(
        self,
        name: str,
        preset: str = "standard",
        options: Mapping[str, bool | int | str] = {},
        lock: m.Lock | None = None,
    ) -> m.Make:
        """Ask for a new table, locked or open to all."""
        number, chosen = self._number(), dict(options)
        return self._asked(m.Make(id=number, name=name, preset=preset, options=chosen, lock=lock))

    def unlock(self, table: int, nonce: bytes, proof: bytes) -> m.Unlock:
        """Show that we know the join words of a table, or of the server (0)."""
        return self._asked(m.Unlock(id=self._number(), table=table, nonce=nonce, proof=proof))

    def join(self, table: int) -> m.Join:
        """Ask for a seat at a table."""
        return self._asked(m.Join(id=self._number(), table=table))

    def watch(self, table: int) -> m.Watch:
        """Ask to watch a table."""
        return self._asked(m.Watch(id=self._number(), table=table))

    def leave(self) -> m.Leave:
        """Ask to leave our table for good."""
        return self._asked(m.Leave(id=self._number()))

    def ready(self, ready: bool = True) -> m.SetReady:
        """Say that we are ready for what comes next."""
        game, number = self._where()
        return self._asked(m.SetReady(id=self._number(), game=game, round=number, ready=ready))

    def start(self) -> m.Start:
        """Ask for the game to start."""
        return self._asked(m.Start(id=self._number()))

    def rematch(self) -> m.Rematch:
        """Ask for another game with the same people."""
        return self._asked(m.Rematch(id=self._number()))

    def add_bot(self) -> m.AddBot:
        """Ask for a bot at the table."""
        return self._asked(m.AddBot(id=self._number()))

    def remove_bot(self, seat: int) -> m.RemoveBot:
        """Ask for the bot on this seat to go."""
        return self._asked(m.RemoveBot(id=self._number(), seat=seat))

    def kick(self, person: int) -> m.Kick:
        """Ask for a person to be sent away."""
        return self._asked(m.Kick(id=self._number(), person=person))

    def hand_over(self, person: int) -> m.HandOver:
        """Ask for another person to be the host."""
        return self._asked(m.HandOver(id=self._number(), person=person))

    def say(self, text: str) -> m.Say:
        """Say something at the table."""
        return self._asked(m.Say(id=self._number(), text=text))

    def phrase(self, phrase: str) -> m.Say:
        """Say one of the quick phrases, by its word."""
        return self._asked(m.Say(id=self._number(), phrase=phrase))

    # The game ----------------------------------------------------------------------------------

    def bid(self, quantity: int, face: int) -> m.PlaceBid:
        """Open the round, or raise."""
        game, number = self._where()
        act = m.PlaceBid(
            id=self._number(),
            game=game,
            round=number,
            number=self._standing(),
            quantity=quantity,
            face=face,
        )
        return self._asked(act)

    def dudo(self) -> m.Dudo:
        """Doubt the standing bid."""
        game, number = self._where()
        act = m.Dudo(id=self._number(), game=game, round=number, number=self._standing())
        return self._asked(act)

    def spot_on(self) -> m.SpotOn:
        """Claim that the standing bid is exactly right."""
        game, number = self._where()
        act = m.SpotOn(id=self._number(), game=game, round=number, number=self._standing())
        return self._asked(act)

    def _number(self) -> int:
        self._last += 1
        return self._last

    def _asked(self, request: _Request) -> _Request:
        if len(self.pending) >= MOST_PENDING:
            del self.pending[next(iter(self.pending))]
        self.pending[request.id] = request
        return request

    def _where(self) -> tuple[int, int]:
        return (0, 0) if self.view is None else (self.view.game, self.view.round)

    def _standing(self) -> int:
        return 0 if self.view is None else len(self.view.ladder)
