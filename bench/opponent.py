"""Somebody at whose table a client plays: makes it, begins the game, and then thinks for ever."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from perudo_protocol.codec import encode
from perudo_protocol.messages import Hello, Make, ServerMessage, SetReady, Start, Update, View
from perudo_protocol.returning import hashed
from perudo_protocol.story import Started, TurnSet
from perudo_protocol.version import VERSIONS

from .scripted import Crowd

Kind = TypeVar("Kind")
OPTIONS: dict[str, bool | int | str] = {"turn_seconds": 600, "max_players": 2}


class Opponent:
    """One guest, who holds the first seat of a table for two."""

    NAME = "Ana"

    def __init__(self, port: int) -> None:
        """Make a table at this server."""
        self._crowd = Crowd(port)
        self._guest = self._crowd.connect()
        self._heard: list[ServerMessage] = []
        self._guest.inbox = self._heard
        key = hashed(self.NAME.encode())
        hello = Hello(versions=VERSIONS, client="bench", name=self.NAME, key=key)
        self._guest.send(encode(hello))
        self._guest.ask(Make(id=1, name="T", options=OPTIONS))
        self._wait(lambda: bool(self._views()), "a table")
        self.table = self._views()[-1].view.table

    def close(self) -> None:
        """Hang up."""
        self._crowd.close()

    def begin(self, meanwhile: Callable[[], object]) -> bool:
        """Begin the game, and say whether it is our turn; the client is looked after meanwhile."""
        self._guest.ask(Start(id=2))
        self._wait(lambda: bool(self._told(Started)), "a game", meanwhile)
        self._guest.ask(SetReady(id=3, game=self._told(Started)[-1].game, round=0))
        self._wait(lambda: bool(self._told(TurnSet)), "a round", meanwhile)
        return self.in_turn

    @property
    def in_turn(self) -> bool:
        """Whether it is our turn, as far as we have heard."""
        return self._told(TurnSet)[-1].seat == 0

    def wait_for_turn(self, meanwhile: Callable[[], object]) -> None:
        """Wait until it is our turn."""
        self._wait(lambda: self.in_turn, "a turn", meanwhile)

    def _wait(
        self, what: Callable[[], bool], name: str, meanwhile: Callable[[], object] = lambda: None
    ) -> None:
        def done() -> bool:
            meanwhile()
            return what()

        self._crowd.until(done, name)

    def _views(self) -> list[View]:
        return [each for each in self._heard if isinstance(each, View)]

    def _told(self, kind: type[Kind]) -> list[Kind]:
        updates = [each.events for each in self._heard if isinstance(each, Update)]
        return [event for events in updates for event in events if isinstance(event, kind)]
