"""The kill test: `uv run python -m tests.soak.kill --kills 200 --seed 1`.

A real server, six scripted players at one table, and a nemesis that kills the server, stops it,
ends it and tears connections. Whatever was acknowledged must stand in the journal once, whatever
was told must be what the journal says, hands stay what they were, all dice verify, every game
ends. Prints the figures; ends with 1 and the evidence when a promise was broken.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from perudo_protocol import messages as m
from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import Phase, Player
from perudo_server.entries import UnreadableEntry
from perudo_server.journal_entry import JournalError

from .chronicle import Broken, Chronicle, Follower, check_answer, read
from .nemesis import Nemesis
from .player import Scripted
from .process import Server, ServerFailed, free_port
from .witness import Facts

NAMES = ("Ana", "Bo", "Cy", "Di", "Eli", "Fay")
STALL = 60.0
"""Seconds without a step of the story, while the server is up, after which a table stands still."""
RETURN = 2.0
"""P3: a seat is resumed within so many seconds of the server's return."""


class KillTest:
    """One run with all its evidence."""

    def __init__(
        self,
        home: Path,
        seed: int,
        options: dict[str, bool | int | str],
        pace: float,
        calm: float,
        back_within: float,
    ) -> None:
        """Prepare a run; see `kill_test`."""
        self.rng = random.Random(seed)
        self.port = free_port(random.Random())
        self.table = 0
        self.options = options
        self.pace = pace
        self._back_within = back_within
        self.facts = Facts()
        self.evidence: list[str] = []
        self.failed = asyncio.Event()
        self.resumes: list[float] = []
        self.server = Server(
            home,
            self.port,
            *("--bot-seconds", "0.1", "--reveal-seconds", "3"),
            PERUDO_THROW_SECONDS="1",
            PERUDO_ACT_BURST="50",
            PERUDO_ACT_RATE="50",
        )
        self.players = [
            Scripted(name, self, random.Random(self.rng.getrandbits(64))) for name in NAMES
        ]
        self.nemesis = Nemesis(self.server, self.players, self.rng, self.look, calm)
        self.chronicle = Chronicle()
        self.games_wanted = True
        self._followers = {player.name: Follower() for player in self.players}
        self._checked: Counter[str] = Counter()
        self._news = asyncio.Event()
        self._started = time.monotonic()

    # What the players tell -------------------------------------------------------------------

    def wrong(self, what: str) -> None:
        """Keep evidence that a promise was broken."""
        self.evidence.append(what)
        self.failed.set()

    def sent(self, player: Scripted, message: m.FromClient) -> None:
        """Tell the nemesis that this is a good moment."""
        self.nemesis.hear()

    def news(self) -> None:
        """Look again whether all is done."""
        self._news.set()

    def resumed(self, player: Scripted, lost: float) -> None:
        """Measure how long a player took to come back."""
        took = asyncio.get_running_loop().time() - max(lost, self.server.back)
        self.resumes.append(took)
        if took > self._back_within:
            self.wrong(f"{player.name} came back after {took:.2f} s")

    def may_start(self, view: TableView) -> bool:
        """Say whether all six are there for another game."""
        there = [s for s in view.seats if s.player is Player.PERSON and not s.away]
        waiting = [person for person in view.watchers if person.waiting]
        everybody = len(there) + len(waiting) == len(NAMES)
        return self.games_wanted and everybody and all(p.line is not None for p in self.players)

    # The run ---------------------------------------------------------------------------------

    async def run(self, kills: int) -> None:
        """Play, and rage, until a promise is broken or all is done."""
        await self.server.start()
        try:
            play = asyncio.create_task(self._play(kills))
            fail = asyncio.create_task(self.failed.wait())
            stall = asyncio.create_task(self._watch())
            done, rest = await asyncio.wait({play, fail, stall}, return_when="FIRST_COMPLETED")
            for task in rest:
                task.cancel()
            await asyncio.gather(*rest, return_exceptions=True)
            for task in done:
                if (error := task.exception()) is not None:
                    self.evidence.append(f"{type(error).__name__}: {error}")
                    if not isinstance(error, (Broken, ServerFailed)):
                        raise error
        finally:
            for player in self.players:
                player.end()
            await self.server.kill()
        if not self.evidence:
            self._look_at_all()

    async def _play(self, kills: int) -> None:
        first, *others = self.players
        first.come()
        await self._until(lambda: first.settled)
        for player in others:
            player.come()
        await self._until(lambda: all(player.settled for player in self.players))
        await self.nemesis.rage(kills)
        self.games_wanted = False
        await self._until(self._quiet)
        self._compare_views()
        await self.server.end()
        await self.look()

    async def _until(self, done: Callable[[], bool]) -> None:
        while not done():  # bounded by `_watch`
            self._news.clear()
            await self._news.wait()

    async def _watch(self) -> None:
        """End when nothing happens any more."""
        before, since = -1, 0.0
        while True:
            await asyncio.sleep(0.5)
            steps = sum(len(player.told) for player in self.players)
            since = since + 0.5 if steps == before and self.server.up else 0.0
            before = steps
            if since > STALL:
                views = "\n".join(f"{p.name}: {p.view!r} {p.pending}" for p in self.players)
                self.wrong(f"nothing has happened for {STALL} s:\n{views}")
                return

    def _quiet(self) -> bool:
        return all(
            p.line is not None
            and p.view is not None
            and p.view.phase is Phase.OVER
            and not p.pending
            and not any(seat.away for seat in p.view.seats)
            for p in self.players
        )

    def _compare_views(self) -> None:
        """See that all see the same in the end, and that one of them is the host."""
        seen = {_public(p.view) for p in self.players if p.view is not None}
        if len(seen) != 1:
            self.wrong("the players see different tables:\n" + "\n".join(map(repr, seen)))
        hosts = [p.name for p in self.players if p.view and p.view.host == p.person]
        if len(hosts) != 1:
            self.wrong(f"the hosts are {hosts}")

    # The journal -----------------------------------------------------------------------------

    async def look(self) -> None:
        """Read what a dead server's journal has become, and hold all that was told against it."""
        await asyncio.sleep(0.02)  # what is still on the way to the players arrives
        try:
            if (self.server.data / "journal.db").exists():
                self.chronicle.take(
                    await asyncio.to_thread(read, self.server.data, self.chronicle.last)
                )
            self._check()
        except (Broken, JournalError, UnreadableEntry) as wrong:
            self.wrong(f"at kill {self.nemesis.done['kill']}: {wrong}")

    def _check(self) -> None:
        for player in self.players:
            self._followers[player.name].follow(self.chronicle, player.told)
            for answer in player.answers[self._checked[player.name] :]:
                self._checked[player.name] += 1
                check_answer(self.chronicle, answer)

    def _look_at_all(self) -> None:
        """Read the whole journal once more: it must be as it was, and every game has ended."""
        if read(self.server.data) != self.chronicle.entries:
            self.wrong("the journal is not what it was when it was read bit by bit")
        acts = {act for player in self.players for act in player.acts}
        for game in self.chronicle.games.values():
            if not game.over:
                self.wrong(f"game {game.number} never ended")
            for act in game.acts_of(self.lives()):
                if act not in acts:
                    self.wrong(f"nobody asked for what the journal has: {act}")
        for player in self.players:
            twice = [line for line, times in player.chat.items() if times > 1]
            if twice:
                self.wrong(f"{player.name} heard twice: {twice}")

    # What came of it -------------------------------------------------------------------------

    def lives(self) -> set[int]:
        """Give every number that a player ever had."""
        return {answer.person for player in self.players for answer in player.answers}

    def again(self) -> int:
        """Count the requests sent again that had been answered before."""
        number = 0
        for player in self.players:
            for person, request, now in player.asked_again:
                found = self.chronicle.answers.get((person, request), [])
                number += bool(found) and found[0][1].at * 1000 <= now
        return number

    def report(self) -> str:
        """Give the figures."""
        counts: Counter[str] = Counter()
        for player in self.players:
            counts += player.counts
        done = self.nemesis.done
        steps = sum(follower.steps for follower in self._followers.values())
        hands = sum(player.witness.hands for player in self.players)
        rounds = sum(player.witness.rounds for player in self.players)
        lines = {
            "kills": f"{done['kill']}, {done['kill while starting']} more while starting",
            "other harm": f"{done['end']} orderly restarts, {done['stop']} stops,"
            f" {done['long stop']} stops over 5 s, {done['reset']} resets, {done['lid']} lids",
            "resumes": f"{len(self.resumes)}, p50 {_part(self.resumes, 0.5):.3f} s,"
            f" p99 {_part(self.resumes, 0.99):.3f} s, longest {max(self.resumes, default=0):.3f} s",
            "same hand after a resume": str(counts["same hand"]),
            "games": str(len(self.chronicle.games)),
            "requests": f"{counts['asked']}, done {counts['done']}, refused"
            f" {sum(counts[word] for word in REFUSED)}",
            "re-sent": f"{counts['re-sent']}, of these answered before: {self.again()}",
            "journal": f"{self.chronicle.last} entries, {self._size() / 2**20:.1f} MiB",
            "steps of the story held against it": str(steps),
            "hands verified": str(hands),
            "links of chains verified": str(rounds),
            "minutes": f"{(time.monotonic() - self._started) / 60:.1f}",
        }
        return "\n".join(f"{name + ':':36}{value}" for name, value in lines.items())

    def _size(self) -> int:
        return sum(path.stat().st_size for path in self.server.data.glob("journal*"))


