"""The connection is lost: over the screen that was there, which stays in sight as it was.

No key gets through to that screen meanwhile, so that nobody acts on what may not be so any more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from perudo_client import happenings as h
from perudo_client.widgets.page import Page, Paragraph

from .base import N_, GameScreen


class AwayScreen(GameScreen, ModalScreen[None]):
    """What is lost, when we try again, and for how long the seat is kept."""

    PART = "away"
    DEFAULT_CSS = """
    AwayScreen {
        background: transparent;
        #away { dock: bottom; height: auto; background: $panel; }
        #away Keys { dock: none; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "app.hurry", N_("try now"), key_display="Enter",
                tooltip=N_("Try to connect again at once")),
        Binding("escape", "app.home", N_("give up"), key_display="Esc",
                tooltip=N_("Give up and go to the start screen; the seat waits on")),
        Binding("ctrl+q", "app.quit", show=False),
    ]  # fmt: skip

    def compose(self) -> ComposeResult:
        """Put the lines and the keys at the bottom of the screen."""
        with Vertical(id="away"):
            yield Page(id="lost")
            yield self.keys

    def refresh_state(self, happened: Sequence[h.Happening]) -> None:
        """Show how it stands."""
        lines = self.client.lost_lines
        if self.app.size.width >= 60:
            lines = [" ".join(lines)]
        self.query_one(Page).show(
            [Paragraph(text, "dim" if at else "strong") for at, text in enumerate(lines)]
        )

    def tick(self) -> None:
        """Count down."""
        self.refresh_state([])
