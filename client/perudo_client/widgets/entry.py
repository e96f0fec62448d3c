"""The line in which one types: something to say, or a bid in words.

It is a mode: only while it is open does it have the keyboard, so that single letters are keys of
the game at all other times.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from enum import Enum

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import Input

from perudo_client.i18n import _
from perudo_client.words import phrase_text
from perudo_protocol.text import clean
from perudo_protocol.vocabulary import PHRASES

from .lines import Lines
from .pieces import Line, Piece, width_of

ROWS_FOR_PHRASES = 28
"""From this height of the window on three rows of phrases are shown, below it one."""


class Mode(Enum):
    """What the line is for."""

    BID = "bid"
    SAY = "say"


class Prompt(Lines):
    """What stands before the typed text."""

    DEFAULT_CSS = """
    Prompt { width: auto; height: 1; }
    """

    def __init__(self) -> None:
        """Begin with a prompt for a bid."""
        super().__init__()
        self.mode = Mode.BID

    def get_content_width(self, *_sizes: object) -> int:
        """Say how wide the prompt is; called by Textual."""
        return width_of(self.paint(0, 1)[0])

    def paint(self, width: int, height: int) -> list[Line]:
        """Draw the prompt."""
        word = _("say") if self.mode is Mode.SAY else _("bid")
        return [(Piece(f" {word} ", "strong"), Piece("› ", "dim"))]


class Phrases(Lines):
    """The quick phrases, one of them chosen by the arrow keys."""

    DEFAULT_CSS = """
    Phrases { padding: 0 1; }
    """

    def __init__(self) -> None:
        """Begin with none chosen."""
        super().__init__()
        self.chosen = -1
        self.most = 1
        """So many rows are shown at once."""

    def choose(self, step: int) -> None:
        """Choose another phrase; one place beyond the ends stands for none."""
        places = len(PHRASES) + 1
        self.chosen = (self.chosen + 1 + step) % places - 1
        self.repaint()

    def paint(self, width: int, height: int) -> list[Line]:
        """Draw the rows of phrases around the chosen one."""
        rows: list[list[Piece]] = [[]]
        here = 0
        for number, phrase in enumerate(PHRASES):
            picked = number == self.chosen
            text = phrase_text(phrase)
            piece = Piece(f"[{text}]" if picked else f" {text} ", "pick" if picked else "", phrase)
            if width and width_of([*rows[-1], piece]) > width and rows[-1]:
                rows.append([])
            rows[-1].append(piece)
            here = len(rows) - 1 if picked else here
        first = max(min(here, len(rows) - self.most), 0)
        return list(rows[first : first + self.most])


class Entry(Vertical):
    """The typing line; closed until it is opened for one of its modes."""

    DEFAULT_CSS = """
    Entry {
        height: auto; display: none;
        & > Horizontal { height: 1; }
        & Input, & Input:focus {
            border: none; height: 1; padding: 0; width: 1fr; background: $background;
        }
    }
    """

    class Typed(Message):
        """A line was typed for the game."""

        def __init__(self, text: str) -> None:
            """Remember the text."""
            super().__init__()
            self.text = text

    class Said(Message):
        """Something is said: free text, or a quick phrase by its word."""

        def __init__(self, text: str = "", phrase: str = "") -> None:
            """Remember it."""
            super().__init__()
            self.text = text
            self.phrase = phrase

    class Toggled(Message):
        """The line was opened or closed."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        """Begin closed."""
        super().__init__(id=id)
        self.mode = Mode.BID

    def compose(self) -> ComposeResult:
        """Put it together; called by Textual."""
        yield Phrases()
        with Horizontal():
            yield Prompt()
            yield Input(max_length=200, select_on_focus=False)

    def open(self, mode: Mode, text: str = "") -> None:
        """Take the keyboard for one line."""
        self.mode = mode
        prompt, phrases, line = self._parts()
        prompt.mode = mode
        prompt.refresh(layout=True)
        prompt.repaint()
        phrases.display = mode is Mode.SAY
        phrases.chosen = -1
        phrases.most = 3 if self.app.size.height >= ROWS_FOR_PHRASES else 1
        phrases.refresh(layout=True)
        phrases.repaint()
        line.value = text
        line.cursor_position = len(text)
        self.display = True
        self.screen.set_focus(line)
        self.post_message(self.Toggled())

    def close(self) -> None:
        """Give the keyboard back."""
        self.display = False
        self.screen.set_focus(None)
        self.post_message(self.Toggled())

    def take(self, event: events.Key) -> None:
        """Write down a key that came to the screen because the line had the keyboard too late.

        Keys come in bundles when somebody types fast over a slow connection. What follows the key
        that opens the line belongs into it; as a key of the game it could doubt a bid.
        """
        line = self.query_one(Input)
        if event.is_printable and event.character is not None:
            event.stop()
            event.prevent_default()
            line.insert_text_at_cursor(event.character)
        elif event.key == "escape":
            event.stop()
            event.prevent_default()
            self.close()

    @property
    def is_open(self) -> bool:
        """Whether it has the keyboard."""
        return bool(self.display)

    @property
    def rows(self) -> int:
        """How many rows it takes of the screen now."""
        if not self.is_open:
            return 0
        return 1 if self.mode is Mode.BID else 1 + self.query_one(Phrases).most

    def _parts(self) -> tuple[Prompt, Phrases, Input]:
        return self.query_one(Prompt), self.query_one(Phrases), self.query_one(Input)

    @on(Input.Changed)
    def _clean_it(self, event: Input.Changed) -> None:
        event.stop()
        if event.input.value != clean(event.input.value):
            event.input.value = clean(event.input.value)

    @on(Input.Submitted)
    def _submit(self, event: Input.Submitted) -> None:
        event.stop()
        text = event.value.strip()
        _prompt, phrases, _line = self._parts()
        chosen: Sequence[str] = PHRASES[phrases.chosen : phrases.chosen + 1]
        if self.mode is Mode.BID:
            if text:
                self.post_message(self.Typed(text))
        elif text:
            self.post_message(self.Said(text=text))
        elif phrases.chosen >= 0:
            self.post_message(self.Said(phrase=chosen[0]))
        self.close()

    @on(Lines.Pressed)
    def _phrase(self, event: Lines.Pressed) -> None:
        event.stop()
        press: Hashable = event.press
        self.post_message(self.Said(phrase=str(press)))
        self.close()

    def on_key(self, event: events.Key) -> None:
        """Close on Escape; choose phrases with the arrow keys."""
        if event.key == "escape":
            event.stop()
            self.close()
        elif event.key in ("up", "down") and self.mode is Mode.SAY:
            event.stop()
            event.prevent_default()
            self.query_one(Phrases).choose(1 if event.key == "down" else -1)
