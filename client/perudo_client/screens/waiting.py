"""While a connection is made: what is waited for, and the way out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from perudo_client import happenings as h
from perudo_client.widgets.page import Page, Paragraph

from .base import N_, GameScreen


class WaitingScreen(GameScreen):
    """One sentence, and how to give up."""

    DEFAULT_CSS = """
    WaitingScreen { align: center middle; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "app.home", N_("give up"), tooltip=N_("Give up and go back")),
    ]

    def content(self) -> ComposeResult:
        """Give the sentence."""
        yield Page(id="page", classes="centred")

    def refresh_state(self, happened: Sequence[h.Happening]) -> None:
        """Show what is waited for."""
        self.query_one(Page).show([Paragraph(self.client.waiting_for, "strong")])


class LostScreen(GameScreen):
    """The server is gone: why, and what one can do."""

    DEFAULT_CSS = """
    LostScreen { align: center middle; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r,enter", "app.reconnect", N_("connect again"), key_display="r",
                tooltip=N_("Connect to the same server again")),
        Binding("escape", "app.home", N_("start screen"), tooltip=N_("Go to the start screen")),
        Binding("q", "app.quit", N_("quit"), tooltip=N_("End the program")),
    ]  # fmt: skip

    def content(self) -> ComposeResult:
        """Give the sentence."""
        yield Page(id="page", classes="centred")

    def refresh_state(self, happened: Sequence[h.Happening]) -> None:
        """Show why the connection is over."""
        self.query_one(Page).show([Paragraph(self.client.lost, "strong")])
