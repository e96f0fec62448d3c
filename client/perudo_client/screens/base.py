"""What all screens share: the client that they show, their size, their keys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol, cast

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.screen import Screen
from textual.widget import Widget

from perudo_client.i18n import _
from perudo_client.widgets.banner import Banner
from perudo_client.widgets.keys import Key, Keys
from perudo_client.widgets.lines import Lines
from perudo_client.widgets.pieces import Line, wrap

if TYPE_CHECKING:  # the start screen, which comes before all of this, stands on this module too
    from perudo_client.config import Settings
    from perudo_client.gate import Gate
    from perudo_client.happenings import Happening
    from perudo_client.kept import KeptSeat
    from perudo_client.model import Model
    from perudo_client.widgets.story import Tale
    from perudo_protocol.messages import ClientMessage
    from perudo_protocol.views import TableView

LEAST_WIDTH = 30
LEAST_HEIGHT = 10
FULL_WIDTH, FULL_HEIGHT = 72, 24
LOW_HEIGHT = 16
ROOMY_WIDTH, ROOMY_HEIGHT = 112, 28


def N_(message: str) -> str:  # noqa: N802 - gettext's own name for it
    """Mark a sentence for translation where it is written; `_` translates where it is shown."""
    return message


class Client(Protocol):
    """What screens need to know and to do at a server; see `visit`."""

    model: Model

    @property
    def settings(self) -> Settings:
        """The settings as they are now."""

    @property
    def tales(self) -> list[Tale]:
        """The story of this table in words."""

    @property
    def reveals(self) -> list[TableView]:
        """Every reveal of this game, oldest first."""

    @property
    def hold_up(self) -> str:
        """What holds up the game, or us, in a sentence; empty when nothing does."""

    @property
    def door(self) -> Gate:
        """What is asked of us before a locked server or table."""

    def now(self) -> float:
        """Give the seconds of a steady clock."""

    def ask(self, message: ClientMessage) -> None:
        """Send a message to the server."""

    def tell(self, sentence: str, *, bad: bool = False) -> None:
        """Show a sentence for a while."""

    def make_table(
        self, name: str, preset: str, changes: Mapping[str, bool | int | str], words: str
    ) -> str:
        """Ask for a table; gives a sentence if the join words would lock nothing."""

    def leave(self) -> None:
        """Leave the table for good, without a question."""

    def play_alone(self, name: str) -> None:
        """Play against bots on a server of our own."""

    def watch_bots(self) -> None:
        """Watch bots play on a server of our own."""

    def connect_to(self, address: str, name: str) -> str:
        """Connect; gives a sentence if this is no address."""

    def go_back(self, seat: KeptSeat) -> None:
        """Go back to a seat that an earlier program has left."""

    def seen(self) -> None:
        """The end of a game was seen: the screen that sums it up may come."""

    @property
    def player_name(self) -> str:
        """The player's name, as wished."""

    @property
    def evidence(self) -> str:
        """Where the present game is saved; empty for nowhere."""

    @property
    def last_address(self) -> str:
        """The server that we were at last; empty for none."""

    @property
    def server_name(self) -> str:
        """What the server is called by who runs it."""

    @property
    def waiting_for(self) -> str:
        """What is waited for, in a sentence."""

    @property
    def trust_question(self) -> list[str]:
        """What to ask about a server whose certificate is not known; the question itself first."""

    @property
    def lost(self) -> str:
        """Why the connection is over or did not come about; empty where all is well."""

    @property
    def lost_lines(self) -> list[str]:
        """That the connection is lost, when we try again, how long our seat is kept."""

    @property
    def join_line(self) -> str:
        """What friends type to come to our table."""


class Home(Protocol):
    """What screens need of the app before there is a server."""

    @property
    def player_name(self) -> str:
        """The player's name, as wished."""

    @property
    def last_address(self) -> str:
        """The server that we were at last; empty for none."""

    @property
    def lost(self) -> str:
        """Why the connection is over or did not come about; empty where all is well."""

    @property
    def seat_left(self) -> KeptSeat | None:
        """A seat to which one may go back; an earlier program has left it."""

    @property
    def visit(self) -> Client:
        """What goes on at servers."""


class Command(NamedTuple):
    """Something that can be done on a screen: for the key line, the help, and the palette."""

    key: str
    label: str
    help: str
    action: str
    show: bool


class TooSmall(Lines):
    """The only thing in sight when the window is too small to play."""

    DEFAULT_CSS = """
    TooSmall { display: none; height: 1fr; }
    """

    def paint(self, width: int, height: int) -> list[Line]:
        """Draw the sentence, on as many lines as it takes."""
        text = _("Please enlarge the window: {width}x{height} at least.")
        return wrap(text.format(width=LEAST_WIDTH, height=LEAST_HEIGHT), width, "strong")


