"""Screens at a table, where one can talk: the typing line and what happened."""

from __future__ import annotations

from typing import ClassVar

from textual import events, on
from textual.binding import Binding, BindingType

from perudo_client.i18n import _
from perudo_client.widgets.entry import Entry, Mode
from perudo_client.widgets.keys import Key

from .base import N_, GameScreen


class TalkScreen(GameScreen):
    """A screen that has an `Entry`."""

    DEFAULT_CSS = """
    TalkScreen {
        &.-full #story { padding: 0 1; }
        &.-compact #story { border-top: solid $line; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("t", "talk", N_("talk"), tooltip=N_("Say something at the table")),
    ]

    def __init__(self) -> None:
        """Begin with the line closed."""
        super().__init__()
        self.entry = Entry(id="entry")

    def on_key(self, event: events.Key) -> None:
        """Open the line for something to say, at once, so that it misses nothing typed after it."""
        entry = self.entry
        if entry.is_open:
            entry.take(event)
        elif event.key == "t" and not self.has_class("-tiny"):
            event.stop()
            event.prevent_default()
            self.action_talk()

    def show_keys(self) -> None:
        """Draw the key line; while one types it tells the keys of the typing line."""
        entry = self.entry
        if not entry.is_open:
            super().show_keys()
            return
        keys = [Key("Enter", _("say") if entry.mode is Mode.SAY else _("do it"), "")]
        if entry.mode is Mode.SAY:
            keys.append(Key("↑↓", _("phrases"), ""))
        self.keys.show([*keys, Key("Esc", _("close"), "")])

    @on(Entry.Toggled)
    def _entry_toggled(self) -> None:
        self.show([])

    def action_talk(self) -> None:
        """Open the line for something to say."""
        self.entry.open(Mode.SAY)

    @on(Entry.Said)
    def _said(self, event: Entry.Said) -> None:
        said = self.model.phrase(event.phrase) if event.phrase else self.model.say(event.text)
        self.client.ask(said)
