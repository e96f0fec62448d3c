"""One question with yes and no."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from perudo_client import happenings as h
from perudo_client.i18n import _
from perudo_client.widgets.page import Page, Paragraph

from .base import N_, GameScreen


class QuestionScreen(GameScreen):
    """Asks before something that cannot be taken back."""

    DEFAULT_CSS = """
    QuestionScreen { align: center middle; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y,enter", "yes", N_("yes"), key_display="Enter", tooltip=N_("Do it")),
        Binding("n,escape", "dismiss", N_("no"), key_display="Esc", tooltip=N_("Go back")),
    ]

    def __init__(self, question: Sequence[str], yes: str, then: Callable[[], None]) -> None:
        """Ask this; `yes` names what Enter does, `then` does it."""
        super().__init__()
        self._question = question
        self._yes = yes
        self._then = then

    def content(self) -> ComposeResult:
        """Give the question."""
        yield Page(id="page", classes="centred")

    def refresh_state(self, happened: Sequence[h.Happening]) -> None:
        """Show the question."""
        hint = _("Enter: {yes}. Esc: go back.").format(yes=self._yes)
        first, *more = self._question
        paragraphs = [Paragraph(first, "strong"), *(Paragraph(text) for text in more)]
        paragraphs.append(Paragraph(hint, "dim", gap=True))
        self.query_one(Page).show(paragraphs)

    def action_yes(self) -> None:
        """Do it."""
        self.dismiss()
        self._then()
