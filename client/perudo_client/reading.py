"""Lines in, from any standard input: a terminal, a pipe, a file, nothing.

An event loop cannot watch files, and a thread that waits for a terminal cannot be woken; so a
daemon thread reads the descriptor itself, and the end of the program does not wait for it. It never
runs far ahead: so many lines are given out, and the next when one of them was taken.
"""

from __future__ import annotations

import asyncio
import codecs
import os
import threading
from collections.abc import Callable
from contextlib import suppress

MOST_LETTERS = 4096
"""Where a line is longer, it is cut there."""
MOST_LINES = 64
"""So many lines may wait to be taken."""

OnLine = Callable[[str], None]
OnEnd = Callable[[], None]


class LineReader:
    """Reads lines from a descriptor and tells each in the loop's own thread."""

    def __init__(self, descriptor: int, on_line: OnLine, on_end: OnEnd) -> None:
        """Read from this descriptor; `on_end` is called once, last."""
        self._descriptor = descriptor
        self._on_line = on_line
        self._on_end = on_end
        self._loop = asyncio.get_running_loop()
        self._room = threading.Semaphore(MOST_LINES)

    def start(self) -> None:
        """Begin to read."""
        threading.Thread(target=self._read, name="input", daemon=True).start()

    def taken(self) -> None:
        """Hear that one of the lines told was dealt with."""
        self._room.release()

    def _read(self) -> None:
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        held = ""
        with suppress(RuntimeError):  # the loop has ended: nobody listens any more
            while data := self._more():
                *lines, held = (held + decoder.decode(data)).split("\n")
                held = held[:MOST_LETTERS]
                for line in lines:
                    self._tell(line)
            if held:
                self._tell(held)
            self._loop.call_soon_threadsafe(self._on_end)

    def _tell(self, line: str) -> None:
        self._room.acquire()
        self._loop.call_soon_threadsafe(self._on_line, line.rstrip("\r")[:MOST_LETTERS])

    def _more(self) -> bytes:
        try:
            return os.read(self._descriptor, 65536)
        except (OSError, ValueError):  # closed, or never open: the same as its end
            return b""
