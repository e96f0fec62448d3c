"""Simulate 1 to 100 servers that stand for each other, fed with what was measured on one.

    python -m bench.scale_sim [--nodes N]... [--tables N] [--seed N] [--figures FILE] [--page FILE]

The same seed gives the same tables. Nothing is measured here: `docs/scale.md` says what they show,
and holds them: `--page docs/scale.md` writes them into it anew.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import median

from . import bids, scale_figures, scale_lobby
from .scale_engine import LEASE, Broken
from .scale_figures import FRAMES_OF_A_BID, Figures, Unreadable
from .scale_model import PEOPLE, PING, THINKING, Table, World

NODES = (1, 3, 10, 30, 100)
TABLES = 100
"""Tables of a node at which somebody plays, when a node is lost."""
BEFORE = 10.0
"""Seconds of play before something happens."""
AFTER = 50.0
"""Seconds within which all has to be well again."""
STARTED_AGAIN = 5.0
"""Seconds after which the only node, when lost, is started again."""
PAUSE = LEASE + 6.0
"""Seconds for which a node stands still: longer than it has its lease."""

Row = tuple[str, ...]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run all scenarios, and print what came of them; 1 if something came that never must."""
    asked = _parser().parse_args(arguments)
    try:
        figures = scale_figures.read(asked.figures)
        if asked.page is not None:
            _see_that_it_can_be_filled(asked.page)
    except Unreadable as wrong:
        print(f"scale_sim: {wrong}", file=sys.stderr)
        return 2
    try:
        found = tables(figures, tuple(asked.nodes or NODES), asked.tables, asked.seed)
    except Broken as wrong:
        print(f"scale_sim: {wrong}", file=sys.stderr)
        return 1
    print("\n\n".join(found.values()))
    if asked.page is not None:
        text = asked.page.read_text(encoding="utf-8")
        asked.page.write_text(filled(text, found), encoding="utf-8")
    return 0


def _see_that_it_can_be_filled(page: Path) -> None:
    """See it before the simulation, which takes a while; raises `Unreadable`."""
    try:
        with page.open("r+", encoding="utf-8") as file:
            file.read()
    except OSError as wrong:
        raise Unreadable(f"the page {page} cannot be filled: {wrong.strerror}") from None
    except ValueError:
        raise Unreadable(f"the page {page} cannot be filled: it is no text") from None


def tables(figures: Figures, nodes: Sequence[int], many: int, seed: int) -> dict[str, str]:
    """Run all scenarios; gives what came of them as tables, by name; raises `Broken`."""
    return {
        "fed": "\n".join(f"- {line}" for line in figures.lines()),
        "one": _table(ONE, one_machine(figures)),
        "lost": _table(LOST, (lost(figures, n, many, seed) for n in nodes)),
        "paused": _table(PAUSED, (paused(figures, n, many, seed) for n in nodes)),
        "rush": _table(RUSH, (row for n in nodes for row in hot_lobby(figures, n, seed))),
        "lists": _table(LISTS, (row for n in nodes for row in lists(figures, n))),
    }


def filled(page: str, found: Mapping[str, str]) -> str:
    """Give a page with what stands between `<!-- NAME -->` and `<!-- end -->` written anew."""
    for name, text in found.items():
        begin, end = f"<!-- {name} -->\n", "<!-- end -->"
        before, mark, rest = page.partition(begin)
        if mark:
            page = before + mark + text + "\n" + end + rest.partition(end)[2]
    return page


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench.scale_sim", description="Simulate many servers."
    )
    add = parser.add_argument
    add("--nodes", type=_number, action="append", metavar="N", help="so many; can be given again")
    add("--tables", type=_number, default=TABLES, metavar="N", help="at which each node plays")
    add("--seed", type=int, default=1, metavar="N", help="another course of chance")
    add("--figures", type=Path, metavar="FILE", help="what python -m bench --json has written")
    add("--page", type=Path, metavar="FILE", help="write the tables into this page")
    return parser


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= 1000):
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 to 1000")
    return int(text)


# One machine -------------------------------------------------------------------------------------

ONE = ("wall", "one core, or one GiB, holds")
RETURN = 2.0
"""Seconds within which all come when a network returns."""
MEASURED = max(tables * people for tables, people in bids.CURVE)
"""The most connections that a full run of the bench has at one server."""


def one_machine(figures: Figures) -> list[Row]:
    """Say what one core and one GiB hold by these figures, when nothing else uses them."""
    bid, back = figures["CPU of a bid"], figures["CPU of one who comes back"]
    bare = FRAMES_OF_A_BID * figures["CPU of a frame to one client"] / bid
    table = scale_lobby.share_of_table(figures)
    half = PEOPLE / table / 2
    often = f"a bid every {THINKING:.0f} s and a ping to each every {PING:.0f} s"
    burst = PEOPLE * back / table / RETURN
    seated, private = (
        2**30 / figures[f"memory of {which}"]
        for which in ("a connection", "an idle connection, TLS")
    )
    return [
        ("bids", f"{1 / bid:,.0f} a second; bare frames, without a game, take {bare:.0%} of each"),
        (f"tables of {PEOPLE}", f"{1 / table:,.0f}, with {often}"),
        ("their people", f"{PEOPLE / table:,.0f}; measured were {MEASURED:,} at the most"),
        ("connections", f"{seated:,.0f} in a GiB, seated; {private:,.0f} over TLS, idle"),
        ("coming back", f"{1 / back:,.0f} people a second"),
        (
            f"all within {RETURN:.0f} s",
            f"{burst:.0f} times what the same people take when they play",
        ),
        ("half of all people", f"need {half * back:.0f} s of the core to come back"),
        (
            "journal: time",
            f"a bid waits {1000 * figures['wait for a commit']:.2f} ms for a synced commit",
        ),
        ("journal: size", f"{2**30 / figures['journal of a game']:,.0f} games in a GiB"),
    ]


