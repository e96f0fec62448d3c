"""The question about an unknown certificate, as lines of text."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from . import trust_words
from .address import Address
from .i18n import _


class Answers:
    """Typed lines, while they answer a question and are no orders."""

    def __init__(self) -> None:
        """Begin without a line."""
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()

    def typed(self, line: str) -> None:
        """Take a typed line."""
        self._lines.put_nowait(line)

    def ended(self) -> None:
        """Hear that nothing more will be typed."""
        self._lines.put_nowait(None)

    async def next(self) -> str | None:
        """Wait for the next line; `None` when there will be none."""
        return await self._lines.get()

    def rest(self, typed: Callable[[str], None], ended: Callable[[], None]) -> None:
        """Give out what has not been taken, in order."""
        while not self._lines.empty():
            line = self._lines.get_nowait()
            ended() if line is None else typed(line)


async def trusts(
    address: Address,
    found: bytes,
    tell: Callable[[str], None],
    answer: Callable[[], Awaitable[str | None]],
) -> str:
    """Ask whether to trust a server; gives the sentence that says why not, or nothing for yes."""
    for line in trust_words.question(address, found):
        tell(line)
    tell(_("Type yes, or no."))
    while (typed := await answer()) is not None:
        match typed.strip().lower():
            case "yes" | "y":
                return ""
            case "no" | "n" | "quit" | "q":
                return trust_words.declined(address)
        tell(_("Type yes, or no."))
    return trust_words.unasked(address, found)
