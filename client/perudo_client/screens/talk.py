"""Screens at a table, where one can talk: the typing line and what happened."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.binding import Binding

from perudo_client.widgets.entry import Entry, Mode

from .base import N_, GameScreen


class TalkScreen(GameScreen):
    """A screen that has an `Entry`."""

    BINDINGS: ClassVar[list[Binding]] = [
        Binding("t", "talk", N_("talk"), tooltip=N_("Say something at the table")),
    ]

    def action_talk(self) -> None:
        """Open the line for something to say."""
        self.query_one(Entry).open(Mode.SAY)

    @on(Entry.Said)
    def _said(self, event: Entry.Said) -> None:
        said = self.model.phrase(event.phrase) if event.phrase else self.model.say(event.text)
        self.client.ask(said)
