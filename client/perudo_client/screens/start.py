"""The start: one's name, a server's address, and one Enter to play alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input

from perudo_client.i18n import _
from perudo_client.widgets.field import Field
from perudo_client.widgets.menu import Item, Menu
from perudo_client.widgets.page import Page, Paragraph

from .base import N_, GameScreen
from .logo import Logo

if TYPE_CHECKING:
    from perudo_client.happenings import Happening
    from perudo_client.kept import KeptSeat


TALL, ROOMY = 20, 24
"""From so many lines on the menu stands apart, and says more of what it offers."""


class StartScreen(GameScreen):
    """What the program shows first."""

    DEFAULT_CSS = """
    StartScreen {
        align: center middle;
        #start > Menu { height: auto; }
        #word.-said { margin-bottom: 1; }
        #logo.-gone { display: none; }
        &.-low {
            #logo { display: none; }
            #name { margin-bottom: 0; }
        }
    }
    """
    AUTO_FOCUS = "Menu"
    AT_SERVER = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("p", "play", N_("play"), show=False,
                tooltip=N_("Play now against three bots, on this computer")),
        Binding("a", "focus_address", N_("address"), tooltip=N_("Write the address of a server")),
        Binding("n", "focus_name", N_("name"), tooltip=N_("Write your name")),
        Binding("d", "watch_bots", N_("watch bots"), show=False,
                tooltip=N_("Watch bots play a game, on this computer")),
        Binding("q", "app.quit", N_("quit"), tooltip=N_("End the program")),
        Binding("escape", "menu", show=False),
    ]  # fmt: skip

    def __init__(self) -> None:
        """Begin without a seat to go back to."""
        super().__init__()
        self._left: KeptSeat | None = None

    def content(self) -> ComposeResult:
        """Give the logo, the fields, the menu."""
        with Vertical(id="start", classes="column"):
            yield Logo(id="logo")
            yield Field(_("Name"), id="name", max_length=60)
            hint = _("such as {address}").format(address="10.0.0.7:7654")
            yield Field(_("Address"), id="address", max_length=300, hint=hint)
            yield Page(id="word")
            yield Menu(id="menu")

    def begin(self) -> None:
        """Fill in the name, and the address of the last time."""
        self._left = self.home.seat_left
        self.query_one("#name", Field).value = self.home.player_name
        where = self.home.last_address
        if where:
            self.query_one("#address", Field).value = where
        self.query_one(Menu).focus()

    def refresh_state(self, happened: Sequence[Happening]) -> None:
        """Show what can be chosen."""
        tall, roomy = (self.app.size.height >= height for height in (TALL, ROOMY))

        def item(title: str, detail: str, gap: bool = False) -> Item:
            return Item(title, detail=detail if roomy else "", gap=gap and tall)

        self.query_one(Menu).show(
            [
                *self._way_back(),
                item(_("Play now against bots"), _("Three bots, on this computer.")),
                item(_("Connect"), _("Go to the tables of the server at the address above."), True),
                Item(_("Watch bots play"), gap=tall),
                Item(_("Rules")),
                Item(_("Quit")),
            ]
        )
        self.tell(self.home.lost)

    def _way_back(self) -> list[Item]:
        left = self._left
        if left is None:
            return []
        title = _("Go back to your seat at {table}").format(table=left.table_name)
        where = left.where._replace(pin="")
        detail = _("As {name}, on {address}.").format(name=left.name, address=where)
        return [Item(title, detail=detail)]

    def tell(self, sentence: str) -> None:
        """Say what is wrong with what was written; on a small screen in the place of the logo."""
        word, roomy = self.query_one("#word", Page), self.has_class("-full")
        word.show([Paragraph(sentence, "bad")] if sentence else [])
        word.set_class(bool(sentence), "-said")
        self.query_one("#logo", Logo).set_class(bool(sentence) and not roomy, "-gone")

    @on(Menu.Chosen)
    async def _chosen(self, event: Menu.Chosen) -> None:
        await self.action_choose(event.index)

    @on(Input.Submitted)
    async def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if event.input is self.query_one("#address", Field).line:
            self._connect()
        else:
            self.query_one(Menu).focus()

    async def action_choose(self, index: int) -> None:
        """Do what an item of the menu stands for."""
        if self._left is not None:
            index -= 1
        match index:
            case -1 if self._left is not None:
                self.client.go_back(self._left)
            case 0:
                self.action_play()
            case 1:
                self._connect()
            case 2:
                self.action_watch_bots()
            case 3:
                await self.run_action("app.rules")
            case _:
                await self.run_action("app.quit")

    def action_play(self) -> None:
        """Play against bots."""
        self.client.play_alone(self.query_one("#name", Field).value)

    def action_watch_bots(self) -> None:
        """Watch bots play."""
        self.client.watch_bots()

    def _connect(self) -> None:
        field = self.query_one("#address", Field)
        wrong = self.client.connect_to(field.value, self.query_one("#name", Field).value)
        self.tell(wrong)
        if wrong:
            field.line.focus()

    def action_focus_address(self) -> None:
        """Write an address."""
        self.set_focus(self.query_one("#address", Field).line)

    def action_focus_name(self) -> None:
        """Write a name."""
        self.set_focus(self.query_one("#name", Field).line)

    def action_menu(self) -> None:
        """Go back to the menu."""
        self.query_one(Menu).focus()
