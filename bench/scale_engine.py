"""What all servers of `scale_model` share: who has which table, until when, and what was written.

It stands for whichever engine `docs/scale.md` chooses. All is done in the order in which it comes,
takes no time and never queues, so that it limits nobody: how long a commit takes is the node's to
wait. Nothing is forgotten. `check` says whether all is as it must be: no two nodes write one table
under one number, numbers only rise, no act that was acknowledged is missing and none stands twice.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from typing import NamedTuple

LEASE = 6.0
"""Seconds for which a node has its tables without a word."""
RECENT = 6
"""So many of a table's latest acts are looked at to see that one is not written again."""


class Broken(AssertionError):
    """Something happened that must never happen; the text says what."""


class Loop:
    """Time that passes from one thing to the next."""

    def __init__(self) -> None:
        """Begin at nought."""
        self.now = 0.0
        self._due: list[tuple[float, int, Callable[[], object]]] = []
        self._count = 0

    def later(self, seconds: float, call: Callable[[], object]) -> None:
        """Call this so many seconds later; of what is due together, the first asked for first."""
        self._count += 1
        heapq.heappush(self._due, (self.now + seconds, self._count, call))

    def run(self, until: float) -> None:
        """Let time pass until then."""
        while self._due and self._due[0][0] <= until:
            self.now, _, call = heapq.heappop(self._due)
            call()
        self.now = until


class Act(NamedTuple):
    """What somebody did, with the number that makes it one act however often it is sent."""

    table: int
    number: int


class Written(NamedTuple):
    """An act in a table's stream."""

    act: Act
    fence: int
    node: int


class Owner(NamedTuple):
    """Who has a table."""

    node: int
    fence: int


class Engine:
    """What all nodes share: directory, leases, streams."""

    def __init__(self, loop: Loop, *, fenced: bool = True) -> None:
        """Begin empty; not `fenced`, it takes writes from whoever comes, to show what that does."""
        self.owners: dict[int, Owner] = {}
        self.streams: dict[int, list[Written]] = {}
        self.commits = 0
        self.refused = 0
        """Writes of nodes whose lease had gone to another."""
        self._fenced = fenced
        self._loop = loop
        self._leases: dict[int, float] = {}
        self._acknowledged: list[Act] = []

    def renew(self, node: int) -> None:
        """Give a node its lease for another while."""
        self._leases[node] = self._loop.now + LEASE

    def lives(self, node: int) -> bool:
        """Say whether a node's lease stands."""
        return self._leases.get(node, -1.0) >= self._loop.now

    def claim(self, table: int, node: int) -> Owner:
        """Give a table to this node if nobody has it, or whoever had it has no lease any more.

        Says whose it is now.
        """
        owner = self.owners.get(table)
        if owner is None or (owner.node != node and not self.lives(owner.node)):
            owner = Owner(node, 1 if owner is None else owner.fence + 1)
            self.owners[table] = owner
        return owner

    def append(self, node: int, acts: Iterable[tuple[Act, int]]) -> list[bool]:
        """Write acts down, each on condition that its fencing number is still its table's.

        All in one commit; says of each whether it is written.
        """
        self.commits += 1
        answers = []
        for act, fence in acts:
            good = not self._fenced or self.owners[act.table] == Owner(node, fence)
            self.refused += not good
            stream = self.streams.setdefault(act.table, [])
            if good and all(act != written.act for written in stream[-RECENT:]):
                stream.append(Written(act, fence, node))
            answers.append(good)
        return answers

    def acknowledge(self, act: Act) -> None:
        """Hear that a client was told of its act."""
        self._acknowledged.append(act)

    def check(self) -> None:
        """Raise `Broken` unless all is as it must be."""
        for table, stream in self.streams.items():
            writers: dict[int, int] = {}
            latest = 0
            for written in stream:
                if written.fence < latest:
                    raise Broken(f"table {table}: number {written.fence} after {latest}")
                latest = written.fence
                if writers.setdefault(written.fence, written.node) != written.node:
                    raise Broken(f"table {table}: two nodes wrote under {written.fence}")
        if self.twice or self.lost:
            raise Broken(f"{self.twice} acts stand twice, {self.lost} acknowledged ones are lost")

    @property
    def twice(self) -> int:
        """How many acts stand more than once in their streams."""
        acts = [written.act for stream in self.streams.values() for written in stream]
        return len(acts) - len(set(acts))

    @property
    def acknowledged(self) -> int:
        """Of how many acts clients were told."""
        return len(self._acknowledged)

    @property
    def lost(self) -> int:
        """How many of those stand in no stream."""
        kept = {written.act for stream in self.streams.values() for written in stream}
        return sum(act not in kept for act in self._acknowledged)
