"""What uvloop would change: the same bare programs, and the same server, on either loop.

It is an extra. These rows inform: "floor" is asyncio's own loop, "ours" is uvloop.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from .load import Loaded, bare, busy, driven, our_process, take_turns
from .private import bare_tls, idle
from .processes import floor
from .returning import come_back, strangers
from .rows import Missing, Row, Size, pairs

PEOPLE = 6
UVLOOP = {"PERUDO_UVLOOP": "true"}


def loops(size: Size) -> Iterator[Row]:
    """Measure bids, connections and memory on both loops."""
    if find_spec("uvloop") is None:
        raise Missing("uvloop is not installed; it comes with perudo[fast]")
    yield from _bids(size)
    yield _accepts(size)
    yield _memory(size)


def _bids(size: Size) -> Iterator[Row]:
    tables = 2 if size is Size.SMALLEST else 100
    turns, bids = {Size.SMALLEST: (1, 5), Size.QUICK: (1, 8), Size.FULL: (6, 60)}[size]
    with TemporaryDirectory(prefix="perudo-bench-") as name, ExitStack() as stack:
        runs = []
        for loop, option in (("asyncio", ()), ("uvloop", ("--uvloop",))):
            home = Path(name) / loop
            home.mkdir()
            runs.append(stack.enter_context(bare(home, tables, PEOPLE, *option)))
            extra = UVLOOP if option else {}
            server = stack.enter_context(our_process(home, journal=False, **extra))
            runs.append(stack.enter_context(driven(server, home, tables, PEOPLE)))
        if size is not Size.SMALLEST:
            take_turns(1, runs, partial(Loaded.play, bids=bids))
        found = take_turns(turns, runs, partial(Loaded.play, bids=bids))
    for at, whose in enumerate(("the bare fan-out", "our server, without a journal")):
        with_asyncio, with_uvloop = found[at], found[at + 2]
        old, new = (tuple(w.cpu_a_bid for w in windows) for windows in (with_asyncio, with_uvloop))
        what = f"uvloop: CPU of a bid, {whose}"
        yield Row("loops", what, "µs", old, new, note=busy(with_uvloop))


def _accepts(size: Size) -> Row:
    people, times = {Size.SMALLEST: (6, 1), Size.QUICK: (100, 1), Size.FULL: (600, 8)}[size]
    sizes = ("--first", "56", "--second", "1400")
    with (
        TemporaryDirectory(prefix="perudo-bench-") as name,
        floor("meet", Path(name), *sizes) as old,
        floor("meet", Path(name), *sizes, "--uvloop") as new,
    ):
        guests = strangers(people)
        old_cpu, new_cpu = pairs(
            times,
            lambda: come_back(old, guests, 2)[0].cpu,
            lambda: come_back(new, guests, 2)[0].cpu,
        )
    return Row("loops", f"uvloop: CPU of {people} bare connections at once", "ms", old_cpu, new_cpu)


def _memory(size: Size) -> Row:
    more = {Size.SMALLEST: 5, Size.QUICK: 60, Size.FULL: 200}[size]
    found = []
    for option in ((), ("--uvloop",)):
        with bare_tls(*option) as process:
            found.append((idle(process, more) / 1024,))
    what = "uvloop: memory of an idle connection, the loop's own TLS"
    return Row("loops", what, "KiB", found[0], found[1])
