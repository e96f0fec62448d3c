"""The end of a game: places, who lied and who was caught, and another game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from perudo_client import happenings as h
from perudo_client import story_words, words
from perudo_client.i18n import _, ngettext
from perudo_client.option_words import rules_name
from perudo_client.widgets.bar import TopBar
from perudo_client.widgets.page import Page, Paragraph
from perudo_client.widgets.places import Places
from perudo_client.widgets.story import Story
from perudo_protocol.views import TableView, Tally
from perudo_protocol.vocabulary import NO_SEAT

from .base import N_
from .talk import TalkScreen


class OverScreen(TalkScreen):
    """What became of everybody."""

    DEFAULT_CSS = """
    OverScreen {
        #story { padding: 0 1; }
        #places { padding: 0 1; }
        #awards { height: auto; padding: 0 1; margin-top: 1; }
        &.-full #places { border: round $line; border-title-color: $foreground 75%; padding: 1 2; }
        &.-compact #awards { margin-top: 0; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        # Not Enter: whoever waves the last reveal on with it has not asked for another game.
        Binding("r", "rematch", N_("rematch"),
                tooltip=N_("Play another game with the same players and rules")),
        Binding("b", "add_bot", N_("add a bot"), show=False, tooltip=N_("Let a bot sit down")),
        Binding("h", "app.history", N_("history"),
                tooltip=N_("Look at the reveals of this game again")),
        Binding("escape,q", "app.leave_table", N_("leave"), tooltip=N_("Leave this table")),
    ]  # fmt: skip

    def content(self) -> ComposeResult:
        """Give the places and the story."""
        yield TopBar(id="bar")
        yield Places(id="places")
        yield Page(id="awards")
        yield Story(id="story")
        yield self.entry

    def refresh_state(self, happened: Sequence[h.Happening]) -> None:
        """Show how the game ended."""
        view = self.model.view
        if view is None:
            return
        text = ngettext("{count} round", "{count} rounds", view.round)
        facts = [text.format(count=view.round)]
        bar = self.query_one(TopBar)
        bar.prove(self.model.mark, view.proof.chain)
        bar.show(view.name, rules_name(self.model.rules), facts)
        places = self.query_one(Places)
        places.show(view, story_words.winner_line(view))
        places.title(_("The game is over"))
        lines = [Paragraph(text) for text in awards(view)]
        self.query_one("#awards", Page).show([*lines, Paragraph(self._next(view), "dim", gap=True)])
        self.query_one(Story).show(self.client.tales)

    def _next(self, view: TableView) -> str:
        if self.model.can_rematch:
            return _("Press r to play again with the same players.")
        if self.model.am_host:
            return _(
                "Another game needs at least two players: wait for somebody, or press b to add a"
                " bot."
            )
        if view.my_seat == NO_SEAT:
            return _("The host may begin another game.")
        if self.model.am_ready:
            return _("You are ready for another game. The host begins it.")
        return _("The host may begin another game. Press r to be ready.")

    def action_rematch(self) -> None:
        """Begin another game, or be ready for it."""
        if self.model.can_rematch:
            self.client.ask(self.model.rematch())
        elif self.model.can_be_ready and not self.model.am_ready:
            self.client.ask(self.model.ready())

    def action_add_bot(self) -> None:
        """Let a bot sit down."""
        self.client.ask(self.model.add_bot())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Say whether an action means something now."""
        match action:
            case "rematch":
                can_be_ready = self.model.can_be_ready and not self.model.am_host
                return self.model.can_rematch or can_be_ready
            case "add_bot":
                return self.model.can_add_bot
            case _:
                return True


def awards(view: TableView) -> list[str]:
    """Say who lied most, who was caught most, and who called best."""
    lines = []
    liar = _most(view, lambda tally: tally.lies)
    if liar is not None:
        count = view.tallies[liar].lies
        text = ngettext("Most lies: {name}, {count}.", "Most lies: {name}, {count}.", count)
        lines.append(text.format(name=words.seat_name(view, liar), count=count))
    caught = _most(view, lambda tally: tally.caught)
    if caught is not None:
        count = view.tallies[caught].caught
        text = ngettext(
            "Caught most: {name}, {count} time.", "Caught most: {name}, {count} times.", count
        )
        lines.append(text.format(name=words.seat_name(view, caught), count=count))
    caller = _most(view, lambda tally: 2 * tally.right - tally.calls if tally.right else 0)
    if caller is not None:
        tally = view.tallies[caller]
        text = _("Best calls: {name}, {right} of {calls} right.")
        name = words.seat_name(view, caller)
        lines.append(text.format(name=name, right=tally.right, calls=tally.calls))
    return lines


def _most(view: TableView, measure: Callable[[Tally], int]) -> int | None:
    best = max(range(len(view.tallies)), key=lambda seat: measure(view.tallies[seat]), default=None)
    return best if best is not None and measure(view.tallies[best]) > 0 else None
