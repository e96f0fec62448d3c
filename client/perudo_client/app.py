"""The app: it owns the connection, the model and the settings, and chooses the screen."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.screen import Screen

from perudo_bot.identity import first_id
from perudo_protocol.messages import ClientMessage
from perudo_protocol.pins import pin_of
from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import Phase
from perudo_protocol.words import Denial

from . import address, banner, reasons, steady, themes, trust_words
from . import happenings as h
from .config import ClientOptions, Settings, save
from .embedded import EmbeddedServer
from .gate import Gate, too_short
from .i18n import _
from .keeping import Keeper
from .kept import KeptSeat, KeptSeats
from .kept_words import KeptWords
from .model import Model
from .naming import default_name
from .option_words import option_sentence
from .palette import HostCommands
from .printing import Printer
from .screens.away import AwayScreen
from .screens.base import N_, GameScreen
from .screens.fault import FaultScreen
from .screens.help import HelpScreen
from .screens.history import HistoryScreen
from .screens.lobby import LobbyScreen
from .screens.over import OverScreen
from .screens.question import QuestionScreen
from .screens.room import RoomScreen
from .screens.rules import RulesScreen
from .screens.secret import SecretScreen
from .screens.start import StartScreen
from .screens.table import TableScreen
from .screens.trust import TrustScreen
from .screens.waiting import LostScreen, WaitingScreen
from .settings_words import switches
from .telling import Memory
from .terminal import (
    GONE,
    WindowTitle,
    end_at_signals,
    end_without_terminal,
    go_on_when_continued,
    modes_kept,
    speaks_unicode,
)
from .trust import NOT_TRUSTED, KnownServers
from .widgets.ascii import AsciiFilter
from .widgets.story import Tale
from .wire import State, Wire

TICK = 0.25
"""So often, in seconds, the clock is looked at; it is drawn when it shows another second."""

CRASHED = 1
"""The code with which Textual ends an app that has an error."""
INTERNAL = 70
"""The exit code then; that of `sysexits.h` for an error of the program."""


class PerudoApp(App[int]):
    """The game on a terminal."""

    TITLE = "Perudo"
    CSS_PATH = "app.tcss"
    COMMAND_PALETTE_BINDING = "ctrl+p"
    COMMANDS = App.COMMANDS | {HostCommands}
    ENABLE_COMMAND_PALETTE = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "app.rules", N_("rules"), tooltip=N_("Read the rules")),
        Binding("f1", "app.help", N_("help"), show=False, tooltip=N_("See all keys")),
        Binding("ctrl+q", "app.quit", N_("quit"), show=False, tooltip=N_("End the program")),
        Binding("ctrl+c", "app.quit", N_("quit"), show=False, priority=True),
        Binding("ctrl+p", "app.command_palette", N_("all"), priority=True,
                tooltip=N_("Choose from everything that can be done")),
    ]  # fmt: skip

    def __init__(
        self,
        options: ClientOptions | None = None,
        *,
        now: Callable[[], float] = steady.now,
        wire: Callable[..., Wire] = Wire,
    ) -> None:
        """Begin at the start screen, or with the connection that the options ask for."""
        super().__init__()
        self.options = options or ClientOptions()
        self.settings: Settings = self.options.settings
        self.model = Model(first_id=first_id())
        self.memory = Memory()
        self.now = now
        self.wire = wire(self.model, self._happened, now)
        self.wire.gate.given = self.options.secret
        self.wire.gate.kept = KeptWords.beside(self.options.config_path)
        self.wire.known = KnownServers(self.options.known_path)
        self.wire.tell = self.tell
        self._joining = False
        """Whether the connection that the options ask for has not come about yet."""
        self.refusal = ""
        """Why the program ends, for standard error; empty where its user ends it."""
        self.wire.keeper = Keeper(self.options.games, self._not_saved)
        self._title = WindowTitle()
        self._waiting: list[h.Happening] = []
        self._wake: asyncio.TimerHandle | asyncio.Handle | None = None
        for theme in themes.OURS:
            self.register_theme(theme)
        self.theme = themes.usable(self.settings.theme, self.no_color)
        if self.settings.ascii or not speaks_unicode():
            self._filters.append(AsciiFilter())
            self.add_class("-ascii")

    # Life -----------------------------------------------------------------------------------------

    def on_mount(self) -> None:
        """Show the first screen and begin."""
        if not self.is_headless:
            end_at_signals(lambda code: self.exit(None, code))
            if sys.__stdin__ is not None and sys.__stdin__.isatty():
                end_without_terminal(sys.__stdin__.fileno())
            go_on_when_continued(self._draw_again)
        self.set_interval(TICK, self._tick)
        self.push_screen(StartScreen())
        if self.options.notice:
            self.tell(self.options.notice)
        where = self.options.address
        if self.options.demo:
            self.watch_bots()
        elif where is not None:
            table = self.options.table or self.options.watch or where.table
            watch = bool(self.options.watch)
            self._joining = True
            there, named = replace(where, table=table), self.options.named
            self._run(self.wire.connect(there, self.player_name, watch=watch, chosen=named))

    def _draw_again(self, begin: str) -> None:
        """Draw all of the screen on a terminal that others may have written on."""
        if self._driver is not None and self.is_running:
            self._driver.write(begin)
            self.refresh(layout=True)

    def _print_error_renderables(self) -> None:
        """Leave it to `run_app` to say in a sentence that an error has ended us.

        Textual's own picture of an error shows values, our dice and keys among them.
        """
        if "debug" in self.features:
            super()._print_error_renderables()
        self._exit_renderables.clear()

    async def on_unmount(self) -> None:
        """Leave nothing behind: the connection, the server of our own, the window's title.

        Where nobody meant to go, because we have crashed or the terminal is gone, the seat stays.
        """
        self.set_window_title("")
        if self.return_code in (CRASHED, GONE):
            self.wire.drop()
        else:
            self.wire.leave()
        await self.wire.stop_server()

    def _run(self, work: Coroutine[None, None, None]) -> None:
        self.run_worker(work, group="wire", exclusive=True)

    @property
    def player_name(self) -> str:
        """The player's name, as wished."""
        return self.settings.name or default_name()

    def get_css_variables(self) -> dict[str, str]:
        """Give the colours of the theme, and one for the lines around things."""
        colours = super().get_css_variables()
        line = "ansi_bright_black" if self.current_theme.ansi else f"{colours['foreground']} 25%"
        return {**colours, "line": line}

    # What happened --------------------------------------------------------------------------------

    def _happened(self, happened: list[h.Happening]) -> None:
        """Take note of what came; the screen follows when all that came with it is here."""
        self._waiting.extend(each for each in happened if not self.door.speaks_of(each))
        if self._wake is None and self.is_running:
            self._wake = asyncio.get_running_loop().call_soon(self._post)

    def _post(self) -> None:
        self.call_later(self._catch_up)

    def _catch_up(self) -> None:
        self._wake = None
        happened, self._waiting = self._waiting, []
        if not self.is_running or not self.screen_stack:
            return
        for happening in happened:
            self.memory.take(happening)
        if self._joining and self.wire.mistrusted:
            self.refusal = self.wire.why
            self.exit(None, NOT_TRUSTED)
            return
        self._joining &= self.wire.state in (State.CONNECTING, State.ASKING)
        self._choose_screen()
        self._stand_at_door()
        self._stop_at_fault()
        for screen in self.screen_stack:
            if isinstance(screen, GameScreen):
                screen.show(happened)
        for happening in happened:
            self._signal(happening)

    def _signal(self, happening: h.Happening) -> None:
        match happening:
            case h.YourTurn():
                self._your_turn()
            case h.NotWaitedFor(seated):
                self.tell(reasons.not_waited_for(seated=seated))
            case h.Arrived(again=True) if self.model.my_turn:
                self.set_window_title(_("Your turn: Perudo"))
            case h.LeftTable(reason) if reason != "left":
                self.tell(reasons.away(reason))
            case h.RequestRefused(reason=Denial.STORAGE_FULL):
                pass  # it stands over everything
            case h.RequestRefused() if not isinstance(self.screen, TableScreen):
                self.tell(reasons.refused(happening), bad=True)
            case h.TurnPassed() | h.Revealed() | h.LeftTable():
                self.set_window_title("Perudo")
            case _:
                pass

    def _your_turn(self) -> None:
        if self.settings.bell:
            self.bell()
        self.set_window_title(_("Your turn: Perudo"))
        if not isinstance(self.screen, TableScreen):
            self.tell(_("It is your turn."))

    def set_window_title(self, text: str) -> None:
        """Write into the terminal's title bar; the empty text gives back what was there."""
        if self.settings.title and self._driver is not None and not self.is_headless:
            self._driver.write(self._title.show(text))

    def _tick(self) -> None:
        # At the very end Textual has taken all screens away, and timers still run.
        self.model.beat(self.now())
        screen = self.screen if self.screen_stack else None
        if isinstance(screen, GameScreen) and screen.is_alive:
            screen.show_banner()
            screen.tick()

    # Screens --------------------------------------------------------------------------------------

    def _wanted(self) -> type[GameScreen]:
        view = self.model.view
        match self.wire.state:
            case State.HOME:
                return StartScreen
            case State.CONNECTING:
                return WaitingScreen
            case State.ASKING:
                return TrustScreen
            case State.LOST:
                return LostScreen
            case State.ONLINE if self.wire.setting_up:
                return WaitingScreen
            case _ if view is None:
                return LobbyScreen
        assert view is not None
        if view.phase is Phase.LOBBY:
            return RoomScreen
        return OverScreen if view.phase is Phase.OVER and self.memory.end_seen else TableScreen

    def _choose_screen(self) -> None:
        self._choose_base()
        away = [isinstance(screen, AwayScreen) for screen in self.screen_stack]
        if self.wire.state is State.AWAY and not any(away):
            self.push_screen(AwayScreen())
        elif self.wire.state is not State.AWAY and any(away):
            for _screen in away[away.index(True) :]:
                self.pop_screen()

    def _choose_base(self) -> None:
        wanted = self._wanted()
        if len(self.screen_stack) < 2 or type(self.screen_stack[1]) is wanted:
            return
        while len(self.screen_stack) > 2:
            self.pop_screen()
        self.switch_screen(wanted())

    def _stand_at_door(self) -> None:
        """Ask for join words where they are wanted, and only there."""
        there = [screen for screen in self.screen_stack if isinstance(screen, SecretScreen)]
        if self.door.asking and not there:
            self.push_screen(SecretScreen())
        elif there and not self.door.asking:
            while there[0] in self.screen_stack:
                self.pop_screen()

    def _stop_at_fault(self) -> None:
        """Show the banner while the game stands still for us, and only then."""
        there = any(isinstance(screen, FaultScreen) for screen in self.screen_stack)
        if self.model.proving.halted and not there:
            self.push_screen(FaultScreen())
        elif isinstance(self.screen, FaultScreen) and not self.model.proving.halted:
            self.pop_screen()

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Give everything that can be done, for the command palette."""
        if isinstance(screen, GameScreen):
            for command in screen.commands():
                if command.action != "app.command_palette":
                    title = _("{what} ({key})").format(what=command.help, key=command.key)
                    yield SystemCommand(title, "", partial(screen.run_action, command.action))
        yield SystemCommand(_("Theme"), _("Choose other colours"), self.action_change_theme)
        for name, title in themes.titles().items():
            yield SystemCommand(title, "", partial(setattr, self, "theme", name))
        for name, title in switches(self.settings).items():
            yield SystemCommand(title, "", partial(self.action_switch, name))

    # What screens ask for (see `screens.base.Client`) ---------------------------------------------

    @property
    def tales(self) -> list[Tale]:
        """The story of this table in words."""
        return self.memory.tales

    @property
    def reveals(self) -> list[TableView]:
        """Every reveal of this game, oldest first."""
        return self.memory.reveals

    def ask(self, message: ClientMessage) -> None:
        """Send a message to the server."""
        self.wire.send(message)

    def tell(self, sentence: str, *, bad: bool = False) -> None:
        """Show a sentence for a while."""
        self.notify(sentence, severity="error" if bad else "information", markup=False)

    def _not_saved(self, sentence: str) -> None:
        self.tell(sentence, bad=True)

    @property
    def door(self) -> Gate:
        """What is asked of us before a locked server or table."""
        return self.wire.gate

    def make_table(
        self, name: str, preset: str, changes: Mapping[str, bool | int | str], words: str
    ) -> str:
        """Ask for a table; gives a sentence if the join words would lock nothing."""
        words = words.strip()
        wrong = too_short(words) if words else ""
        if not wrong:
            work = self.wire.make(name, preset, changes, words)
            self.run_worker(work, group="make", exclusive=True)
        return wrong

    def play_alone(self, name: str) -> None:
        """Play against bots on a server of our own."""
        self._use_name(name)
        self._run(self.wire.play_alone(self.player_name))

    def watch_bots(self) -> None:
        """Watch bots play on a server of our own."""
        self._run(self.wire.play_alone(self.player_name, demo=True))

    def connect_to(self, text: str, name: str) -> str:
        """Connect; gives a sentence if this is no address."""
        try:
            where = address.parse(text)
        except address.AddressError as wrong:
            return str(wrong)
        chosen = name.strip() != self.player_name
        self._use_name(name)
        self._run(self.wire.connect(where, self.player_name, chosen=chosen))
        return ""

    def go_back(self, seat: KeptSeat) -> None:
        """Go back to a seat that an earlier program has left."""
        self._run(self.wire.go_back(seat))

    def seen(self) -> None:
        """The end of a game was seen: the screen that sums it up may come."""
        if not self.memory.end_seen:
            self.memory.end_seen = True
            self._happened([])

    def change(self, settings: Settings) -> None:
        """Use other settings from now on, and keep them."""
        self.settings = settings
        if self.options.config_path.name:
            try:
                save(self.options.config_path, settings)
            except OSError as wrong:
                text = _("The settings could not be kept: {problem}")
                self.tell(text.format(problem=wrong), bad=True)

    def _use_name(self, name: str) -> None:
        name = name.strip()
        if name and name != self.player_name:
            self.change(replace(self.settings, name=name))

    @property
    def waiting_for(self) -> str:
        """What is waited for, in a sentence."""
        if self.wire.alone:
            return _("The bots sit down...")
        return _("Connecting to {address}...").format(address=self.wire.where)

    @property
    def evidence(self) -> str:
        """Where the present game is saved; empty for nowhere."""
        path = self.wire.keeper.path
        return "" if path is None else str(path)

    @property
    def last_address(self) -> str:
        """The server that we were at last; empty for none, and for one of our own."""
        where = self.wire.last
        return "" if where is None else str(replace(where, table=0))

    @property
    def server_name(self) -> str:
        """What the server is called by who runs it."""
        return self.model.welcome.name if self.model.welcome is not None else ""

    @property
    def trust_question(self) -> list[str]:
        """What to ask about a server whose certificate is not known; the question itself first."""
        where = self.wire.where
        return ["", ""] if where is None else trust_words.question(where, self.wire.stranger)

    @property
    def lost(self) -> str:
        """Why the connection is over, in a sentence."""
        return self.wire.why

    @property
    def lost_lines(self) -> list[str]:
        """That the connection is lost, when we try again, how long our seat is kept."""
        now = self.now()
        since = self.wire.away_since
        return banner.lost_lines(
            self.model,
            away=0.0 if since is None else now - since,
            next_try=self.wire.seconds_to_next_try,
            stopping=self.wire.stopping,
        )

    @property
    def seat_left(self) -> KeptSeat | None:
        """A seat to which one may go back; an earlier program has left it."""
        return self.wire.seat_left

    @property
    def join_line(self) -> str:
        """What friends type to come to our table; empty in a game alone."""
        where, view = self.wire.where, self.model.view
        if where is None or view is None or self.wire.alone:
            return ""
        told = self.model.welcome.join if self.model.welcome is not None else ()
        there = replace(address.for_others(where, told), table=view.table)
        return f"perudo-client {replace(there, pin=pin_of(self.wire.certificate))}"

    def watch_theme(self, _old: str, new: str) -> None:
        """Keep a theme that was chosen, or take ours where it could not be read."""
        fit = themes.usable(new, self.no_color)
        if fit != new:
            self.theme = fit
        elif self.is_running and new != self.settings.theme:
            self.change(replace(self.settings, theme=new))

    # Actions --------------------------------------------------------------------------------------

    def action_rules(self) -> None:
        """Read the rules of this table, or of the usual game."""
        self._open(RulesScreen)

    def action_help(self) -> None:
        """See all keys."""
        base = self.screen
        if isinstance(base, GameScreen) and not isinstance(base, HelpScreen):
            self.push_screen(HelpScreen(list(base.commands())))

    def action_history(self) -> None:
        """Look at the reveals of this game again."""
        self._open(HistoryScreen)

    def action_home(self) -> None:
        """Drop the connection and go to the start screen."""
        self.workers.cancel_group(self, "wire")
        self.wire.leave()

    def action_hurry(self) -> None:
        """Try at once to come back."""
        self.wire.hurry()

    def action_reconnect(self) -> None:
        """Connect to the last server again."""
        self._run(self.wire.again())

    def action_trust(self) -> None:
        """Trust the server that we were asked about, and connect to it."""
        self._run(self.wire.trust())

    def action_leave_table(self) -> None:
        """Leave the table, after a question while a game is on."""
        if self.model.in_game:
            question = [_("Leave this game?"), self._without_us]
            self.push_screen(QuestionScreen(question, _("leave"), self.leave))
        else:
            self.leave()

    async def action_quit(self) -> None:
        """End the program, after a question while a game is on; asked again, it ends at once.

        While the connection is lost nothing is asked: the seat stays, and one may come back to it.
        """
        asked = isinstance(self.screen, QuestionScreen)
        if asked or not self.model.in_game or self.wire.state is not State.ONLINE:
            self.exit()
        else:
            question = [_("Quit Perudo? You leave this game."), self._without_us]
            self.push_screen(QuestionScreen(question, _("quit"), self.exit))

    @property
    def _without_us(self) -> str:
        if self.wire.alone:
            return _("The bots do not play it to the end.")
        return option_sentence("on_leave", self.model.rules.on_leave)

    def leave(self) -> None:
        """Leave the table for good, without a question."""
        if self.wire.alone:
            self.action_home()
        elif self.model.view is not None:
            self.ask(self.model.leave())

    def action_switch(self, name: str) -> None:
        """Turn a setting on or off."""
        on = not getattr(self.settings, name)
        changes: dict[str, Any] = {name: on}
        self.change(replace(self.settings, **changes))
        self._happened([])

    def _open(self, screen: type[GameScreen]) -> None:
        if not isinstance(self.screen, screen):
            self.push_screen(screen())


def run_app(options: ClientOptions) -> int:
    """Run the app until it ends; gives the exit code."""
    pace = {} if options.bot_seconds is None else {"bot_seconds": options.bot_seconds}
    start = partial(EmbeddedServer.start, **pace)
    seats = KeptSeats(options.seats_folder)
    app = PerudoApp(options, wire=partial(Wire, start_server=start, seats=seats))
    with modes_kept():
        app.run()
    if app.return_code == CRASHED:
        text = _("An error in this program ended it ({error}).")
        sentence = text.format(error=type(app._exception).__name__)
        Printer(sys.stderr).line(f"perudo-client: {sentence}")
        return INTERNAL
    if app.refusal:
        Printer(sys.stderr).line(f"perudo-client: {app.refusal}")
    return app.return_code or 0
