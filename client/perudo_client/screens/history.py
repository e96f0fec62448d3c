"""The reveals of this game, one by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from perudo_client import happenings as h
from perudo_client import story_words, words
from perudo_client.i18n import _
from perudo_client.widgets.bar import TopBar
from perudo_client.widgets.page import Page, Paragraph
from perudo_client.widgets.reveal import RevealPanel

from .base import N_, GameScreen


class HistoryScreen(GameScreen):
    """A reveal as it was, and the ways to the others."""

    DEFAULT_CSS = """
    HistoryScreen {
        &.-full #reveal {
            border: round $line;
            border-title-color: $foreground 75%;
            border-subtitle-color: $foreground 70%;
            padding: 1 2;
            width: 1fr;
            height: auto;
            max-height: 100%;
        }
        &.-compact #reveal { height: auto; max-height: 100%; padding: 0 1; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "go(-1)", N_("rounds"), key_display="←→",
                tooltip=N_("Go to another round")),
        Binding("right", "go(1)", N_("later"), show=False),
        Binding("escape,q,enter,h", "dismiss", N_("back"), tooltip=N_("Go back")),
    ]  # fmt: skip

    def __init__(self) -> None:
        """Begin with the latest."""
        super().__init__()
        self._index = -1

    def content(self) -> ComposeResult:
        """Give the panel."""
        yield TopBar(id="bar")
        yield Page(id="none")
        yield RevealPanel(id="reveal")

    def refresh_state(self, happened: Sequence[h.Happening]) -> None:
        """Show the reveal that was chosen."""
        reveals = self.client.reveals
        panel, none = self.query_one(RevealPanel), self.query_one("#none", Page)
        self.set_display(panel, bool(reveals))
        self.set_display(none, not reveals)
        none.show([Paragraph(_("Nothing was revealed in this game yet."))])
        if self._index < 0:
            self._index = len(reveals) - 1
        if not reveals:
            self.query_one(TopBar).show(_("History"))
            return
        view = reveals[self._index]
        number = _("round {round}").format(round=view.round)
        of = _("{number} of {all}").format(number=self._index + 1, all=len(reveals))
        self.query_one(TopBar).show(_("History"), "", [number, of])
        reveal = view.reveal
        assert reveal is not None
        result = words.together(story_words.result_lines(view, reveal))
        answer = story_words.call_line(view, reveal)
        panel.show(view, answer, answer, result, story_words.next_line(view))
        panel.advance(panel.steps)
        panel.title(_("Round {round}").format(round=view.round))

    def action_go(self, step: int) -> None:
        """Go to another round."""
        last = len(self.client.reveals) - 1
        self._index = max(min(self._index + step, last), 0)
        self.show([])
