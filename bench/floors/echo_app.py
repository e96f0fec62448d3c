"""The client half of that floor: a Textual app that sends each key to the echo and shows what comes
back in a label. Its frames are as long as a bid's.
"""

from __future__ import annotations

import asyncio
import sys

from textual import events
from textual.app import App, ComposeResult
from textual.widgets import Label

LONG = 60


class EchoApp(App[None], asyncio.Protocol):
    """Shows the last key that came back."""

    ENABLE_COMMAND_PALETTE = False

    def compose(self) -> ComposeResult:
        """Put the label on the screen."""
        yield Label("ready", markup=False)

    async def on_mount(self) -> None:
        """Connect."""
        loop = asyncio.get_running_loop()
        self._count = 0
        self._line, _app = await loop.create_connection(lambda: self, "127.0.0.1", int(sys.argv[1]))

    def on_key(self, event: events.Key) -> None:
        """Send a key."""
        self._count += 1
        self._line.write(f"key {self._count} {event.key}".ljust(LONG).encode())

    def data_received(self, data: bytes) -> None:
        """Show what came back."""
        self.query_one(Label).update(data.decode().strip())


if __name__ == "__main__":
    EchoApp().run()