REFUSED = ("stale", "slow_down", "game_on", "not_your_turn", "not_seated", "not_host")


def _part(values: list[float], part: float) -> float:
    return sorted(values)[int(part * (len(values) - 1))] if values else 0.0


def _public(view: TableView) -> tuple[object, ...]:
    own = ("you", "hand", "seed", "rev")
    names = [name for name in view.__struct_fields__ if name not in own]
    return tuple(repr(getattr(view, name)) for name in names)


def table_options(text: str) -> dict[str, bool | int | str]:
    """Read `start_dice=2,spot_on=false`."""
    words: dict[str, bool | int | str] = {"true": True, "false": False}
    pairs = (pair.partition("=") for pair in text.split(",") if pair)
    return {k: words.get(v, int(v) if v.isdigit() else v) for k, _, v in pairs}


async def kill_test(
    home: Path,
    kills: int,
    seed: int,
    options: dict[str, bool | int | str],
    pace: float = 0.25,
    calm: float = 0.8,
    back_within: float = RETURN,
) -> KillTest:
    """Run one test; the evidence of broken promises, if there is any, is in what it gives.

    `pace` is the longest that a player thinks, `calm` the mean time between two harms, and
    `back_within` the longest until a player is back, in seconds.
    """
    defaults: dict[str, bool | int | str] = {
        "start_dice": 2,
        "turn_seconds": 30,
        "away_seconds": 10,
    }
    test = KillTest(home, seed, {**defaults, **options}, pace, calm, back_within)
    await test.run(kills)
    return test


def main() -> int:
    """Run as a command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--table-options", type=table_options, default={}, metavar="K=V,...")
    parser.add_argument("--pace", type=float, default=0.25, help="longest thought, in seconds")
    given = parser.parse_args()
    home = Path(tempfile.mkdtemp(prefix="perudo-kill-"))
    test = asyncio.run(kill_test(home, given.kills, given.seed, given.table_options, given.pace))
    sys.stdout.write(test.report() + "\n")
    for what in test.evidence:
        sys.stdout.write(f"BROKEN: {what}\n")
    if test.evidence:
        sys.stdout.write(f"{test.server.last_lines()}\nwhat is left is in {home}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