# A node is lost ----------------------------------------------------------------------------------

LOST = (
    "a node is lost",
    "tables cut off",
    "all play again after",
    "at the latest",
    "acts acknowledged",
    "of them lost, twice",
    "commits a second",
)


def lost(figures: Figures, nodes: int, tables: int, seed: int) -> Row:
    """Lose the machine of one node, without a word; raises `Broken`."""
    world = World(figures, nodes, tables, seed)
    gone: list[Table] = []

    def lose() -> None:
        gone.extend(world.of(world.nodes[0]))
        world.nodes[0].die()
        for table in gone:
            table.fall_silent()
        if nodes == 1:
            world.loop.later(STARTED_AGAIN, world.start_node)

    world.loop.later(BEFORE, lose)
    told = _told(world, nodes, gone)
    commits = world.engine.commits
    return (*told, f"{commits / world.loop.now:,.0f}")


# A lease runs out --------------------------------------------------------------------------------

PAUSED = (
    f"a node stands still for {PAUSE:.0f} s",
    "tables cut off",
    "all play again after",
    "at the latest",
    "acts acknowledged",
    "of them lost, twice",
    "writes refused to it",
)


def paused(figures: Figures, nodes: int, tables: int, seed: int, *, fenced: bool = True) -> Row:
    """Have one node stand still for longer than it has its lease, and go on without knowing.

    Raises `Broken`; not `fenced` it does.
    """
    world = World(figures, nodes, tables, seed, fenced=fenced)
    held: list[Table] = []

    def stop() -> None:
        held.extend(world.of(world.nodes[0]))
        world.nodes[0].stand_still(PAUSE)
        for table in held:
            table.fall_silent()

    world.loop.later(BEFORE, stop)
    return (*_told(world, nodes, held), f"{world.engine.refused}")


def _told(world: World, nodes: int, tables: list[Table]) -> Row:
    """Let time pass, see that nothing is broken, and say what came of it."""
    world.loop.run(BEFORE + AFTER)
    world.engine.check()
    outages = [seconds for table in tables for seconds in table.outages]
    if still := sum(table.interrupted > 0 for table in tables):
        raise Broken(f"{still} of {len(tables)} tables do not play again")
    engine = world.engine
    typical, worst = (f"{of(outages):.1f} s" for of in (median, max))
    ended = f"{engine.acknowledged:,}", f"{engine.lost}, {engine.twice}"
    return (f"{nodes}", f"{len(tables)}", typical, worst, *ended)


# Everybody comes at once -------------------------------------------------------------------------

RUSH = (
    "nodes",
    "new tables go",
    "tables, evenly",
    "busiest",
    "share of a core",
    "memory",
    "a bid waits",
    "share for those who come",
)
LISTS = (
    "nodes",
    "people who look",
    "lines",
    "bytes of a list",
    "all lists",
    "share of a core",
    "ours sends one every",
)


def hot_lobby(figures: Figures, nodes: int, seed: int) -> list[Row]:
    """Have everybody come within a minute, under each rule for where new tables go."""
    rows: list[Row] = []
    for name, place in scale_lobby.PLACES:
        found = scale_lobby.rush(figures, nodes, place, seed)
        wait = f"{found.wait * 1000:.2f} ms" if found.wait < 1e6 else "ever longer"
        rows.append(
            (
                f"{nodes}",
                name,
                f"{found.even:,}",
                f"{found.busiest:,}",
                f"{found.share:.2f}",
                f"{found.memory / 2**20:,.0f} MiB",
                wait,
                f"{found.coming:.2f}",
            )
        )
    return rows


def lists(figures: Figures, nodes: int) -> list[Row]:
    """Show lists to all who look: as long as they may be, as ours, and short ones."""
    rows: list[Row] = []
    for lines in scale_lobby.lengths():
        found = scale_lobby.looking(figures, nodes, lines)
        size = f"{found.size:,}"
        rate = f"{found.rate / 1e6:,.0f} MB/s"
        often = f"{found.share:.2f}", f"{found.pause:.1f} s"
        rows.append((f"{nodes}", f"{found.people:,}", f"{lines:,}", size, rate, *often))
    return rows


def _table(head: Row, rows: Iterable[Row]) -> str:
    found = [head, *rows]
    widths = [max(len(row[at]) for row in found) for at in range(len(head))]
    lines = ["| " + " | ".join(map(str.ljust, row, widths)) + " |" for row in found]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
