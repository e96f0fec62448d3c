"""Real links that fail in every way, between networks of our own: the figures of P3 and P6.

`python -m tests.soak.links --rounds 5 --seed 1`, as root: three players with the client's own line
play at a real server. The link of one of them goes dead for a random time, changes its address,
loses packets; then the whole server stands still for 20 seconds.
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from perudo_client import happenings
from perudo_client.connection import DEAD_SECONDS
from perudo_client.wire import State
from perudo_protocol.vocabulary import Player
from perudo_server.settings import Settings
from tests.support.far_table import FarTable, far_table
from tests.support.netns import NoRights, wires

BACK = 2.0
"""P3: a seat is taken again within so many seconds of the network's return."""
BUSY = 0.5
"""What a busy machine may add."""
STOP = 20.0
LOSS, LOSS_SECONDS = 0.3, 30.0
PATIENT = {"PERUDO_ENTROPY_SECONDS": "30"}
"""Nobody can tell a share that is late for a link that stalls from one that was left out: the dice
wait longer here than usual, so that no client accuses the server of it."""
TURN, GRACE = 20, Settings().grace_seconds


class Links:
    """One run, with what it found."""

    def __init__(self, table: FarTable, seed: int) -> None:
        self.table = table
        self.ana, self.bia, self.caio = table.players
        self.figures: dict[str, list[float]] = {}
        self.evidence: list[str] = []
        self._rng = random.Random(seed)

    def note(self, what: str, figure: float, most: float | None = None) -> None:
        """Keep a figure, and the evidence if it is greater than promised."""
        self.figures.setdefault(what, []).append(figure)
        if most is not None and figure > most:
            self.evidence.append(f"{what}: {figure:.2f}, more than {most:g}")

    def check(self, what: str, true: bool) -> None:
        """Keep the evidence if something is not so."""
        if not true:
            self.evidence.append(what)

    def run(self, rounds: int) -> None:
        """Do all harm, so many times."""
        self.table.sit_down(turn_seconds=TURN, away_seconds=60)
        self.table.start()
        self.table.play()
        for _ in range(rounds):
            self.black_hole()
            self.short_hole()
            self.other_address()
        self.loss()
        self.stop()

    def quiet(self) -> None:
        """Wait until all are there and something has happened since."""
        moves = self.ana.moves()
        for player in self.table.players:
            player.until_online()
        self.ana.until(lambda: not any(seat.away for seat in self.ana.view.seats))
        self.ana.until(lambda: self.ana.moves() >= moves + 3, bound=60)

    def black_hole(self) -> None:
        """Until both ends have noticed, and a while longer."""
        self.quiet()
        dead = Settings().dead_seconds
        since, moves = self._cut(True), self.ana.moves()
        noticed = self.ana.until_away(2)
        self.note("black hole: the server notices", noticed - since, dead + BUSY)
        self.note(
            "black hole: the client notices", self.caio.until_lost() - since, DEAD_SECONDS + BUSY
        )
        # Twice it can be the turn of who is away, with a call, its reveal and a deal between.
        self.ana.until(lambda: self.ana.moves() >= moves + 3, bound=4 * TURN)
        self._wait(self._rng.uniform(0, 4))
        since = self._cut(False)
        back = self.ana.until_away(2, away=False) - since
        self.note("black hole: back after the network's return", back, BACK + BUSY)

    def short_hole(self) -> None:
        """For a random time, in which one end, both or none may notice."""
        self.quiet()
        self._cut(True)
        self._wait(self._rng.uniform(1, 14))
        away = self.ana.view.seats[2].away > 0 or self.caio.state is not State.ONLINE
        heard = len(self.caio.happened) + self.caio.pings
        since = self._cut(False)
        back = self.caio.until(lambda: len(self.caio.happened) + self.caio.pings > heard) - since
        self.ana.until_away(2, away=False)
        if away:
            back = max(back, self.caio.until_online() - since, time.monotonic() - since)
            self.note("short hole, noticed: back after the return", back, BACK + BUSY)
        else:
            self.note("short hole, unnoticed: heard again after the return", back, DEAD_SECONDS)

    def other_address(self) -> None:
        """As when a laptop changes the Wi-Fi."""
        self.quiet()
        hand, person = self._hand(), self.caio.model.person
        self.caio.space.move(f"10.77.3.{self._rng.randint(2, 250)}")
        since = time.monotonic()
        noticed = self.caio.until_lost()
        self.note("other address: the client notices", noticed - since, DEAD_SECONDS + BUSY)
        self.note("other address: back after that", self.caio.until_online() - noticed, BACK)
        self.check("came back as somebody else", self.caio.model.person == person)
        self.caio.until(lambda: len(self.caio.view.hand) == self.caio.view.seats[2].dice)
        self.check(
            f"{hand} became {self._hand()}", hand[:2] != self._hand()[:2] or hand == self._hand()
        )

    def loss(self) -> None:
        """For a while a third of all packets is lost, each way, on every link."""
        self.quiet()
        lost = [player.seen(happenings.CameBack) for player in self.table.players]
        late, moves = self.ana.seen(happenings.TimeUp), self.ana.moves()
        for player in self.table.players:
            player.space.loss = LOSS
        self._wait(LOSS_SECONDS)
        for player in self.table.players:
            player.space.loss = 0.0
        packets = sum(player.space.packets["lost"] for player in self.table.players)
        self.note("loss: packets lost", packets)
        self.note("loss: bids and calls meanwhile", self.ana.moves() - moves)
        back = [player.seen(happenings.CameBack) for player in self.table.players]
        self.note("loss: links lost and back", sum(back) - sum(lost))
        self.note("loss: turns that ran out of time", self.ana.seen(happenings.TimeUp) - late, 0)
        self.check("the game stood still under loss", self.ana.moves() > moves)
        self.quiet()

    def stop(self) -> None:
        """The whole server stands still."""
        self.quiet()
        self.table.play(False)
        late = [player.seen(happenings.TimeUp) for player in self.table.players]
        shown = [player.seen(happenings.Arrived) for player in self.table.players]
        process = self.table.server.process
        process.send_signal(signal.SIGSTOP)
        self._wait(STOP)
        process.send_signal(signal.SIGCONT)
        since = time.monotonic()
        for player, times in zip(self.table.players, shown, strict=True):
            player.until_shown(times + 1)
            self.note("stop of 20 s: back after it", player.until_online() - since, BACK + BUSY)
        for number in range(len(self.table.players)):
            self.ana.until_away(number, away=False)
        left = self.ana.model.seconds_left(time.monotonic())
        if left is not None:
            self.note("stop of 20 s: seconds that the turn has left", left)
            self.check(f"the turn has only {left:.1f} s", left >= GRACE - BACK)
        after = [player.seen(happenings.TimeUp) for player in self.table.players]
        self.check("somebody's turn ran out", after == late)
        people = all(seat.player is Player.PERSON for seat in self.ana.view.seats)
        self.check("somebody's seat is lost", people)
        self.table.play()
        self.quiet()

    def _cut(self, cut: bool) -> float:
        self.caio.space.cut = cut
        return time.monotonic()

    def _hand(self) -> tuple[int, int, tuple[int, ...]]:
        view = self.caio.view
        return view.game, view.round, tuple(view.hand)

    def _wait(self, seconds: float) -> None:
        """Let time pass: this is what is done to them."""
        time.sleep(seconds)

    def report(self) -> str:
        """Give the figures."""
        lines = []
        for what, found in self.figures.items():
            spread = (
                f"{min(found):.2f} to {max(found):.2f}" if len(found) > 1 else f"{found[0]:.2f}"
            )
            lines.append(f"{what + ':':55}{spread}  ({len(found)})")
        return "\n".join(lines)


def main() -> int:
    """Run as a command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    home = Path(tempfile.mkdtemp(prefix="perudo-links-"))
    say: Callable[[str], object] = sys.stdout.write
    began = time.monotonic()
    try:
        with wires(given.seed) as made, far_table(made, home, **PATIENT) as table:
            run = Links(table, given.seed)
            try:
                run.run(given.rounds)
            except AssertionError as wrong:
                run.evidence.append(str(wrong)[:2000])
            say(f"{run.report()}\nminutes: {(time.monotonic() - began) / 60:.1f}\n")
    except NoRights as why:
        say(f"this needs the rights to make networks of its own ({why})\n")
        return 2
    for what in run.evidence:
        say(f"BROKEN: {what}\n")
    return 1 if run.evidence else 0


if __name__ == "__main__":
    sys.exit(main())
