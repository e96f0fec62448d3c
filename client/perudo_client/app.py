"""The app: the terminal, the settings, the start screen, and the keys that mean the same anywhere.

What it takes to be at a server is in `visit` and behind it, and is loaded when it is needed first.
"""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Callable, Iterable
from contextvars import copy_context
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar

from rich.console import RenderableType
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.command import Provider
from textual.reactive import Reactive
from textual.screen import Screen
from textual.theme import Theme

from . import steady, themes
from .config import ClientOptions, Settings, save
from .i18n import _
from .kept import KeptSeat, KeptSeats
from .naming import default_name
from .printing import Printer
from .screens.base import N_, GameScreen
from .screens.start import StartScreen
from .settings_words import switches
from .terminal import (
    GONE,
    WindowTitle,
    end_at_signals,
    end_without_terminal,
    go_on_when_continued,
    hear_no_signals,
    modes_kept,
    speaks_unicode,
)
from .widgets.ascii import AsciiFilter
from .widgets.pen import Pen

if TYPE_CHECKING:
    from .visit import Visit
    from .wire import Wire

CALM_SECONDS = 0.5
"""So long, in seconds, no garbage is collected at the start: by then the first picture is there."""
TICK = 0.5
"""So often, in seconds, the clock is looked at: when it shows another second, and once between."""
JUST_AFTER = 0.01
"""So many seconds later, since a moment before it nothing new is to be seen."""

CRASHED = 1
"""The code with which Textual ends an app that has an error."""
INTERNAL = 70
"""The exit code then; that of `sysexits.h` for an error of the program."""


def _host_commands() -> type[Provider]:
    from .palette import HostCommands

    return HostCommands


