"""A Textual app with nothing in it: it starts, paints an empty screen, and waits for keys.

What everybody pays who draws with Textual: the interpreter, the imports, the parsing of Textual's
own styles, one picture. It asks for no widget, no style and no theme of its own.
"""

from __future__ import annotations

from textual.app import App


class EmptyApp(App[None]):
    """Nothing."""


if __name__ == "__main__":
    EmptyApp().run()
