"""What a host can do with each person, in the command palette, in every phase of the table.

Names are others' text: they go in as `Content`, since the palette reads plain strings as markup.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from perudo_protocol.messages import ClientMessage
from perudo_protocol.vocabulary import Player

from .i18n import _
from .screens.base import GameScreen


class HostCommands(Provider):
    """Send somebody away, or make somebody the host."""

    async def discover(self) -> Hits:
        """Give all of them."""
        for title, act in self._offers():
            yield DiscoveryHit(Content(title), act, title)

    async def search(self, query: str) -> Hits:
        """Give those that match what was typed."""
        matcher = self.matcher(query)
        for title, act in self._offers():
            if (score := matcher.match(title)) > 0:
                yield Hit(score, Content(title), act, title)

    def _offers(self) -> Iterator[tuple[str, Callable[[], None]]]:
        screen = self.screen
        if not isinstance(screen, GameScreen) or screen.model.view is None:
            return
        model, view = screen.model, screen.model.view
        people = [(seat.person, seat.name) for seat in view.seats if seat.player is Player.PERSON]
        people += [(watcher.person, watcher.name) for watcher in view.watchers]
        for person, name in people:
            if model.can_kick(person):
                title = _("Kick {name}: send away from the table").format(name=name)
                yield title, partial(self._ask, screen, model.kick, person)
            if model.can_hand_over(person):
                title = _("Make {name} the host").format(name=name)
                yield title, partial(self._ask, screen, model.hand_over, person)

    def _ask(self, screen: GameScreen, wish: Callable[[int], ClientMessage], person: int) -> None:
        screen.client.ask(wish(person))
