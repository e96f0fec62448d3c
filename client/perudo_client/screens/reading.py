"""Screens to read: they scroll, and any of a few keys goes back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll

from perudo_client import happenings as h
from perudo_client.widgets.bar import TopBar
from perudo_client.widgets.page import Page, Paragraph

from .base import N_, GameScreen


class ReadingScreen(GameScreen):
    """A page with a title."""

    DEFAULT_CSS = """
    ReadingScreen {
        #scroll { height: 1fr; padding: 1 2; }
        &.-compact #scroll { padding: 0 1; }
        #text { max-width: 76; }
    }
    """
    AUTO_FOCUS = "VerticalScroll"
    LEAD = 0
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter", "dismiss", N_("back"), tooltip=N_("Go back")),
    ]

    def heading(self) -> tuple[str, str]:
        """Give the title, and a word about it."""
        return "", ""

    def paragraphs(self) -> list[Paragraph]:
        """Give what is to be read."""
        return []

    def content(self) -> ComposeResult:
        """Give the page."""
        yield TopBar(id="bar")
        with VerticalScroll(id="scroll"):
            yield Page(id="text", lead=self.LEAD)

    def refresh_state(self, happened: Sequence[h.Happening]) -> None:
        """Show the page."""
        title, about = self.heading()
        self.query_one(TopBar).show(title, about)
        self.query_one("#text", Page).show(self.paragraphs())