class PerudoApp(App[int]):
    """The game on a terminal."""

    TITLE = "Perudo"
    theme: Reactive[str] = Reactive(themes.DARK.name)
    """Ours from the very start: another one has all styles read twice."""
    CSS_PATH = "app.tcss"
    COMMAND_PALETTE_BINDING = "ctrl+p"
    COMMANDS = App.COMMANDS | {_host_commands}
    ENABLE_COMMAND_PALETTE = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "app.rules", N_("rules"), tooltip=N_("Read the rules")),
        Binding("f1", "app.help", N_("help"), show=False, tooltip=N_("See all keys")),
        Binding("ctrl+q", "app.quit", N_("quit"), show=False, tooltip=N_("End the program")),
        Binding("ctrl+c", "app.quit", N_("quit"), show=False, priority=True),
        Binding("ctrl+z", "app.suspend_process", N_("stop"), show=False, priority=True,
                tooltip=N_("Stop the program, until the shell lets it go on")),
        Binding("ctrl+p", "app.command_palette", N_("all"), priority=True,
                tooltip=N_("Choose from everything that can be done")),
    ]  # fmt: skip

    def __init__(
        self,
        options: ClientOptions | None = None,
        *,
        now: Callable[[], float] = steady.now,
        wire: Callable[..., Wire] | None = None,
        seats: KeptSeats | None = None,
    ) -> None:
        """Begin at the start screen, or with the connection that the options ask for.

        `seats` keeps our seats for the case that this program ends; `wire` makes the connection in
        another way than the usual one.
        """
        super().__init__()
        self.pen = Pen(self, lambda call: asyncio.get_running_loop().call_soon(call))
        self.options = options or ClientOptions()
        self.settings: Settings = self.options.settings
        self.seats = seats or KeptSeats(None)
        self.now = now
        self._wire = wire
        self.refusal = ""
        """Why the program ends, for standard error; empty where its user ends it."""
        self._title = WindowTitle()
        self._next_tick: asyncio.TimerHandle
        self.outside = copy_context()
        """The context of the app itself: what is begun in a screen's keeps that screen alive."""
        for theme in themes.OURS:
            self.register_theme(theme)
        self.theme = themes.usable(self.settings.theme, self.no_color)
        if self.settings.ascii or not speaks_unicode():
            self._filters.append(AsciiFilter())
            self.add_class("-ascii")

    def get_theme(self, theme_name: str) -> Theme | None:
        """Give a theme; ours are there from the very start. Called by Textual, very often."""
        return themes.BY_NAME.get(theme_name) or super().get_theme(theme_name)

    def get_default_screen(self) -> Screen[Any]:
        """Give the first screen: ours, so that no empty one is drawn before it."""
        screen = StartScreen()
        screen._push_result_callback(screen, None)  # as one that was pushed: it can be switched
        return screen

    # Life -----------------------------------------------------------------------------------------

    def on_mount(self) -> None:
        """Show the first screen and begin."""
        self.outside = copy_context()
        if not self.is_headless:
            end_at_signals(lambda code: self.exit(None, code))
            go_on_when_continued(self._give_back, self._draw_again)
        self.set_timer(CALM_SECONDS, self._has_begun)
        if self.options.notice:
            self.tell(self.options.notice)
        if self.options.demo:
            self.visit.watch_bots()
        elif self.options.address is not None:
            self.visit.begin(self.options.address)

    def _has_begun(self) -> None:
        """Collect garbage from now on."""
        gc.enable()

    @cached_property
    def visit(self) -> Visit:
        """What goes on at servers; made, and its code loaded, when it is asked for first."""
        from .visit import Visit

        self._tick_later(TICK)
        return Visit(self, self._wire)

    @property
    def is_visiting(self) -> bool:
        """Whether anything of `visit` has been needed yet."""
        return "visit" in self.__dict__

    def _display(self, screen: Screen[Any], renderable: RenderableType | None) -> None:
        super()._display(screen, self.pen.sparing(renderable))

    def _give_back(self) -> None:
        """Leave the terminal to others for a while."""
        if self._driver is not None:
            self._driver.suspend_application_mode()

    def _draw_again(self, begin: str) -> None:
        """Draw all of the screen on a terminal that others may have written on."""
        self.pen.forget()
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
        if self.is_visiting:
            self._next_tick.cancel()
            await self.visit.end(meant=self.return_code not in (CRASHED, GONE))
        if not self.is_headless:
            hear_no_signals()

    @property
    def player_name(self) -> str:
        """The player's name, as wished."""
        return self.settings.name or default_name()

    def get_css_variables(self) -> dict[str, str]:
        """Give the colours of the theme, and one for the lines around things."""
        colours = super().get_css_variables()
        line = "ansi_bright_black" if self.current_theme.ansi else f"{colours['foreground']} 25%"
        return {**colours, "line": line}

    def _tick_later(self, seconds: float) -> None:
        # Past Textual's own timers, which cost as much as all that is done each time.
        soon = asyncio.get_running_loop().call_later
        self._next_tick = soon(seconds, self._go_on_ticking, context=self.outside)

    def _go_on_ticking(self) -> None:
        try:
            self._tick()
        except Exception as error:
            self._handle_exception(error)  # ends the app, as one in a timer of Textual's
        left = self.visit.model.seconds_left(self.now()) or 0.0
        self._tick_later(max(left % TICK + JUST_AFTER, TICK / 2))

    def _tick(self) -> None:
        # At the very end Textual has taken all screens away, and timers still run.
        self.visit.model.beat(self.now())
        screen = self.screen if self.screen_stack else None
        if isinstance(screen, GameScreen) and screen.is_alive:
            screen.show_banner()
            screen.tick()

    # What can be chosen ---------------------------------------------------------------------------

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

    # What the start screen and visits ask for -----------------------------------------------------

    @property
    def last_address(self) -> str:
        """The server that we were at last; empty for none, and for one of our own."""
        return self.visit.last_address if self.is_visiting else ""

    @property
    def lost(self) -> str:
        """Why the connection is over, in a sentence."""
        return self.visit.wire.why if self.is_visiting else ""

    @property
    def seat_left(self) -> KeptSeat | None:
        """A seat to which one may go back; an earlier program has left it."""
        return self.seats.offered()

    def tell(self, sentence: str, *, bad: bool = False) -> None:
        """Show a sentence for a while."""
        self.notify(sentence, severity="error" if bad else "information", markup=False)

    def set_window_title(self, text: str) -> None:
        """Write into the terminal's title bar; the empty text gives back what was there."""
        if self.settings.title and self._driver is not None and not self.is_headless:
            if title := self._title.show(text):
                self._driver.write(title)

    def refuse(self, why: str, code: int) -> None:
        """End the program with this code, and say why on standard error."""
        self.refusal = why
        self.exit(None, code)

    def change(self, settings: Settings) -> None:
        """Use other settings from now on, and keep them."""
        self.settings = settings
        if self.options.config_path.name:
            try:
                save(self.options.config_path, settings)
            except OSError as wrong:
                text = _("The settings could not be kept: {problem}")
                self.tell(text.format(problem=wrong), bad=True)

    def use_name(self, name: str) -> None:
        """Be called so from now on; the empty text changes nothing."""
        name = name.strip()
        if name and name != self.player_name:
            self.change(self.settings._replace(name=name))

    def watch_theme(self, _old: str, new: str) -> None:
        """Keep a theme that was chosen, or take ours where it could not be read."""
        fit = themes.usable(new, self.no_color)
        if fit != new:
            self.theme = fit
        elif self.is_running and new != self.settings.theme:
            self.change(self.settings._replace(theme=new))

    # Actions --------------------------------------------------------------------------------------

    def action_rules(self) -> None:
        """Read the rules of this table, or of the usual game."""
        from .screens.rules import RulesScreen

        self._open(RulesScreen)

    def action_help(self) -> None:
        """See all keys."""
        from .screens.help import HelpScreen

        base = self.screen
        if isinstance(base, GameScreen) and not isinstance(base, HelpScreen):
            self.push_screen(HelpScreen(list(base.commands())))

    def action_history(self) -> None:
        """Look at the reveals of this game again."""
        from .screens.history import HistoryScreen

        self._open(HistoryScreen)

    def action_home(self) -> None:
        """Drop the connection and go to the start screen."""
        self.visit.home()

    def action_hurry(self) -> None:
        """Try at once to come back."""
        self.visit.wire.hurry()

    def action_reconnect(self) -> None:
        """Connect to the last server again."""
        self.visit.again()

    def action_trust(self) -> None:
        """Trust the server that we were asked about, and connect to it."""
        self.visit.trust()

    def action_leave_table(self) -> None:
        """Leave the table, after a question while a game is on."""
        self.visit.leave_table()

    async def action_quit(self) -> None:
        """End the program; while a game is on, after a question."""
        if self.is_visiting:
            self.visit.quit()
        else:
            self.exit()

    def action_switch(self, name: str) -> None:
        """Turn a setting on or off."""
        on = not getattr(self.settings, name)
        changes: dict[str, Any] = {name: on}
        self.change(self.settings._replace(**changes))
        if self.is_visiting:
            self.visit.look_again()

    def _open(self, screen: type[GameScreen]) -> None:
        if not isinstance(self.screen, screen):
            self.push_screen(screen())


def run_app(options: ClientOptions) -> int:
    """Run the app until it ends; gives the exit code."""
    gc.disable()
    gc.freeze()  # what is loaded by now stays for good, and need not be looked through
    if sys.__stdin__ is not None:
        end_without_terminal(sys.__stdin__.fileno())
    app = PerudoApp(options, seats=KeptSeats(options.seats_folder))
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
