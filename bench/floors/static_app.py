"""The floor under an update: a Textual app with one `Static` as large as the window.

It connects to the port that it is given and takes in frames as the client does (four bytes of
length, then so many bytes), whose bytes are the text that the `Static` is updated with, all of it
each time. It decodes nothing but UTF-8, folds nothing and chooses nothing.
"""

from __future__ import annotations

import asyncio
import sys

from textual.app import App, ComposeResult
from textual.widgets import Static

from perudo_protocol.framing import TO_CLIENT, FrameReader


class Frames(asyncio.Protocol):
    """Hands the text of each frame on."""

    def __init__(self, app: StaticApp) -> None:
        """Begin between two frames."""
        self._app = app
        self._reader = FrameReader(TO_CLIENT)

    def data_received(self, data: bytes) -> None:
        """Take bytes in."""
        self._reader.feed(data)
        while (payload := self._reader.next()) is not None:
            self._app.show(payload.decode())


class StaticApp(App[None]):
    """Shows the text that comes."""

    CSS = "Static { width: 1fr; height: 1fr; }"
    ENABLE_COMMAND_PALETTE = False

    def compose(self) -> ComposeResult:
        """Put one text on the screen."""
        yield Static("ready", markup=False)

    async def on_mount(self) -> None:
        """Connect."""
        loop = asyncio.get_running_loop()
        await loop.create_connection(lambda: Frames(self), "127.0.0.1", int(sys.argv[1]))

    def show(self, text: str) -> None:
        """Show a text."""
        self.query_one(Static).update(text)


if __name__ == "__main__":
    StaticApp().run()
