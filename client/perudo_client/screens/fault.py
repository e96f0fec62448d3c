"""The red banner: the dice are not proven, and nothing is played until the player decides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content

from perudo_client import happenings as h
from perudo_client.faults import found, proves, proves_not
from perudo_client.i18n import _
from perudo_client.proof_words import evidence_line
from perudo_client.widgets.page import Page, Paragraph

from .base import N_, GameScreen


class FaultScreen(GameScreen):
    """Says what was found, what it proves and what not, and where the evidence is."""

    PART = "fault"
    AUTO_FOCUS = "VerticalScroll"
    DEFAULT_CSS = """
    FaultScreen { align: center middle; }
    FaultScreen #banner {
        width: 72; max-width: 100%; height: auto; max-height: 100%;
        border: heavy $error;
        border-title-color: $background;
        border-title-background: $error;
        border-title-style: bold;
        padding: 1 2;
    }
    FaultScreen #text { max-width: 76; }
    FaultScreen.-compact #banner { padding: 0 1; }
    FaultScreen #banner:ansi { border-title-style: bold reverse; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("l", "leave", N_("leave"), tooltip=N_("Leave this table")),
        Binding("g", "go_on", N_("go on"),
                tooltip=N_("Go on at your own risk, with dice that are not proven")),
    ]  # fmt: skip

    def content(self) -> ComposeResult:
        """Give the banner."""
        with VerticalScroll(id="banner"):
            yield Page(id="text")

    def refresh_state(self, happened: Sequence[h.Happening]) -> None:
        """Show what was found."""
        alarm = self.model.proving.alarm
        if alarm is None:
            return
        view, fault = alarm.view, alarm.fault
        self.query_one("#banner").border_title = Content(_("✗ The dice are not proven"))
        self.query_one(Page).show(
            [
                Paragraph(found(view, fault), "bad"),
                Paragraph(proves(fault.kind), gap=True),
                Paragraph(proves_not(fault.kind)),
                Paragraph(evidence_line(self.client.evidence), "dim", gap=True),
                Paragraph(
                    _(
                        "The game stands still for you: nothing is bid any more. Press l to leave"
                        " the table, or g to go on at your own risk."
                    ),
                    "strong",
                    gap=True,
                ),
            ]
        )

    def action_go_on(self) -> None:
        """Go on at one's own risk."""
        self.model.proving.decided()
        self.dismiss()

    def action_leave(self) -> None:
        """Leave the table, if we are still there."""
        self.model.proving.decided()
        self.dismiss()
        self.client.leave()
