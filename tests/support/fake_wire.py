"""The app against a server that is only a list: what it sends is kept, what it hears we say."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from unittest.mock import patch

from msgspec.structs import replace
from textual.pilot import Pilot

from perudo_bot.identity import Identity
from perudo_client.address import Address
from perudo_client.app import PerudoApp
from perudo_client.config import ClientOptions, Settings
from perudo_client.connection import OnClosed, OnMessage
from perudo_client.endings import CannotConnect, Closed, Trouble
from perudo_client.kept import KeptSeats
from perudo_client.screens import pacing
from perudo_client.wire import Wire
from perudo_protocol.messages import (
    ClientMessage,
    ServerMessage,
    TableLine,
    Tables,
    Update,
    View,
    Welcome,
)
from perudo_protocol.story import AnyEvent
from perudo_protocol.views import TableView

from .held_clock import HeldTimer
from .sample_views import ME


class FakeServer:
    """Both a connection and the server at its other end."""

    def __init__(self) -> None:
        """Begin without a client."""
        self.sent: list[ClientMessage] = []
        self.names: list[str] = []
        self.address = Address("127.0.0.1", 7654)
        self.stopped = False
        self.down = False
        self.keeps = True
        self.tries = 0
        self.who = Identity()
        self.came_back: list[int] = []
        self.certificate = b""
        self.shown = b""
        self.peer = "192.168.1.20"
        self.addresses: list[Address] = []
        self._on_message: OnMessage | None = None
        self._on_closed: OnClosed | None = None

    def connector(self, on_message: OnMessage, on_closed: OnClosed) -> FakeServer:
        """Be the next connection."""
        self._on_message, self._on_closed = on_message, on_closed
        return self

    async def start(self) -> FakeServer:
        """Be the embedded server."""
        return self

    async def stop(self) -> None:
        """End."""
        self.stopped = True

    async def connect(self, address: Address, name: str, *, who: Identity, seconds: float) -> None:
        """Take the greeting, or somebody who comes back; while the server is down, nobody."""
        self.tries += 1
        self.addresses.append(address)
        if self.down:
            raise CannotConnect(Trouble.REFUSED)
        self.who = who
        if who.known:
            self.came_back.append(who.person)
        else:
            self.names.append(name)

    async def certificate_of(self, _address: Address) -> bytes:
        """Show a certificate."""
        return self.shown

    def greet(self, name: str) -> None:
        """Take another greeting."""
        self.names.append(name)

    def send(self, message: ClientMessage) -> None:
        """Keep what the client says."""
        self.sent.append(message)

    def close(self) -> None:
        """Let the client go."""

    def say(self, *messages: ServerMessage) -> None:
        """Say something to the client."""
        assert self._on_message is not None
        for message in messages:
            self._on_message(message)

    def welcome(self, *, resumed: bool = False) -> Welcome:
        """Give the answer to the greeting, as the wire takes it in."""
        self.who.person = ME
        return Welcome(
            version=1,
            server="perudo-server",
            name="Home",
            person=ME,
            you="João",
            now=0,
            resumed=resumed,
            keeps=self.keeps,
        )

    def lose(self, why: Closed = Closed.GONE) -> None:
        """Break the connection."""
        assert self._on_closed is not None
        self._on_closed(why)


MOST_PAUSES = 50
"""So often a screen is looked at; one that moves by itself never comes to rest."""


class Clock:
    """A clock that stands still until it is told to go on."""

    def __init__(self) -> None:
        """Begin at nought."""
        self.now = 0.0
        self._timers: list[tuple[float, HeldTimer]] = []

    def __call__(self) -> float:
        """Give the seconds."""
        return self.now

    def later(self, seconds: float, call: Callable[[], None]) -> HeldTimer:
        """Call this when so many seconds have passed."""
        timer = HeldTimer(call)
        self._timers.append((self.now + seconds, timer))
        return timer

    def go_on(self, seconds: float) -> None:
        """Let time pass, and run what is due by then."""
        self.now += seconds
        due = [each for each in self._timers if each[0] <= self.now]
        self._timers = [each for each in self._timers if each[0] > self.now]
        for _when, timer in sorted(due, key=lambda each: each[0]):
            if timer.callback is not None:
                timer.callback()


class Play:
    """A running app, its pilot, the server, and the clock."""

    def __init__(self, app: PerudoApp, pilot: Pilot[int], server: FakeServer, clock: Clock) -> None:
        """Hold them together."""
        self.clock = clock
        self.app = app
        self.pilot = pilot
        self.server = server

    async def settle(self) -> None:
        """Wait until the app has drawn what it knows: until nothing changes any more."""
        await self.pilot.pause()
        same, before = 0, ""
        for _round in range(MOST_PAUSES):
            await self.pilot.pause()
            now = self.text()
            fits = len(now.split("\n")) == self.app.size.height
            same = same + 1 if now == before and fits else 0
            before = now
            if same == 2:
                return

    async def greet(self, tables: tuple[TableLine, ...] = (), name: str = "Home") -> None:
        """Connect, and be greeted."""
        self.app.visit.connect_to("127.0.0.1:7654", "João")
        await self.settle()
        hello = replace(self.server.welcome(), name=name)
        self.server.say(hello, Tables(tables=tables))
        await self.settle()

    async def pass_time(self, seconds: float) -> None:
        """Let time pass, and the screen draw it."""
        self.clock.go_on(seconds)
        await self.settle()
        self.app._tick()
        await self.settle()

    async def lose(self, why: Closed = Closed.GONE) -> None:
        """Lose the connection, and no time passes."""
        self.server.lose(why)
        await self.settle()

    async def come_back(self, *messages: ServerMessage) -> None:
        """Let the next try reach the server, which knows us and says this."""
        await self.pass_time(2.0)
        self.server.say(self.server.welcome(resumed=True), *messages)
        await self.settle()

    async def sit(self, view: TableView) -> None:
        """Come to a table."""
        await self.greet()
        self.server.say(View(view=view))
        await self.settle()

    async def tell(self, *events: AnyEvent) -> None:
        """Send an update with these events."""
        view = self.app.visit.model.view
        assert view is not None
        self.server.say(Update(rev=view.rev + 1, events=events))
        await self.settle()

    async def go_on(self) -> None:
        """Press a key on a reveal that is shown whole."""
        self.clock.now += 1
        await self.press("enter")

    async def press(self, *keys: str) -> None:
        """Press keys."""
        await self.pilot.press(*keys)
        await self.settle()

    async def resize(self, width: int, height: int) -> None:
        """Change the size of the terminal."""
        await self.pilot.resize_terminal(width, height)
        await self.settle()

    @property
    def sent(self) -> list[ClientMessage]:
        """What the client has said."""
        return self.server.sent

    def lines(self) -> list[str]:
        """Give the screen as text."""
        height = self.app.size.height
        strips = self.app.screen._compositor.render_strips()
        return ["".join(segment.text for segment in strip) for strip in strips[:height]]

    def text(self) -> str:
        """Give the screen as one text, without spaces at the ends of lines."""
        return "\n".join(line.rstrip() for line in self.lines())

    def words(self) -> str:
        """Give the screen as one line, with a space between words."""
        return " ".join(self.text().split())


@asynccontextmanager
async def playing(
    width: int = 80,
    height: int = 24,
    address: Address | None = None,
    seats: KeptSeats | None = None,
    patient: bool = True,
    **settings: bool | str,
) -> AsyncIterator[Play]:
    """Run the app against a `FakeServer`; with an address it connects at once.

    A reveal waits for keys, so that none is over before a busy machine has looked; without
    `patient` it goes on by itself in its own time.
    """
    server = FakeServer()
    wished: dict[str, bool | str] = {"name": "João", "motion": False, "theme": "perudo-dark"}
    kept = Settings()._replace(**(wished | settings))  # type: ignore[arg-type]
    clock = Clock()
    wire = partial(
        Wire,
        connector=server.connector,
        start_server=server.start,
        certificate_of=server.certificate_of,
        call_later=clock.later,
        chance=lambda: 1.0,
    )
    app = PerudoApp(
        ClientOptions(settings=kept, address=address), now=clock, wire=wire, seats=seats
    )
    async with AsyncExitStack() as stack:
        if patient:
            for name in ("OPENING", "READING", "LAST_READING"):
                stack.enter_context(patch.object(pacing, name, 600.0))
        pilot = await stack.enter_async_context(
            app.run_test(size=(width, height), notifications=True)
        )
        play = Play(app, pilot, server, clock)
        await play.settle()
        yield play
