"""What goes on at servers: the model, the connection, what is remembered, and the fitting screen.

The app makes it when it is needed for the first time, since most of the program stands behind it,
and the start screen is to come at once.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from functools import partial
from typing import TYPE_CHECKING

from perudo_bot.identity import first_id
from perudo_protocol.messages import ClientMessage
from perudo_protocol.pins import pin_of
from perudo_protocol.views import TableView

from . import address, banner, trust_words
from . import happenings as h
from .config import Settings
from .embedded import EmbeddedServer
from .following import Follower
from .gate import Gate, too_short
from .i18n import _
from .keeping import Keeper
from .kept import KeptSeat
from .kept_words import KeptWords
from .model import Model
from .telling import Memory
from .trust import KnownServers
from .widgets.story import Tale
from .wire import State, Wire

if TYPE_CHECKING:
    from .app import PerudoApp


class Visit:
    """All visits to servers of one program; see `screens.base.Client` for what screens ask for."""

    def __init__(self, app: PerudoApp, wire: Callable[..., Wire] | None) -> None:
        """Be at no server; `wire` makes the connection in another way than the usual one."""
        self._app = app
        options = app.options
        if wire is None:
            pace = {} if options.bot_seconds is None else {"bot_seconds": options.bot_seconds}
            wire = partial(Wire, start_server=partial(EmbeddedServer.start, **pace))
        self.model = Model(first_id=first_id())
        self.memory = Memory()
        self.wire = wire(self.model, self._happened, app.now, seats=app.seats)
        self.wire.gate.given = options.secret
        self.wire.gate.kept = KeptWords.beside(options.config_path)
        self.wire.known = KnownServers(options.known_path)
        self.wire.tell = self.tell
        self.wire.keeper = Keeper(options.games, partial(self.tell, bad=True))
        self._follower = Follower(app, self.wire, self.memory)

    def begin(self, where: address.Address) -> None:
        """Go where the options ask for."""
        options = self._app.options
        table = options.table or options.watch or where.table
        self._follower.joining = True
        there, watch = where._replace(table=table), bool(options.watch)
        self._run(self.wire.connect(there, self.player_name, watch=watch, chosen=options.named))

    def _run(self, work: Coroutine[None, None, None]) -> None:
        run = partial(self._app.run_worker, work, group="wire", exclusive=True)
        self._app.outside.run(run)

    async def end(self, *, meant: bool) -> None:
        """Leave nothing behind; where nobody meant to go, the seat stays."""
        if meant:
            self.wire.leave()
        else:
            self.wire.drop()
        await self.wire.stop_server()

    def look_again(self) -> None:
        """Show everything as it is now; settings may have changed."""
        self._happened([])

    def _happened(self, happened: list[h.Happening]) -> None:
        self._follower.take(happened)

    # What screens ask for (see `screens.base.Client`) ---------------------------------------------

    @property
    def settings(self) -> Settings:
        """The settings as they are now."""
        return self._app.settings

    @property
    def player_name(self) -> str:
        """The player's name, as wished."""
        return self._app.player_name

    @property
    def tales(self) -> list[Tale]:
        """The story of this table in words."""
        return self.memory.tales

    @property
    def reveals(self) -> list[TableView]:
        """Every reveal of this game, oldest first."""
        return self.memory.reveals

    def now(self) -> float:
        """Give the seconds of a steady clock."""
        return self._app.now()

    def ask(self, message: ClientMessage) -> None:
        """Send a message to the server."""
        self.wire.send(message)

    def tell(self, sentence: str, *, bad: bool = False) -> None:
        """Show a sentence for a while."""
        self._app.tell(sentence, bad=bad)

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
            self._app.run_worker(work, group="make", exclusive=True)
        return wrong

    def play_alone(self, name: str) -> None:
        """Play against bots on a server of our own."""
        self._app.use_name(name)
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
        self._app.use_name(name)
        self._run(self.wire.connect(where, self.player_name, chosen=chosen))
        return ""

    def go_back(self, seat: KeptSeat) -> None:
        """Go back to a seat that an earlier program has left."""
        self._run(self.wire.go_back(seat))

    def again(self) -> None:
        """Connect to the last server again."""
        self._run(self.wire.again())

    def trust(self) -> None:
        """Trust the server that we were asked about, and connect to it."""
        self._run(self.wire.trust())

    def home(self) -> None:
        """Drop the connection and go to the start screen."""
        self._app.workers.cancel_group(self._app, "wire")
        self.wire.leave()

    def leave(self) -> None:
        """Leave the table for good, without a question."""
        if self.wire.alone:
            self.home()
        elif self.model.view is not None:
            self.ask(self.model.leave())

    def leave_table(self) -> None:
        """Leave the table, after a question while a game is on."""
        if self.model.in_game:
            from .screens.question import QuestionScreen

            question = [_("Leave this game?"), self._without_us]
            self._app.push_screen(QuestionScreen(question, _("leave"), self.leave))
        else:
            self.leave()

    def quit(self) -> None:
        """End the program, after a question while a game is on; asked again, it ends at once.

        While the connection is lost nothing is asked: the seat stays, and one may come back to it.
        """
        from .screens.question import QuestionScreen

        app = self._app
        asked = isinstance(app.screen, QuestionScreen)
        if asked or not self.model.in_game or self.wire.state is not State.ONLINE:
            app.exit()
        else:
            question = [_("Quit Perudo? You leave this game."), self._without_us]
            app.push_screen(QuestionScreen(question, _("quit"), app.exit))

    @property
    def _without_us(self) -> str:
        if self.wire.alone:
            return _("The bots do not play it to the end.")
        from .option_words import option_sentence

        return option_sentence("on_leave", self.model.rules.on_leave)

    def seen(self) -> None:
        """The end of a game was seen: the screen that sums it up may come."""
        if not self.memory.end_seen:
            self.memory.end_seen = True
            self._happened([])

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
        return "" if where is None else str(where._replace(table=0))

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
            sent_on=self.wire.sent_on,
        )

    @property
    def hold_up(self) -> str:
        """What holds up the game, or us, in a sentence; empty when nothing does."""
        return banner.banner(self.model, self.now())

    @property
    def join_line(self) -> str:
        """What friends type to come to our table; empty in a game alone."""
        where, view = self.wire.where, self.model.view
        if where is None or view is None or self.wire.alone:
            return ""
        told = self.model.welcome.join if self.model.welcome is not None else ()
        there = address.for_others(where, told)._replace(table=view.table)
        return f"perudo-client {there._replace(pin=pin_of(self.wire.certificate))}"
