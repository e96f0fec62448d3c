"""Text in pieces: what a line is made of, and how it is made to fit; pure.

Text is never read as markup: a `Piece` is text, a role (how it looks), and what a click on it
means, and nothing else.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import lru_cache
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size

from perudo_protocol.text import clean


class Piece(NamedTuple):
    """A run of text with one look."""

    text: str
    role: str = ""
    """How it looks: a class `lines--<role>` in the style of `Lines`, or nothing for plain text."""
    press: Hashable = None
    """What a click on it means to its widget; `None` for nothing."""


Line = Sequence[Piece]


def fit(text: str, width: int, *, right: bool = False) -> str:
    """Give `text` in exactly `width` cells, cut with an ellipsis or filled with spaces."""
    text = shown(text)
    room = width - cell_len(text)
    if room < 0:
        return _cut(text, width)
    return " " * room + text if right else text + " " * room


def width_of(line: Line) -> int:
    """Count the cells of a line."""
    return sum(cell_len(shown(piece.text)) for piece in line)


def wrap(text: str, width: int, role: str = "") -> list[Line]:
    """Break text between words into lines of at most `width` cells."""
    lines: list[str] = []
    for word in shown(text).split():
        while cell_len(word) > width > 0:
            head = _head(word, width)
            lines.append(head)
            word = word[len(head) :]
        if lines and cell_len(lines[-1]) + 1 + cell_len(word) <= width:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return [(Piece(line, role),) for line in lines if line] or [()]


def spread(left: Line, right: Line, width: int) -> Line:
    """Put one line's parts at both ends of a row; the left one gives way."""
    room = width - width_of(right)
    used = width_of(left)
    if used > room:
        return (*cut(left, max(room - 1, 0)), Piece(" "), *right)
    return (*left, Piece(" " * (room - used)), *right)


def cut(line: Line, width: int) -> Line:
    """Cut a line to at most `width` cells, with an ellipsis where it was cut."""
    if width_of(line) <= width:
        return line
    kept: list[Piece] = []
    room = width
    for piece in line:
        long = width_of((piece,))
        if long >= room:
            kept.append(piece._replace(text=_cut(piece.text, room)))
            break
        kept.append(piece)
        room -= long
    return tuple(kept)


def _cut(text: str, width: int) -> str:
    """Cut text that goes on, to exactly `width` cells with an ellipsis at the end."""
    return set_cell_size(shown(text), max(width - 1, 0)) + "…"[: max(width, 0)]


def _head(word: str, width: int) -> str:
    end = 1
    while end < len(word) and cell_len(word[: end + 1]) <= width:
        end += 1
    return word[:end]


@lru_cache(4096)
def shown(text: str) -> str:
    """Give text fit to be shown, whoever wrote it."""
    return text if text.isascii() and text.isprintable() else clean(text)
