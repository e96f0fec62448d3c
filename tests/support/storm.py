"""An honest server in bad weather, with real models that check its dice.

Whatever honest players and machines may do happens in any order, drawn from one seed: lines are
lost and come back, readers are too slow, computers sleep, people leave, come late, let their time
run out and take their seat back from a bot, and the server crashes and starts again.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

from perudo_client.faults import Fault, FaultKind
from perudo_protocol import messages as m
from perudo_protocol.link import memory_links
from perudo_protocol.vocabulary import NO_SEAT, Phase

from .fair_house import Client, FairHouse, as_client, honest
from .house import KeptJournal, Peer

BEAT = 0.4
LONGEST_OVERFLOW = 9.0
"""A reader who is slower still is not waited for."""


class StormHouse(FairHouse):
    """A fair house with a journal, whose guests can come back with what they know."""

    keys = True

    def __init__(self, dice: list[int]) -> None:
        super().__init__(dice)
        self.journal = KeptJournal(self.clock)
        self.lobby = self._open()
        self._old: Client | None = None

    def connect(self) -> Client:
        client = Client()
        if self._old is not None:
            old = self._old
            client.model, client.happened, client.steps = old.model, old.happened, old.steps
            client.now, client.number = self.clock.now(), old.number
        memory_links(client, self.lobby.session(), self.clock.soon)
        self.clock.settle()
        return client

    def come_back(self, old: Peer, key: bytes = b"") -> Peer:
        self._old = as_client(old)
        try:
            return super().come_back(old, key)
        finally:
            self._old = None


class Guest:
    """Somebody, on whatever line and in whatever state."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.there = True
        """The line holds."""
        self.gone = False
        self.held: list[m.ServerMessage] | None = None
        """What waits while the computer sleeps; `None` while it is awake."""
        self.slow_since: float | None = None
        self.was_slow = False

    @property
    def acts(self) -> bool:
        """Whether they can do something now."""
        awake = self.held is None and self.slow_since is None
        return self.there and not self.gone and awake and self.client.view is not None

    def faults(self) -> list[Fault]:
        """Give what was found that nobody did: a line that stood still is told as such."""
        excused = self.was_slow and FaultKind.ABSENCE
        return [fault for fault in self.client.faults() if fault.kind is not excused]


