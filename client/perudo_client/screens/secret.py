"""Before a locked server or table: a line for its join words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input

from perudo_client import happenings as h
from perudo_client.i18n import _
from perudo_client.widgets.field import Field
from perudo_client.widgets.page import Page, Paragraph

from .base import N_, GameScreen


class SecretScreen(GameScreen):
    """Asks for join words. They are shown as they are typed, since they were told aloud."""

    PART = "door"
    AUTO_FOCUS = "Input"
    DEFAULT_CSS = """
    SecretScreen { align: center middle; }
    #door { border: round $line; padding: 1 1 0 1; }
    #door Field { margin: 1 1; }
    #door Field > Input { margin-left: 12; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f2", "remember", N_("remember"), key_display="F2",
                tooltip=N_("Remember the words for this server, or do not")),
        Binding("escape", "back", N_("back"), tooltip=N_("Go back without the words")),
    ]  # fmt: skip

    def __init__(self) -> None:
        """Begin without words."""
        super().__init__()
        self._sent = ""
        """The words that are being tried."""

    def content(self) -> ComposeResult:
        """Give the question and the line."""
        with Vertical(id="door", classes="column"):
            yield Page(id="question")
            yield Field(_("Join words"), id="words", max_length=120)
            yield Page(id="word")

    def refresh_state(self, happened: Sequence[h.Happening]) -> None:
        """Show what is asked, and how the last words did."""
        door = self.client.door
        if door.for_server:
            title = _("This server is locked.")
            hint = _("Type its join words and press Enter. Whoever started it knows them.")
        else:
            title = _("This table is locked.")
            hint = _("Type its join words and press Enter. Whoever made it knows them.")
        self.query_one("#question", Page).show([Paragraph(title, "strong"), Paragraph(hint)])
        if self._sent and not door.busy:
            self._clear()
        self.query_one("#word", Page).show(self._word())

    def _clear(self) -> None:
        """Make room for other words than those that were refused."""
        field, refused, self._sent = self.query_one(Field), self._sent, ""
        if field.value == refused:
            with field.line.prevent(Input.Changed):  # what was wrong stays there to read
                field.value = ""

    def _word(self) -> list[Paragraph]:
        door = self.client.door
        if door.busy:
            first = Paragraph(_("Trying the words..."), "dim")
        else:
            first = Paragraph(door.word or " ", "bad")
        if not door.for_server:
            return [first, Paragraph(" ")]
        kept = (
            _("They will be remembered for this server.")
            if door.remember
            else _("F2: remember them for this server.")
        )
        return [first, Paragraph(kept, "dim"), Paragraph(" ")]

    @on(Input.Submitted)
    def _typed(self) -> None:
        door, words = self.client.door, self.query_one(Field).value
        if not door.busy:
            door.type(words)
            self._sent = words if door.busy else ""
        self.show([])

    @on(Input.Changed)
    def _corrected(self) -> None:
        """Say no more of words that stand there no longer."""
        if self.client.door.word:
            self.client.door.word = ""
            self.show([])

    def action_remember(self) -> None:
        """Remember the words, or do not."""
        self.client.door.remember = not self.client.door.remember
        self.show([])

    async def action_back(self) -> None:
        """Go back: from a server to the start, from a table to the list of tables."""
        if self.client.door.for_server:
            await self.run_action("app.home")
        else:
            self.client.door.close()
            self.dismiss()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Say whether an action means something now."""
        return self.client.door.for_server if action == "remember" else True
