"""The floor under a repaint: a Textual app with one widget as large as the window.

It is drawn line by line, each line one run of text in one style, and draws all of itself again
when its process is continued (`SIGCONT`), as the client does.
"""

from __future__ import annotations

import asyncio
import signal

from rich.segment import Segment
from textual.app import App, ComposeResult
from textual.strip import Strip
from textual.widget import Widget


class Lettered(Widget):
    """As many cells as there is room for."""

    DEFAULT_CSS = "Lettered { width: 1fr; height: 1fr; }"

    def render_line(self, y: int) -> Strip:
        """Draw a line; called by Textual."""
        text = "abcdefghijklmnopqrstuvwxyz"[y % 26] * self.size.width
        return Strip([Segment(text, self.rich_style)], self.size.width)


class LinesApp(App[None]):
    """Shows one widget."""

    ENABLE_COMMAND_PALETTE = False

    def compose(self) -> ComposeResult:
        """Put the widget on the screen."""
        yield Lettered()

    def on_mount(self) -> None:
        """Draw again when continued."""
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGCONT, lambda: self.refresh(layout=True))


if __name__ == "__main__":
    LinesApp().run()
