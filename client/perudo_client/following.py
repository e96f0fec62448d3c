"""What follows from what happened at a server: the fitting screen, signals, a sentence."""

from __future__ import annotations

import asyncio
import gc
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.screen import Screen

from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import Phase
from perudo_protocol.words import Denial

from . import happenings as h
from . import reasons, screens
from .i18n import _
from .screens.base import GameScreen
from .telling import Memory
from .trust import NOT_TRUSTED
from .wire import State, Wire

if TYPE_CHECKING:
    from .app import PerudoApp


class Follower:
    """Has the app show what the connection brings, once a turn of its loop."""

    def __init__(self, app: PerudoApp, wire: Wire, memory: Memory) -> None:
        """Follow this connection; what is worth remembering goes into `memory`."""
        self._app = app
        self._wire = wire
        self._model = wire.model
        self._memory = memory
        self.joining = False
        """Whether the connection that the options ask for has not come about yet."""
        self._waiting: list[h.Happening] = []
        self._wake: asyncio.TimerHandle | asyncio.Handle | None = None

    def take(self, happened: list[h.Happening]) -> None:
        """Take note of what came; the screen follows when all that came with it is here."""
        self._waiting.extend(each for each in happened if not self._wire.gate.speaks_of(each))
        if self._wake is None and self._app.is_running:
            soon = asyncio.get_running_loop().call_soon
            self._wake = soon(self._catch_up, context=self._app.outside)

    def _catch_up(self) -> None:
        self._wake = None
        try:
            self._show_all()
        except Exception as error:
            self._app._handle_exception(error)  # ends the app, as one in a message of Textual's

    def _show_all(self) -> None:
        happened, self._waiting = self._waiting, []
        app = self._app
        if not app.is_running or not app.screen_stack:
            return
        for happening in happened:
            self._memory.take(happening)
        if self.joining and self._wire.mistrusted:
            app.refuse(self._wire.why, NOT_TRUSTED)
            return
        self.joining &= self._wire.state in (State.CONNECTING, State.ASKING)
        self._choose_screen()
        self._stand_at_door()
        self._stop_at_fault()
        for screen in app.screen_stack:
            if isinstance(screen, GameScreen):
                screen.show(happened)
        for happening in happened:
            self._signal(happening)

    def _signal(self, happening: h.Happening) -> None:
        app = self._app
        match happening:
            case h.YourTurn():
                self._your_turn()
            case h.NotWaitedFor(seated):
                self._app.tell(reasons.not_waited_for(seated=seated))
            case h.Arrived(again=True) if self._model.my_turn:
                app.set_window_title(_("Your turn: Perudo"))
            case h.LeftTable(reason) if reason != "left":
                self._app.tell(reasons.away(reason))
            case h.RequestRefused(reason=Denial.STORAGE_FULL):
                pass  # it stands over everything
            case h.RequestRefused() if not self._at_table:
                self._app.tell(reasons.refused(happening), bad=True)
            case h.TurnPassed() | h.Revealed() | h.LeftTable():
                app.set_window_title("Perudo")
            case _:
                pass

    def _your_turn(self) -> None:
        if self._app.settings.bell:
            self._app.bell()
        self._app.set_window_title(_("Your turn: Perudo"))
        if not self._at_table:
            self._app.tell(_("It is your turn."))

    @property
    def _at_table(self) -> bool:
        return _is(self._app.screen, "table")

    # Screens --------------------------------------------------------------------------------------

    def _wanted(self) -> type[GameScreen]:
        """Give the screen that fits; each is loaded when it is shown first."""
        view = self._model.view
        match self._wire.state:
            case State.HOME:
                from .screens.start import StartScreen

                return StartScreen
            case State.CONNECTING:
                from .screens.waiting import WaitingScreen

                return WaitingScreen
            case State.ASKING:
                from .screens.trust import TrustScreen

                return TrustScreen
            case State.LOST:
                from .screens.waiting import LostScreen

                return LostScreen
            case State.ONLINE if self._wire.setting_up:
                from .screens.waiting import WaitingScreen

                return WaitingScreen
            case _ if view is None:
                from .screens.lobby import LobbyScreen

                return LobbyScreen
        return self._wanted_at(view)

    def _wanted_at(self, view: TableView) -> type[GameScreen]:
        """Give the screen that fits a table."""
        if view.phase is Phase.LOBBY:
            from .screens.room import RoomScreen

            return RoomScreen
        if view.phase is Phase.OVER and self._memory.end_seen:
            from .screens.over import OverScreen

            return OverScreen
        from .screens.table import TableScreen

        return TableScreen

    def _choose_screen(self) -> None:
        self._choose_base()
        app = self._app
        away = [_is(screen, "away") for screen in app.screen_stack]
        if self._wire.state is State.AWAY and not any(away):
            from .screens.away import AwayScreen

            app.push_screen(AwayScreen())
        elif self._wire.state is not State.AWAY and any(away):
            for _screen in away[away.index(True) :]:
                app.pop_screen()

    def _choose_base(self) -> None:
        wanted, app = self._wanted(), self._app
        if type(app.screen_stack[0]) is wanted:
            return
        while len(app.screen_stack) > 1:
            app.pop_screen()
        app.switch_screen(wanted())
        if wanted.PART == "table":
            app.call_after_refresh(_load_the_rest)
        app.call_after_refresh(gc.collect)  # the last screen's parts all hold each other

    def _stand_at_door(self) -> None:
        """Ask for join words where they are wanted, and only there."""
        app = self._app
        there = [screen for screen in app.screen_stack if _is(screen, "door")]
        if self._wire.gate.asking and not there:
            from .screens.secret import SecretScreen

            app.push_screen(SecretScreen())
        elif there and not self._wire.gate.asking:
            while there[0] in app.screen_stack:
                app.pop_screen()

    def _stop_at_fault(self) -> None:
        """Show the banner while the game stands still for us, and only then."""
        app = self._app
        there = any(_is(screen, "fault") for screen in app.screen_stack)
        if self._model.proving.halted and not there:
            from .screens.fault import FaultScreen

            app.push_screen(FaultScreen())
        elif _is(app.screen, "fault") and not self._model.proving.halted:
            app.pop_screen()


def _load_the_rest() -> None:
    """Load every screen while a game goes on: the program's files may be replaced meanwhile, and
    the banner of a fault, say, must come up all the same."""
    for module in Path(*screens.__path__).glob("[!_]*.py"):
        import_module(f"{screens.__name__}.{module.stem}")
    gc.unfreeze()  # all is loaded now: what loading has left over can go, and the rest stays
    gc.collect()
    gc.freeze()


def _is(screen: Screen[Any], part: str) -> bool:
    return isinstance(screen, GameScreen) and part == screen.PART
