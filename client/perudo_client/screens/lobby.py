"""The tables of a server: join, watch, or make one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical

from perudo_client import happenings as h
from perudo_client.i18n import _, ngettext
from perudo_client.option_words import known, rules_name, rules_sentences
from perudo_client.widgets.bar import TopBar
from perudo_client.widgets.menu import Item, Menu
from perudo_client.widgets.page import Page, Paragraph
from perudo_client.words import together
from perudo_protocol.messages import TableLine

from .base import N_, GameScreen
from .make import MakeScreen


class LobbyScreen(GameScreen):
    """All tables, with their rules in words."""

    DEFAULT_CSS = """
    LobbyScreen #tables { height: 1fr; padding: 1 2; & > Menu { height: 1fr; } }
    """
    AUTO_FOCUS = "Menu"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,j", "join", N_("join"), key_display="Enter",
                tooltip=N_("Take a seat at the table; while a game is on, watch until the next")),
        Binding("w", "watch", N_("watch"), tooltip=N_("Watch the table")),
        Binding("m", "make", N_("make a table"),
                tooltip=N_("Make a table, with rules of your own")),
        Binding("escape", "app.home", N_("disconnect"),
                tooltip=N_("Leave this server and go to the start screen")),
    ]  # fmt: skip

    def content(self) -> ComposeResult:
        """Give the list of tables."""
        yield TopBar(id="bar")
        with Vertical(id="tables"):
            yield Page(id="none")
            yield Menu(id="menu")

    def refresh_state(self, happened: Sequence[h.Happening]) -> None:
        """Show the tables as they are."""
        tables = self.model.tables
        facts = ngettext("{count} table", "{count} tables", len(tables)).format(count=len(tables))
        self.query_one(TopBar).show(self.client.server_name, self.client.last_address, [facts])
        self.query_one(Menu).show([_item(table, n > 0) for n, table in enumerate(tables)])
        self.set_display(self.query_one(Menu), bool(tables))
        none = self.query_one("#none", Page)
        self.set_display(none, not tables)
        none.show([Paragraph(_("There is no table yet. Press m to make one."))])

    def _chosen_table(self) -> int:
        tables = self.model.tables
        index = self.query_one(Menu).index
        return tables[index].table if index < len(tables) else 0

    @on(Menu.Chosen)
    def action_join(self) -> None:
        """Take a seat at the table under the cursor."""
        if self._chosen_table():
            self.client.ask(self.model.join(self._chosen_table()))

    def action_watch(self) -> None:
        """Watch the table under the cursor."""
        if self._chosen_table():
            self.client.ask(self.model.watch(self._chosen_table()))

    def action_make(self) -> None:
        """Make a table."""
        self.app.push_screen(MakeScreen())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Say whether an action means something now."""
        return bool(self.model.tables) if action in ("join", "watch") else True


def _item(table: TableLine, gap: bool) -> Item:
    rules = known(table.rules)
    taken = table.people + table.bots
    parts = [_("{taken} of {seats} seats").format(taken=taken, seats=table.seats)]
    if table.watchers:
        text = ngettext("{count} watcher", "{count} watchers", table.watchers)
        parts.append(text.format(count=table.watchers))
    if table.locked:
        parts.append(_("locked"))
    if table.playing:
        parts.append(_("playing"))
    elif not table.locked:
        parts.append(_("open"))
    name = _("{rules}.").format(rules=rules_name(rules))
    detail = together([name[:1].upper() + name[1:], *rules_sentences(rules)])
    return Item(table.name, " · ".join(parts), detail, gap=gap)
