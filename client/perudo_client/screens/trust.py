"""The server's certificate is not known: whether to go on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from perudo_client import happenings as h
from perudo_client.i18n import _
from perudo_client.widgets.page import Page, Paragraph

from .base import N_, GameScreen


class TrustScreen(GameScreen):
    """The fingerprint, and a yes that nobody types by chance."""

    DEFAULT_CSS = """
    TrustScreen { align: center middle; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "app.trust", N_("yes"), tooltip=N_("Trust this server from now on")),
        Binding("n,escape", "app.home", N_("no"), key_display="Esc", tooltip=N_("Go back")),
    ]

    def content(self) -> ComposeResult:
        """Give the question."""
        yield Page(id="page", classes="centred")

    def refresh_state(self, happened: Sequence[h.Happening]) -> None:
        """Show the question."""
        first, *more, asked = self.client.trust_question
        paragraphs = [Paragraph(first, "strong"), *(Paragraph(text) for text in more)]
        paragraphs.append(Paragraph(asked, "strong", gap=True))
        paragraphs.append(Paragraph(_("y: yes, trust it. Esc: go back."), "dim"))
        self.query_one(Page).show(paragraphs)
