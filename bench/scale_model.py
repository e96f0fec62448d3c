"""Many servers that stand for each other, as `docs/scale.md` designs them, in simulated time.

- An `Engine` that all share (`scale_engine`) keeps the directory, leases, and streams of acts.
- A `Node` serves tables: each act costs processor time, is committed together with all that waits,
  and is acknowledged then. It dies, or stands still and goes on without knowing.
- A `Table` is six clients of which the one in turn acts. They come back as ours do: with the very
  waits, turns and judgement of `perudo_bot.comeback` and `perudo_bot.journey`.

Whatever happens, `Engine.check` holds.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TypeVar

from perudo_bot.comeback import PATIENCE, wait_before
from perudo_bot.journey import Journey
from perudo_protocol.messages import Redirect

from .scale_engine import Act, Engine, Loop
from .scale_figures import Figures

WAY = 0.25e-3
"""Seconds on the network, one way, between any two machines; assumed."""
RENEW = 2.0
"""Seconds between two words."""
SILENCE = 8.0
"""Seconds without a word after which a client holds its server to be gone."""
PING = 5.0
"""Seconds between two pings of a server: so late a client may have heard the last."""
THINKING = 3.0
"""Seconds that whoever is in turn thinks, on average."""
PEOPLE = 6
PORT = 7654


_Said = TypeVar("_Said")


class Node:
    """One server."""

    def __init__(self, number: int, world: World) -> None:
        """Begin with a lease and without tables."""
        self.number = number
        self.tables: dict[int, int] = {}
        """The fencing number of each of its tables, as the node believes."""
        self.dead = False
        self._world = world
        self._loop = world.loop
        self._free = 0.0
        self._stands_until = 0.0
        self._waiting: list[tuple[Act, int, Callable[[bool], None]]] = []
        self._committing = False
        self._renew()

    @property
    def stands(self) -> bool:
        """Whether it stands still at present."""
        return self._loop.now < self._stands_until

    @property
    def address(self) -> str:
        """Where it is reached."""
        return f"10.0.{self.number // 250}.{self.number % 250 + 1}"

    def die(self) -> None:
        """Be gone for good."""
        self.dead = True

    def stand_still(self, seconds: float) -> None:
        """Do nothing for a while, and know nothing of it afterwards."""
        self._stands_until = self._loop.now + seconds

    def do(self, cost: float, then: Callable[[], None]) -> None:
        """Do something that costs processor time, after all that came before."""
        begin = max(self._loop.now, self._free, self._stands_until)
        self._free = begin + cost
        self._when_awake(self._free - self._loop.now, then)

    def _when_awake(self, seconds: float, call: Callable[[], None]) -> None:
        def wake() -> None:
            if self.dead:
                return
            if self.stands:
                self._loop.later(self._stands_until - self._loop.now, wake)
            else:
                call()

        self._loop.later(seconds, wake)

    def _renew(self) -> None:
        self._world.engine.renew(self.number)
        self._when_awake(RENEW, self._renew)

    def take(self, act: Act, answer: Callable[[bool], None]) -> None:
        """Hear an act; the answer says whether it was written, or this is not our table."""

        def judge() -> None:
            fence = self.tables.get(act.table)
            if fence is None:
                answer(False)
                return
            self._waiting.append((act, fence, answer))
            self._commit()

        self.do(self._world.figures["CPU of a bid"], judge)

    def _commit(self) -> None:
        """Write down all that waits, unless a commit is under way: what comes meanwhile waits."""
        if self._committing or not self._waiting:
            return
        self._committing = True
        batch, self._waiting = self._waiting, []

        def there() -> None:
            answers = self._world.engine.append(self.number, [(a, f) for a, f, _ in batch])
            back = WAY + self._world.figures["wait for a commit"]
            self._when_awake(back, lambda: done(answers))

        def done(answers: list[bool]) -> None:
            self._committing = False
            for (act, fence, tell), good in zip(batch, answers, strict=True):
                if not good and self.tables.get(act.table) == fence:
                    del self.tables[act.table]  # somebody else has it by now
                tell(good)
            self._commit()

        # On its way already: standing still now does not hold it up.
        self._loop.later(WAY, there)

    def welcome(self, table: int, answer: Callable[[str], None]) -> None:
        """Hear that somebody of a table comes back: serve them, or say where the table is.

        The answer is empty when they are welcome. A table that nobody has any more is taken over.
        """

        def look() -> None:
            if table in self.tables:
                self.do(self._world.figures["CPU of one who comes back"], lambda: answer(""))
            else:
                self._when_awake(2 * WAY, ask)

        def ask() -> None:
            owner = self._world.engine.claim(table, self.number)
            if owner.node != self.number:
                answer(self._world.nodes[owner.node].address)
                return
            if table not in self.tables:
                self.tables[table] = owner.fence
                self.do(self._world.figures["time to fold a game"], lambda: None)
            self.do(self._world.figures["CPU of one who comes back"], lambda: answer(""))

        self.do(0.0, look)


class Client:
    """One client at a table: it is there, or it is coming back."""

    def __init__(self, table: Table, world: World) -> None:
        """Be there."""
        self.there = True
        self._table = table
        self._world = world
        self._loop = world.loop
        self._chance = world.chance
        self.journey = Journey(lambda: world.loop.now)
        self._peer = world.nodes[0].address
        self._tries = 0

    def lose(self) -> None:
        """Lose the connection, and try to come back."""
        if self.there:
            self.there = False
            self._tries = 0
            self._wait()

    def _wait(self) -> None:
        seconds = wait_before(self._tries, self._chance.random())
        self._tries += 1
        self._loop.later(seconds, self._try)

    def _try(self) -> None:
        sent = self.journey.next()
        node = self._world.front() if sent is None else self._world.at(sent.host)
        if node is None or node.dead or node.stands:
            self._loop.later(PATIENCE, self._wait)
            return
        self._peer = node.address

        def heard(place: str) -> None:
            if place:
                said = Redirect(place=f"{place}:{PORT}")
                self.journey.follow(said, self._peer, PORT, b"", lambda *_: b"")
                self._wait()
            else:
                self.there = True
                self.journey.arrived()
                self._table.came(self, node)

        # Connecting, `resume`, `nonce`, `prove`: three times there and back.
        self._loop.later(5 * WAY, lambda: node.welcome(self._table.number, _way(self._loop, heard)))


class Table:
    """Six clients, of whom the one in turn acts when it has thought."""

    def __init__(self, number: int, node: Node, world: World) -> None:
        """Be at a node."""
        self.number = number
        self.node = node
        self.clients = [Client(self, world) for _ in range(PEOPLE)]
        self.interrupted = 0.0
        """When it was last cut off from its node; 0 when all is well."""
        self.outages: list[float] = []
        """Seconds from being cut off until all six were back."""
        self.waits: list[float] = []
        """From sending an act to its acknowledgement, as the player feels it."""
        self._world = world
        self._loop = world.loop
        self._chance = world.chance
        self._acts = 0
        self._asked: tuple[Act, float] | None = None
        node.tables[number] = world.engine.claim(number, node.number).fence
        self._loop.later(self._thought(), self._act)

    def _thought(self) -> float:
        return self._chance.expovariate(1 / THINKING)

    def _act(self) -> None:
        self._acts += 1
        self._asked = Act(self.number, self._acts), self._loop.now
        self._send()

    @property
    def in_turn(self) -> Client:
        """Whoever acts now."""
        return self.clients[self._acts % PEOPLE]

    def _send(self) -> None:
        """Send what is not acknowledged; whoever is in turn has to be there."""
        if self._asked is None or not self.in_turn.there:
            return
        act, node = self._asked[0], self.node

        def answered(good: bool) -> None:
            if node is self.node and self._asked is not None and self._asked[0] == act:
                self._acknowledged(act) if good else self.cut_off()

        self._loop.later(WAY, lambda: node.take(act, _way(self._loop, answered)))

    def _acknowledged(self, act: Act) -> None:
        if not self.in_turn.there:
            return  # it did not hear it, and will ask again
        self._world.engine.acknowledge(act)
        assert self._asked is not None
        self.waits.append(self._loop.now - self._asked[1])
        self._asked = None
        self._loop.later(self._thought(), self._act)

    def cut_off(self) -> None:
        """Lose the node: all clients lose their connections."""
        self.interrupted = self.interrupted or self._loop.now
        for client in self.clients:
            client.lose()

    def fall_silent(self) -> None:
        """Hear nothing of the node any more: its clients notice by and by."""
        self.interrupted = self._loop.now
        for client in self.clients:
            self._loop.later(SILENCE - self._chance.uniform(0.0, PING), client.lose)

    def came(self, client: Client, node: Node) -> None:
        """Hear that a client is back, at this node; what it asked for it asks for again."""
        self.node = node
        if client is self.in_turn:
            self._send()
        if self.interrupted and all(each.there for each in self.clients):
            self.outages.append(self._loop.now - self.interrupted)
            self.interrupted = 0.0


class World:
    """All nodes and all tables."""

    def __init__(
        self, figures: Figures, nodes: int, tables: int, seed: int, *, fenced: bool = True
    ) -> None:
        """Have so many nodes with so many tables each."""
        self.figures = figures
        self.loop = Loop()
        self.chance = random.Random(f"{seed} {nodes} {tables}")
        self.engine = Engine(self.loop, fenced=fenced)
        self.nodes: list[Node] = []
        self._at: dict[str, Node] = {}
        for _ in range(nodes):
            self.start_node()
        self.tables = [
            Table(number, self.nodes[number % nodes], self) for number in range(nodes * tables)
        ]

    def front(self) -> Node | None:
        """Give the node that the first address leads to: any that can be reached."""
        alive = [node for node in self.nodes if not (node.dead or node.stands)]
        return self.chance.choice(alive) if alive else None

    def at(self, host: str) -> Node | None:
        """Give the node at an address."""
        return self._at.get(host)

    def start_node(self) -> Node:
        """Have one more node."""
        node = Node(len(self.nodes), self)
        self.nodes.append(node)
        self._at[node.address] = node
        return node

    def of(self, node: Node) -> list[Table]:
        """Give the tables that a node serves at present."""
        return [table for table in self.tables if table.node is node]


def _way(loop: Loop, call: Callable[[_Said], None]) -> Callable[[_Said], None]:
    """Let an answer take its way over the network."""
    return lambda answer: loop.later(WAY, lambda: call(answer))
