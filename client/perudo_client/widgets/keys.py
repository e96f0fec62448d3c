"""The line at the bottom: the keys that mean something now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .lines import Lines
from .pieces import Line, Piece, width_of


class Key(NamedTuple):
    """A key, what it does, and the action that it stands for."""

    key: str
    label: str
    action: str


class Keys(Lines):
    """The key line; what does not fit is left out, the last ones stay."""

    DEFAULT_CSS = """
    Keys { dock: bottom; height: 1; padding: 0 1; }
    """
    WIDE = 48
    """From this width on the last two keys are always shown, below it the last one."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        """Begin without keys."""
        super().__init__(id=id)
        self._keys: tuple[Key, ...] = ()

    def show(self, keys: Sequence[Key]) -> None:
        """Show these keys, the most useful first; the last ones stay whatever the room."""
        if tuple(keys) != self._keys:
            self._keys = tuple(keys)
            self.repaint()

    def paint(self, width: int, height: int) -> list[Line]:
        """Draw as many keys as fit."""
        keep = 2 if width >= self.WIDE else 1
        tail = [_key(key) for key in self._keys[-keep:]]
        room = width - sum(width_of(part) for part in tail)
        line: list[Piece] = []
        for part in (_key(key) for key in self._keys[:-keep]):
            if width_of(part) <= room:
                line.extend(part)
                room -= width_of(part)
        for part in tail:
            line.extend(part)
        return [line]


def _key(key: Key) -> Line:
    return (
        Piece(key.key, "key", key.action),
        Piece(" " + key.label, "dim", key.action),
        Piece("  "),
    )
