"""Makes the pictures of the documents from the real app: `uv run python docs/pictures.py`.

Each picture is the app itself at a table of `tests/support/sample_views.py`, in one of our themes.
Without arguments it writes all of them beside this file; with names only those, and with `--into`
and a folder there.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

from msgspec.structs import replace

from perudo_protocol.messages import View
from tests.support import sample_views
from tests.support.fake_wire import Play, playing
from tests.support.proven import proven

HERE = Path(__file__).parent


class Picture(NamedTuple):
    """One picture: how to come to the screen, its size, its theme."""

    arrange: Callable[[Play], Awaitable[None]]
    width: int = 80
    height: int = 24
    theme: str = "perudo-dark"


async def table(play: Play) -> None:
    """Play a round, and come to our turn."""
    await play.sit(sample_views.round_before())
    play.server.say(sample_views.call_of_round_six())
    await play.settle()
    await play.go_on()
    play.server.say(*sample_views.round_seven())
    await play.settle()
    view = play.app.visit.model.view
    assert view is not None
    play.server.say(View(view=replace(proven(view), game=view.game + 1)))
    await play.settle()
    await share(play)


async def reveal(play: Play) -> None:
    """See a call."""
    await play.sit(proven(sample_views.reveal()))
    await share(play)


async def share(play: Play) -> None:
    """Have seen all of the game, with our own share in its dice, as whoever came before it has."""
    view = play.app.visit.model.view
    assert view is not None
    rounds = play.app.visit.model.proving.checker.rounds
    rounds.shared = rounds.whole = True
    play.server.say(View(view=view))
    await play.settle()


async def lobby(play: Play) -> None:
    """See the tables."""
    await play.greet(sample_views.tables())


async def start(play: Play) -> None:
    """Stay at the start."""


async def over(play: Play) -> None:
    """See the end of a game."""
    await play.sit(proven(sample_views.over()))
    await share(play)


async def room(play: Play) -> None:
    """Wait for others."""
    await play.sit(sample_views.lobby())


PICTURES = {
    "table": Picture(table),
    "table-light": Picture(table, theme="perudo-light"),
    "table-small": Picture(table, 40, 20),
    "reveal": Picture(reveal),
    "start": Picture(start),
    "lobby": Picture(lobby),
    "room": Picture(room),
    "over": Picture(over),
}


async def make(name: str, folder: Path) -> None:
    """Write one picture into this folder."""
    picture = PICTURES[name]
    async with playing(picture.width, picture.height, theme=picture.theme) as play:
        await picture.arrange(play)
        svg = play.app.export_screenshot(title="perudo-client")
    # Any monospaced font will do: nothing is fetched from elsewhere by looking at a picture.
    kept = [line for line in _without_fonts(svg).splitlines() if line.strip()]
    path = folder / f"{name}.svg"
    path.write_text("\n".join(line.rstrip() for line in kept) + "\n", encoding="utf-8")
    sys.stdout.write(f"{path.name}\n")


def _without_fonts(svg: str) -> str:
    while "@font-face" in svg:
        begin = svg.index("@font-face")
        svg = svg[:begin] + svg[svg.index("}", begin) + 1 :]
    return svg.replace("Fira Code", "ui-monospace, DejaVu Sans Mono, Menlo, Consolas")


def main(arguments: list[str]) -> int:
    """Write the pictures that are named, or all."""
    parser = argparse.ArgumentParser(description="Make the pictures of the documents.")
    parser.add_argument("--into", metavar="FOLDER", type=Path, default=HERE)
    parser.add_argument("names", metavar="NAME", nargs="*", help=", ".join(PICTURES))
    asked = parser.parse_args(arguments)
    unknown = [name for name in asked.names if name not in PICTURES]
    if unknown:
        parser.error(f"no such picture: {', '.join(unknown)}; there are {', '.join(PICTURES)}")
    for name in asked.names or PICTURES:
        asyncio.run(make(name, asked.into))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
