"""What the house needs of whatever keeps its entries: a journal on the disk, or nothing at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

from .journal_entry import Entry


class Keeper(Protocol):
    """Keeps entries in order; nothing is told before it is durable."""

    on_committed: Callable[[], None]
    """Called when more is durable than before."""
    on_failing: Callable[[str], None]
    """Called when nothing can be made durable at present, and why."""
    on_recovered: Callable[[], None]
    """Called when it can again."""
    committed: int
    written: int
    failing: bool

    @property
    def pending(self) -> bool:
        """Whether something is not durable yet."""

    def load(self) -> Iterator[Entry]:
        """Give what was kept before."""

    def write(self, stream: int, at: float, body: bytes) -> int:
        """Take up an entry."""

    def commit(self) -> None:
        """Have all that was taken up made durable."""

    def close(self, patience: float) -> bool:
        """Commit the rest and close, within so many seconds; say whether all is durable."""