class GameScreen(Screen[None]):
    """A screen with a key line, that knows its size and shows the client's state."""

    DEFAULT_CSS = """
    GameScreen {
        background: $background;
        color: $foreground;
        layout: vertical;
        &.-tiny > * { display: none; }
        &.-tiny > TooSmall { display: block; }
        &.-tiny > .-toast-rack { display: none; }
    }
    """
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = []
    PART: ClassVar[str] = ""
    """What it is to those who have no need to load it; empty where nobody asks."""
    AT_SERVER: ClassVar[bool] = True
    """Whether this may be shown at a server, where something may hold up the game."""

    def __init__(self) -> None:
        """Begin with the line of keys, and with the one over it, in which nothing stands yet."""
        super().__init__()
        self.hold_up, self.keys = Banner(id="hold-up"), Keys(id="keys")
        self._size_shown: Size | None = None

    @property
    def home(self) -> Home:
        """The app, as screens see it."""
        return cast(Home, self.app)

    @property
    def client(self) -> Client:
        """What goes on at servers; most of the program is loaded when this is asked for first."""
        return self.home.visit

    @property
    def model(self) -> Model:
        """What is known of the server and the table."""
        return self.client.model

    def content(self) -> ComposeResult:
        """Give the widgets of this screen, without the key line."""
        yield from ()

    def compose(self) -> ComposeResult:
        """Put the screen together; called by Textual."""
        self._measure()  # before there is anything whose styles would hang on it
        yield from self.content()
        if self.AT_SERVER:
            yield self.hold_up
        yield self.keys
        if self.has_class("-tiny"):
            yield TooSmall()

    def on_mount(self) -> None:
        """Show the state for the first time."""
        self._measure()
        if self.app.is_running and self.keys in self.children:  # else the program has ended
            self.begin()
        self.show([])

    def begin(self) -> None:
        """Fill in what is there from the beginning; for each screen to define."""

    def show(self, happened: Sequence[Happening]) -> None:
        """Show the client's state after this happened; override `refresh_state`."""
        if self.is_alive:
            self.show_banner()
            self.refresh_state(happened)
            self.show_keys()

    def show_banner(self) -> None:
        """Say what holds up the game, if anything does."""
        if self.hold_up.parent is not None and self.hold_up.show(self.client.hold_up):
            self.call_later(self.show, [])

    @property
    def is_alive(self) -> bool:
        """Whether this screen is put together, and not being taken apart, be it with all others."""
        return self.app.is_running and self.is_mounted and self.keys.parent is not None

    def refresh_state(self, happened: Sequence[Happening]) -> None:
        """Show the client's state; for each screen to define."""

    def tick(self) -> None:
        """A part of a second has passed; for screens with a clock."""

    def on_screen_resume(self, event: events.ScreenResume) -> None:
        """Catch up with what happened while another screen was on top."""
        if not self.stack_updates:
            event.refresh_styles = False  # all parts have just been given their first ones
        self.show([])

    def on_resize(self, event: events.Resize) -> None:
        """Take the layout that fits the new size; Textual tells the first one several times.

        It tells each again when all is laid out for it. The window may have another size by then.
        """
        if event.size != self.app.size:
            event.prevent_default()  # nothing is laid out for a size that has passed
        elif event.size != self._size_shown:
            self._size_shown = event.size
            self._measure()
            self.show([])

    def _measure(self) -> None:
        width, height = self.app.size
        tiny = width < LEAST_WIDTH or height < LEAST_HEIGHT
        full = width >= FULL_WIDTH and height >= FULL_HEIGHT
        sizes = {
            "-tiny": tiny,
            "-full": full,
            "-compact": not full,
            "-roomy": width >= ROOMY_WIDTH and height >= ROOMY_HEIGHT,
            "-low": not full and height < LOW_HEIGHT,
        }
        if any(self.has_class(name) is not on for name, on in sizes.items()):
            self.update_classes(sizes, animate=False)
        if tiny and self.is_alive and self.query_one_optional(TooSmall) is None:
            self.mount(TooSmall())

    # What can be done -------------------------------------------------------------------------

    def commands(self) -> Iterator[Command]:
        """Give everything that can be done here now, each once."""
        done: set[str] = set()
        own = [bound.action for bound in type(self).BINDINGS if isinstance(bound, Binding)]
        active_here = sorted(
            self.active_bindings.values(),
            key=lambda active: (active.binding.action not in own, active.node is self.app),
        )
        for active in active_here:
            binding = active.binding
            if not active.enabled or not binding.tooltip or binding.action in done:
                continue
            done.add(binding.action)
            yield Command(
                binding.key_display or key_name(binding.key),
                _(binding.description),
                _(binding.tooltip),
                binding.action,
                binding.show,
            )

    def show_keys(self) -> None:
        """Draw the key line anew."""
        if not self.is_alive:
            return
        shown = [command for command in self.commands() if command.show]
        ours = [c for c in shown if not c.action.startswith("app.")]
        tail = [c for c in shown if c.action.startswith("app.")]
        self.keys.show([Key(c.key, c.label, c.action) for c in (*ours, *tail)])

    async def on_lines_pressed(self, event: Lines.Pressed) -> None:
        """Do what a clicked key in the key line stands for."""
        if isinstance(event.widget, Keys) and event.press:
            event.stop()
            await self.run_action(str(event.press))

    def set_display(self, widget: Widget, shown: bool) -> None:
        """Show or hide a widget."""
        if widget.display != shown:
            widget.display = shown


def key_name(key: str) -> str:
    """Write a key as people read it."""
    names = {
        "enter": "Enter",
        "space": _("Space"),
        "escape": "Esc",
        "question_mark": "?",
        "colon": ":",
        "left": "←",
        "right": "→",
        "up": "↑",
        "down": "↓",
        "plus": "+",
        "minus": "-",
        "f1": "F1",
        "delete": "Del",
    }
    if key.startswith("ctrl+"):
        return "^" + key.removeprefix("ctrl+")
    return names.get(key, key)
