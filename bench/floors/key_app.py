"""The floor under a key: a Textual app with one widget, which shows the key that was pressed last.

It has no other widget, no bindings of its own, and nothing to ask or to work out.
"""

from __future__ import annotations

from textual import events
from textual.app import App, ComposeResult
from textual.widgets import Static


class KeyApp(App[None]):
    """Shows the last key."""

    ENABLE_COMMAND_PALETTE = False

    def compose(self) -> ComposeResult:
        """Put one line on the screen."""
        yield Static("ready", markup=False)

    def on_key(self, event: events.Key) -> None:
        """Show a key."""
        self.query_one(Static).update(f"key {event.key}")


if __name__ == "__main__":
    KeyApp().run()
