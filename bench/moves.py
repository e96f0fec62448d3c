"""Our rules beside other engines that play the same game: moves a second, and bytes of an act.

The other engines are extras of those who develop: OpenSpiel from the package index (`uv run --group
bench`), boardgame.io by `npm install --no-package-lock --prefix bench/boardgame`. Where one is
missing, its rows are left out with a word.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from .load import ours
from .processes import environment
from .rounds import Found
from .rows import Goal, Missing, Row, Size, pairs

HERE = Path(__file__).parent / "boardgame"
BOUND = 120.0
OURS = (sys.executable, "-m", "bench.our_rounds")
LIARS_DICE = (sys.executable, "-m", "bench.floors.liars_dice")
PLANS = {Size.SMALLEST: (1, 0.02), Size.QUICK: (2, 0.25), Size.FULL: (10, 1.5)}
"""How many pairs, and how many seconds of processor time each."""
BIDS = 12
"""A usual round at six has about so many. The other server tells a log with each state, which grows
with the ladder, so the longer the ladder, the worse it would look."""
PEOPLE = 6


def openspiel(size: Size) -> Iterator[Row]:
    """Play rounds of random legal moves by our rules and by OpenSpiel's `liars_dice`."""
    if find_spec("pyspiel") is None:
        raise Missing("OpenSpiel is not here: `uv run --group bench`, or pip install open_spiel")
    yield from _moves("openspiel", "OpenSpiel", LIARS_DICE, Goal(0.8, at_least=True), size)
    in_place = (*LIARS_DICE, "--in-place")
    yield from _moves("openspiel", "OpenSpiel, changing one state", in_place, None, size)


def boardgame(size: Size) -> Iterator[Row]:
    """Play such rounds by our rules and by boardgame.io's reducer."""
    reducer = (_node(), str(HERE / "rounds.js"))
    yield from _moves("boardgame", "boardgame.io", reducer, Goal(30.0, at_least=True), size)


def wire(size: Size) -> Iterator[Row]:
    """Count the bytes of a bid at a table of six, both ways, of boardgame.io's server and of ours.

    The same ladder of bids, from one two upwards, each as soon as the last one is known to all.
    """
    node, bids = _node(), BIDS
    what = "wire: bytes of a bid, six players, boardgame.io"
    with TemporaryDirectory(prefix="perudo-bench-") as name:
        home = Path(name)
        with ours(home, 1, PEOPLE, journal=False) as loaded:
            own = loaded.play(bids).wire
        for options, goal, more in (
            ((), Goal(1 / 12), "whole states, as it is by default"),
            (("--delta",), None, "with its option `deltaState`, which sends patches"),
        ):
            command = (node, str(HERE / "acts.js"), str(bids), *options)
            found = json.loads(_said(command, home))
            bare = (found["up"] + found["down"]) / found["bids"]
            note = f"{bids} bids over websockets, counted by a proxy; {more}"
            yield Row(
                "wire", f"{what}{', patches' * bool(options)}", "B", (bare,), (own,), goal, note
            )


def _moves(
    case: str, whose: str, floor: Sequence[str], goal: Goal | None, size: Size
) -> Iterator[Row]:
    turns, seconds = PLANS[size]
    found: dict[Sequence[str], list[Found]] = {floor: [], OURS: []}
    with TemporaryDirectory(prefix="perudo-bench-") as name:
        home = Path(name)

        def run(command: Sequence[str]) -> Callable[[], float]:
            def once() -> float:
                played = Found(**json.loads(_said((*command, str(seconds)), home)))
                found[command].append(played)
                return played.whole

            return once

        whole = pairs(turns, run(floor), run(OURS))
    note = "; ".join(
        f"{who} {median(1e6 / each.alone for each in found[command]):.1f} µs a move and "
        f"{median(1e6 * each.dealing / each.rounds for each in found[command]):.1f} µs a deal"
        for who, command in ((whose, floor), ("ours", OURS))
    )
    yield Row(case, f"rules: moves of whole rounds, {whose}", "/s", *whole, goal, note)
    bare, own = (tuple(each.alone for each in found[command]) for command in (floor, OURS))
    yield Row(case, f"rules: moves without the deal, {whose}", "/s", bare, own)


def _node() -> str:
    node = shutil.which("node")
    if node is None:
        raise Missing("Node.js is not here: install `node` and `npm` first")
    if not (HERE / "node_modules" / "boardgame.io").is_dir():
        raise Missing(
            "boardgame.io is not here: npm install --no-package-lock --prefix bench/boardgame"
        )
    return node


def _said(command: Sequence[str], home: Path) -> str:
    """Run a command to its end, and give the last line that it printed."""
    env = environment(home, NODE_ENV="production")
    done = subprocess.run(
        command, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=BOUND
    )
    if done.returncode:
        raise RuntimeError(done.stderr)
    return done.stdout.strip().splitlines()[-1]
