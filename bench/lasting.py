"""Whether a server that has seen a thousand games keeps more memory than after a hundred.

The games are played by bots of the house that do not stop to think, at tables which people come to,
open, look on at, and leave: each evening at a table is somebody else's, over a new connection.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from perudo_protocol.codec import encode
from perudo_protocol.messages import (
    AddBot,
    Hello,
    Leave,
    Make,
    Rematch,
    Start,
    View,
    Watch,
    Welcome,
)
from perudo_protocol.returning import hashed
from perudo_protocol.story import Won
from perudo_protocol.version import VERSIONS

from .evening import heard, key_of, told
from .load import LIFTED
from .processes import Running, our_server, settled
from .rows import Goal, Row, Size
from .scripted import Crowd, Guest

TABLES = 4
BOTS = 3
GAMES = 5
"""In one evening at one table."""
AT_ONCE = {"PERUDO_BOT_SECONDS": "0", "PERUDO_REVEAL_SECONDS": "0", "PERUDO_THROW_SECONDS": "0"}
OPTIONS: dict[str, bool | int | str] = {"start_dice": 2, "max_players": BOTS, "on_leave": "bot"}


def lasting(size: Size) -> Iterator[Row]:
    """Measure the memory of one server after few games and after many, when all have gone."""
    few, many = {Size.SMALLEST: (20, 40), Size.QUICK: (40, 80), Size.FULL: (100, 1000)}[size]
    for journal in (False, True):
        with TemporaryDirectory(prefix="perudo-bench-") as name:
            home = Path(name)
            kept = ("--data", str(home / "data")) if journal else ("--no-journal",)
            with our_server(home, *kept, **{**LIFTED, **AT_ONCE}) as server:
                names = count()
                before = after_games(server, few, names)
                after = after_games(server, many - few, names)
        how = "with the journal" if journal else "without a journal"
        what = f"server: memory after {many} games, against {few}, {how}"
        yield Row("lasting", what, "MiB", (before,), (after,), Goal(1.05), "private pages")


def after_games(server: Running, games: int, names: Iterator[int]) -> float:
    """Have so many games played, and everybody leave; give the MiB that the server then has."""
    for _ in range(games // (TABLES * GAMES)):
        evening(Crowd(server.port), [f"G{next(names)}" for _ in range(TABLES)])
    settled(server)
    return server.memory() / 2**20


def evening(crowd: Crowd, names: list[str]) -> None:
    """Have each of these open a table, and look on while bots play; then all leave."""
    guests = [crowd.connect() for _ in names]
    for guest, name in zip(guests, names, strict=True):
        guest.name = name
        key = hashed(key_of(name))
        guest.send(encode(Hello(versions=VERSIONS, client="bench", name=name, key=key)))
    crowd.until(lambda: all(heard(guest, Welcome) for guest in guests), "welcome")
    for guest in guests:
        guest.ask(Make(id=1, name=f"T {guest.name}", options=OPTIONS))
    answered(crowd, guests)
    for guest in guests:
        table = next(each.view.table for each in guest.inbox or () if isinstance(each, View))
        guest.ask(Watch(id=2, table=table))
        for number in range(BOTS):
            guest.ask(AddBot(id=3 + number))
    answered(crowd, guests)
    for game in range(GAMES):
        for guest in guests:
            guest.inbox = []
            guest.ask(Rematch(id=100 + game) if game else Start(id=100))
        crowd.until(lambda: all(told(guest, Won) for guest in guests), "the end of the games")
    for guest in guests:
        guest.ask(Leave(id=300))
    answered(crowd, guests)
    crowd.close()


def answered(crowd: Crowd, guests: list[Guest]) -> None:
    """Wait until all have had their answers."""
    crowd.until(lambda: not any(guest.owed for guest in guests), "answers")
