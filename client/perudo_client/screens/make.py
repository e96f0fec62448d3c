"""Making a table: a name, a preset, and every option in a sentence."""

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
from perudo_client.option_words import (
    PRESET_NAMES,
    Value,
    option_sentence,
    option_title,
    option_value,
    preset_sentence,
    preset_title,
    values_of,
)
from perudo_client.widgets.bar import TopBar
from perudo_client.widgets.field import Field
from perudo_client.widgets.menu import Item, Menu
from perudo_protocol.ruleset import CHOICES, PRESETS, ruleset, to_wire

from .base import N_, GameScreen

OPEN, PRESET = 0, 1
OFFERED = tuple(CHOICES)
"""The options of the form."""
FIRST_OPTION = 2


class MakeScreen(GameScreen):
    """A form of one menu: Enter on its first line opens the table."""

    AUTO_FOCUS = "Menu"
    DEFAULT_CSS = """
    #form { height: 1fr; padding: 1 2; & > Menu { height: 1fr; } }
    #form Field > Input { margin-left: 12; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,space", "change(1)", N_("change"), key_display="←→",
                tooltip=N_("Change the option under the cursor")),
        Binding("left", "change(-1)", N_("change back"), show=False),
        Binding("o", "open", N_("open the table"), tooltip=N_("Open the table with these rules")),
        Binding("n", "focus_name", N_("name"), tooltip=N_("Write the table's name")),
        Binding("w", "focus_words", N_("join words"),
                tooltip=N_("Write join words, without which nobody comes to the table")),
        Binding("escape", "back", N_("back"), tooltip=N_("Go back to the list of tables")),
    ]  # fmt: skip

    def __init__(self) -> None:
        """Begin with the usual rules."""
        super().__init__()
        self._preset = PRESET_NAMES[0]
        self._changes: dict[str, Value] = {}

    def content(self) -> ComposeResult:
        """Give the form."""
        yield TopBar(id="bar")
        with Vertical(id="form"):
            yield Field(_("Name"), id="name")
            yield Field(_("Join words"), id="words", hint=_("none: open to all"))
            yield Menu(id="menu")

    def begin(self) -> None:
        """Propose a name for the table."""
        text = _("{name}'s table").format(name=self.client.player_name)
        self.query_one("#name", Field).value = text if len(text) <= 16 else _("New table")
        self.query_one(Menu).focus()

    def refresh_state(self, happened: Sequence[h.Happening]) -> None:
        """Show the form."""
        self.query_one(TopBar).show(_("Make a table"))
        values = to_wire(ruleset(self._preset, self._changes))
        items = [
            Item(_("Open the table"), detail=_("With the rules below.")),
            Item(
                _("Rules"),
                _arrows(preset_title(self._preset)),
                preset_sentence(self._preset),
                gap=True,
            ),
        ]
        for name in OFFERED:
            value = values[name]
            title = option_title(name) + (" *" if name in self._changes else "")
            shown = _arrows(option_value(name, value))
            items.append(Item(title, shown, option_sentence(name, value), gap=name == "raising"))
        self.query_one(Menu).show(items)

    @on(Menu.Chosen)
    def _chosen(self, event: Menu.Chosen) -> None:
        if event.index == OPEN:
            self.action_open()
        else:
            self.action_change(1)

    @on(Input.Submitted)
    def _named(self) -> None:
        self.query_one(Menu).focus()

    def action_change(self, step: int) -> None:
        """Take the next value of the option under the cursor."""
        index = self.query_one(Menu).index
        if index == PRESET:
            at = PRESET_NAMES.index(self._preset)
            self._preset = PRESET_NAMES[(at + step) % len(PRESET_NAMES)]
            self._changes = {}
        elif index >= FIRST_OPTION:
            self._change(OFFERED[index - FIRST_OPTION], step)
        self.show([])

    def _change(self, name: str, step: int) -> None:
        usual = to_wire(ruleset(self._preset))[name]
        values = values_of(name)
        at = values.index(self._changes.get(name, usual))
        value = values[(at + step) % len(values)]
        self._changes[name] = value
        if value == usual:
            del self._changes[name]

    def action_open(self) -> None:
        """Open the table."""
        assert self._preset in PRESETS
        name = self.query_one("#name", Field).value.strip()
        words = self.query_one("#words", Field)
        wrong = self.client.make_table(name, self._preset, self._changes, words.value)
        if wrong:
            self.client.tell(wrong, bad=True)
            self.set_focus(words.line)

    def action_focus_name(self) -> None:
        """Write the name."""
        self.set_focus(self.query_one("#name", Field).line)

    def action_focus_words(self) -> None:
        """Write the join words."""
        self.set_focus(self.query_one("#words", Field).line)

    def action_back(self) -> None:
        """Go back: from a field to the menu, from the menu to the tables."""
        if self.query_one(Menu).has_focus:
            self.dismiss()
        else:
            self.query_one(Menu).focus()


def _arrows(text: str) -> str:
    return f"◂ {text} ▸"
