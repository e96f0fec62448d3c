"""What is typed: orders to the game, or answers while a question stands before there is one."""

from __future__ import annotations

import asyncio
import sys

from .plain import Plain
from .reading import LineReader

STDIN = 0


class Input:
    """Reads lines when somebody is there to hear them, and gives them out in order."""

    def __init__(self, *, wanted: bool) -> None:
        """Read nothing yet, and never unless it is `wanted`."""
        self.plain: Plain | None = None
        """The game that takes orders."""
        self._reader: LineReader | None = None
        self._over = not wanted
        """Nothing will be read any more."""
        self._answers: asyncio.Queue[str | None] | None = None
        """What was typed since a question stands; `None` at the end of input."""

    def begin(self) -> None:
        """Begin to read, unless that has begun."""
        if self._reader is not None or self._over:
            return
        if sys.stdin is None:  # then its number may be another file's
            self._over = True
            self._no_more()
            return
        self._reader = LineReader(STDIN, self._typed, self._no_more)
        self._reader.start()

    def taken(self) -> None:
        """Hear that a line was dealt with."""
        if self._reader is not None:
            self._reader.taken()

    def hold(self) -> None:
        """Keep what is typed from now on for `answer`."""
        self._answers = asyncio.Queue()

    async def answer(self) -> str | None:
        """Wait for the next line; `None` when there will be none."""
        assert self._answers is not None
        line = await self._answers.get()
        self.taken()
        return line

    def go_on(self) -> None:
        """Ask nothing any more: give the game what has not been taken."""
        answers, self._answers = self._answers, None
        while answers is not None and not answers.empty():
            line = answers.get_nowait()
            if line is None:
                self._no_more()
            else:
                self._typed(line)

    def _typed(self, line: str) -> None:
        if self._answers is not None:
            self._answers.put_nowait(line)
        elif self.plain is not None:
            self.plain.typed(line)

    def _no_more(self) -> None:
        if self._answers is not None:
            self._answers.put_nowait(None)
        elif self.plain is not None:
            self.plain.input_ended()
