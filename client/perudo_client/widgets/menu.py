"""A list to choose from with arrow keys, Enter, or the mouse; it scrolls by itself."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import ClassVar, NamedTuple

from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message

from .lines import Lines
from .pieces import Line, Piece, cut, spread, width_of, wrap

BAR, THUMB = " │", " █"
"""What stands at the end of each row when there is more than fits."""


class Item(NamedTuple):
    """One thing to choose."""

    title: str
    note: str = ""
    """Stands at the right end of the title's line."""
    detail: str = ""
    """Stands below the title, in dim."""
    role: str = ""
    gap: bool = False
    """An empty line stands before it."""


class Menu(Lines, can_focus=True):
    """Items one below the other, one of them under the cursor."""

    DEFAULT_CSS = """
    Menu { height: 1fr; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("pageup", "move(-5)", show=False),
        Binding("pagedown", "move(5)", show=False),
        Binding("home", "move(-999)", show=False),
        Binding("end", "move(999)", show=False),
        Binding("enter", "choose", show=False),
    ]

    class Chosen(Message):
        """An item was chosen."""

        def __init__(self, menu: Menu, index: int) -> None:
            """Remember which."""
            super().__init__()
            self.menu = menu
            self.index = index

        @property
        def control(self) -> Menu:
            """The menu."""
            return self.menu

    class Moved(Message):
        """Another item is under the cursor."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        """Begin empty."""
        super().__init__(id=id)
        self._items: Sequence[Item] = ()
        self.index = 0
        """The item under the cursor."""

    def show(self, items: Sequence[Item]) -> None:
        """Show these items; the cursor stays where it is while there is such an item."""
        self._items = items
        self.index = max(min(self.index, len(items) - 1), 0)
        self.repaint()

    def paint(self, width: int, height: int) -> list[Line]:
        """Draw the items around the cursor that fit, and beside them how much more there is."""
        blocks = self._blocks(width)
        if not height or sum(map(len, blocks)) <= height:
            return [line for block in blocks for line in block]
        blocks = self._blocks(width - len(BAR))
        lines = [line for block in blocks for line in block]
        first = self.index
        used = len(blocks[first])
        while first > 0 and used + len(blocks[first - 1]) <= max(height // 2, used):
            first -= 1
            used += len(blocks[first])
        top = min(sum(map(len, blocks[:first])), max(len(lines) - height, 0))
        bar = scroll_bar(top, height, len(lines))
        return [
            spread(line, (Piece(sign, "dim"),), width)
            for line, sign in zip(lines[top : top + height], bar, strict=False)
        ]

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Say how many lines there are, for `height: auto`."""
        return max(len(self.paint(width, 0)), 1)

    def _blocks(self, width: int) -> list[list[Line]]:
        return [self._block(number, width) for number in range(len(self._items))]

    def _block(self, number: int, width: int) -> list[Line]:
        item = self._items[number]
        here = number == self.index
        lit = here and self.has_focus
        mark = Piece("▸ " if here else "  ", "cursor" if lit else "", number)
        title = Piece(item.title, "cursor" if lit else ("strong" if here else item.role), number)
        note = Piece(item.note + " ", "cursor" if lit else "dim", number)
        below = wrap(item.detail, max(width - 4, 1), "dim") if item.detail else []
        if item.note and width_of((mark, title, note)) >= width:
            below = [*wrap(item.note, max(width - 4, 1), "dim"), *below]
            note = Piece("")
        row = spread(cut((mark, title), width), (note,), width)
        row = [piece._replace(role="cursor", press=number) if lit else piece for piece in row]
        lines: list[Line] = [()] if item.gap else []
        lines.append(row)
        lines += [(Piece("    ", "", number), *_pressing(line, number)) for line in below]
        return lines

    def action_move(self, step: int) -> None:
        """Move the cursor."""
        index = max(min(self.index + step, len(self._items) - 1), 0)
        if index != self.index:
            self.index = index
            self.repaint()
            self.post_message(self.Moved())

    def action_choose(self) -> None:
        """Choose the item under the cursor."""
        if self._items:
            self.post_message(self.Chosen(self, self.index))

    def pressed(self, press: Hashable) -> None:
        """Choose the item that was clicked."""
        if isinstance(press, int):
            self.action_move(press - self.index)
            self.action_choose()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Move down with the wheel."""
        event.stop()
        self.action_move(1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Move up with the wheel."""
        event.stop()
        self.action_move(-1)

    def on_focus(self) -> None:
        """Light the cursor."""
        self.repaint()

    def on_blur(self) -> None:
        """Dim the cursor."""
        self.repaint()


def scroll_bar(top: int, height: int, total: int) -> list[str]:
    """Give, row by row, a bar for `height` lines of `total`, of which `top` are above."""
    thumb = max(height * height // max(total, 1), 1)
    at = top * (height - thumb) // max(total - height, 1)
    return [THUMB if at <= row < at + thumb else BAR for row in range(height)]


def _pressing(line: Line, number: int) -> Line:
    return [piece._replace(press=number) for piece in line]
