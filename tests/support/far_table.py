"""A real server in one network, its players in others, and what the wires between them can do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from .far_player import FarPlayer
from .netns import Namespace, Wires
from .servers import RunningServer, server

SERVER = "10.77.0.1"
NAMES = ("Ana", "Bia", "Caio")
PACE = 0.1


class FarTable:
    """A table with its server and three players, each in a network of their own."""

    def __init__(self, running: RunningServer, spaces: list[Namespace]) -> None:
        self.server = running
        self.players = [
            FarPlayer(name, space, running.port, SERVER, PACE)
            for name, space in zip(NAMES, spaces, strict=True)
        ]

    def sit_down(self, **options: bool | int | str) -> None:
        """Have all take a seat, in the order of their names."""
        host = self.players[0]
        for player in self.players:
            player.come()
            if player is host:
                host.ask(lambda model: model.make("Far away", "standard", options))
            else:
                player.ask(lambda model: model.join(host.view.table))
            player.until_shown()

    def start(self) -> None:
        """Start the game and wait until all have their dice; nobody plays yet."""
        self.players[0].ask(lambda model: model.start())
        for player in self.players:
            player.until_dealt()

    def play(self, on: bool = True) -> None:
        """Have all play, or look on."""
        for player in self.players:
            player.play(on)

    def end(self) -> None:
        """Let everybody go."""
        for player in self.players:
            player.end()


@contextmanager
def far_table(made: Wires, home: Path, **settings: str) -> Iterator[FarTable]:
    """Start a server and three players; `settings` as in `servers.server`."""
    quick = {"PERUDO_REVEAL_SECONDS": "0.5", "PERUDO_THROW_SECONDS": "0.1", **settings}
    house = made.add(SERVER)
    spaces = [made.add(f"10.77.{number}.1") for number in (1, 2, 3)]
    with ExitStack() as stack:
        with house.inside():
            given = ("--host", SERVER, "--data", str(home / "data"))
            running = stack.enter_context(server(home, *given, **quick))
        table = FarTable(running, spaces)
        stack.callback(table.end)
        yield table
