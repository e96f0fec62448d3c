"""A line to write in, with a word before it that says what for."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Input

from perudo_protocol.text import clean


class Field(Horizontal):
    """A label and an input line, whose left margin is the room for the label."""

    DEFAULT_CSS = """
    Field {
        height: 1;
        margin-bottom: 1;
        color: $foreground 70%;
        & > Input, & > Input:focus {
            border: none; height: 1; padding: 0 1; width: 1fr; margin-left: 10;
        }
        & > Input { background: $panel; }
        & > Input:focus { background: $block-cursor-background; }
        &:focus-within { color: $foreground; }
        &:ansi { color: ansi_default; }
        &:ansi > Input { background: ansi_default; text-style: underline; }
    }
    """

    def __init__(
        self,
        label: str,
        *,
        id: str | None = None,  # noqa: A002
        max_length: int = 60,
        hint: str = "",
    ) -> None:
        """Begin empty."""
        super().__init__(id=id)
        self._label = label
        self.line = Input(max_length=max_length, placeholder=hint, select_on_focus=False)
        """The line itself."""

    def compose(self) -> ComposeResult:
        """Put it together; called by Textual."""
        yield self.line

    def render(self) -> Content:
        """Write the label where the line leaves room for it; called by Textual."""
        lit = self.has_pseudo_class("focus-within")
        return Content.styled(self._label, "bold") if lit else Content(self._label)

    @property
    def value(self) -> str:
        """What is written."""
        return self.line.value

    @value.setter
    def value(self, text: str) -> None:
        self.line.value = clean(text)

    @on(Input.Changed)
    def _clean_it(self, event: Input.Changed) -> None:
        if event.input.value != clean(event.input.value):
            event.input.value = clean(event.input.value)