class Storm:
    """One evening of it."""

    def __init__(self, seed: int) -> None:
        self.rng = rng = random.Random(seed)
        self.house = StormHouse([rng.randint(1, 6) for _ in range(3000)])
        self.names = iter(f"P{number}" for number in range(100))
        names = [next(self.names) for _ in range(rng.randint(2, 5))]
        options: dict[str, Any] = {
            "turn_seconds": rng.choice([0, 10]),
            "start_dice": rng.choice([1, 2, 3, 5]),
            "on_leave": rng.choice(["bot", "ghost"]),
            "away_seconds": rng.choice([10, 60]),
            "max_players": 10,
        }
        clients = self.house.clients(*names, bots=rng.randint(0, 2), **options)
        self.guests = [Guest(client) for client in clients]
        self.table = clients[0].at.table
        self.trace: list[str] = []

    def blow(self, steps: int) -> None:
        """Let so many things happen."""
        self.pass_time(BEAT)
        self.house.ask(self.guests[0].client, m.Start)
        for _ in range(steps):
            what = self.rng.choices(list(_WEATHER), [*_WEATHER.values()])[0]
            guest = self.rng.choice(self.guests)
            getattr(self, what)(guest)
            self.pass_time(0.1)

    def pass_time(self, seconds: float) -> None:
        """Let time pass; hearts beat."""
        end = self.house.clock.now() + seconds
        while (left := end - self.house.clock.now()) > 1e-6:
            for guest in self.guests:
                self._beat(guest)
            self.house.clock.advance(min(left, BEAT))
        for guest in self.guests:
            self._beat(guest)

    def _beat(self, guest: Guest) -> None:
        now = self.house.clock.now()
        if guest.held is None:
            guest.client.now = now
            guest.client.model.proving.beat(now)
        if guest.slow_since is not None and now - guest.slow_since > LONGEST_OVERFLOW:
            self._catch_up(guest)

    # What happens -------------------------------------------------------------------------------

    def time(self, _guest: Guest) -> None:
        self.pass_time(self.rng.choice([0.5, 1.0, 3.1, 3.1, 11.0, 61.0]))

    def move(self, _guest: Guest) -> None:
        for guest in self.guests:
            view = guest.client.view
            if not guest.acts or view is None or view.turn is None:
                continue
            if view.turn.seat == view.my_seat:
                options = view.options_for(view.my_seat)
                if options.may_dudo and (len(view.ladder) >= 2 or not options.may_bid):
                    self.house.act(guest.client, m.Dudo)
                else:
                    face = next(f for f in range(6, 0, -1) if options.least[f - 1])
                    self.house.bid(guest.client, options.least[face - 1], face)
                return

    def ready(self, _guest: Guest) -> None:
        for guest in self.guests:
            if guest.acts and guest.client.seat != NO_SEAT and self.rng.random() < 0.8:
                self.house.ready([guest.client])

    def drop(self, guest: Guest) -> None:
        if guest.there and not guest.gone:
            guest.there = False
            self.house.drop(guest.client)
            guest.client.twist, guest.held, guest.slow_since = honest, None, None

    def come_back(self, guest: Guest) -> None:
        if guest.there or guest.gone:
            return
        client = as_client(self.house.come_back(guest.client))
        guest.client, guest.there = client, True
        guest.gone = bool(client.all(m.Error)) or client.view is None

    def slow(self, guest: Guest) -> None:
        if guest.slow_since is not None:
            self._catch_up(guest)
        elif guest.acts:
            guest.slow_since, guest.was_slow = self.house.clock.now(), True
            guest.client.twist = lambda message: ()

    def _catch_up(self, guest: Guest) -> None:
        guest.slow_since, guest.client.twist = None, honest
        if guest.client.view is not None:
            guest.client.hear(m.View(view=guest.client.at))
        self.house.clock.settle()

    def sleep(self, guest: Guest) -> None:
        if guest.held is not None:
            self._wake(guest)
        elif guest.acts:
            held = guest.held = list[m.ServerMessage]()

            def hold(message: m.ServerMessage) -> Iterable[m.ServerMessage]:
                held.append(message)
                return ()

            guest.client.twist = hold

    def _wake(self, guest: Guest) -> None:
        held, guest.held = guest.held or [], None
        client = guest.client
        client.twist, client.now = honest, self.house.clock.now()
        for message in held:
            client.take(message)
        self.house.clock.settle()

    def leave(self, guest: Guest) -> None:
        if guest.acts and sum(g.acts for g in self.guests) > 2:
            self.house.ask(guest.client, m.Leave)
            guest.gone = True

    def come(self, _guest: Guest) -> None:
        if len(self.guests) < 8:
            client = as_client(self.house.peer(next(self.names)))
            self.house.ask(client, self.rng.choice([m.Join, m.Watch]), table=self.table)
            self.guests.append(Guest(client))

    def take_back(self, guest: Guest) -> None:
        if guest.acts and guest.client.seat == NO_SEAT:
            self.house.ask(guest.client, m.Back)

    def view(self, guest: Guest) -> None:
        if guest.acts:
            guest.client.hear(m.View(view=guest.client.at))
            self.house.clock.settle()

    def rematch(self, guest: Guest) -> None:
        if guest.acts and guest.client.at.phase is Phase.OVER:
            self.house.ask(guest.client, m.Rematch)

    def crash(self, _guest: Guest) -> None:
        for guest in self.guests:
            self.drop_unheard(guest)
        self.house.restart()
        for guest in self.rng.sample(self.guests, len(self.guests)):
            if self.rng.random() < 0.8:
                self.come_back(guest)

    def drop_unheard(self, guest: Guest) -> None:
        """The server dies: nobody hears that a line is lost."""
        guest.there = False
        guest.client.twist, guest.held, guest.slow_since = honest, None, None


_WEATHER = {
    "time": 20,
    "move": 30,
    "ready": 25,
    "drop": 5,
    "come_back": 8,
    "slow": 4,
    "sleep": 6,
    "leave": 1,
    "come": 2,
    "take_back": 3,
    "view": 3,
    "rematch": 4,
    "crash": 2,
}
