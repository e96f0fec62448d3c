"""A program in a pseudo-terminal, read as fast as it writes: bytes, moments, processor time.

No screen is kept: to follow one would cost this process more than the program costs itself. What a
program draws is found by the words in it, which stand together as far as they look alike.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import NamedTuple

from .processes import BOUND, cpu_seconds, memory

COLUMNS, LINES = 80, 24
TERM = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}
"""The same terminal for the floor and for us: one with all colours, as most are today."""
WHOLE_ASKED, WHOLE_ANSWER = b"\x1b[?2026$p", b"\x1b[?2026;2$y"
"""A program asks whether pictures can be shown whole; most terminals answer yes, as we do."""
END_OF_PICTURE = b"\x1b[?2026l"
"""Stands after every picture, once the answer above has arrived."""


class Moment(NamedTuple):
    """When something had been written."""

    at: float
    """Seconds of the steady clock."""
    cpu: float
    """Processor time that the program had had by then."""
    written: int
    """Bytes that it had written by then."""


class Terminal:
    """A program with a terminal of its own; use it as a context, which ends it.

    Everything is read by the caller's own thread, in `read` and in what stands on it.
    """

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        columns: int = COLUMNS,
        lines: int = LINES,
    ) -> None:
        """Start a command; `environment` without what tells of the terminal, see `TERM`."""
        self.written = bytearray()
        """All that the program has written."""
        self._asked = 0
        self._master, slave = pty.openpty()
        size = struct.pack("HHHH", lines, columns, 0, 0)
        fcntl.ioctl(slave, termios.TIOCSWINSZ, size)
        self.process = subprocess.Popen(
            list(command),
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**environment, **TERM},
            start_new_session=True,
        )
        os.close(slave)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.process.kill()
        self.process.wait(BOUND)
        os.close(self._master)

    @property
    def pid(self) -> int:
        """Its number."""
        return self.process.pid

    def cpu(self) -> float:
        """Give the processor time that it has had, in seconds."""
        return cpu_seconds(self.pid)

    def memory(self) -> int:
        """Give the bytes of memory that it alone has in use."""
        return memory(self.pid)

    def fileno(self) -> int:
        """Give our end of the terminal, for those who wait for several at once."""
        return self._master

    def press(self, keys: str) -> float:
        """Type; gives the moment just before."""
        now = time.monotonic()
        os.write(self._master, keys.encode())
        return now

    def read(self, seconds: float) -> Moment | None:
        """Read what the program writes, if anything comes within so many seconds."""
        if not select.select([self._master], [], [], max(seconds, 0.0))[0]:
            return None
        try:
            data = os.read(self._master, 1 << 20)
        except OSError:  # the other end has closed
            data = b""
        if not data:
            raise RuntimeError(f"it ended; the last that it wrote: {bytes(self.written[-2000:])!r}")
        moment = Moment(time.monotonic(), self.cpu(), len(self.written) + len(data))
        self.written += data
        if self.written.find(WHOLE_ASKED, self._asked) >= 0:
            self._asked = len(self.written)
            os.write(self._master, WHOLE_ANSWER)
        return moment

    def until(self, words: str | bytes, since: int = 0, bound: float = BOUND) -> Moment:
        """Read until this has been written after the first `since` bytes; gives the moment of the
        read that brought it, or of the last one if it was there already."""
        wanted = words.encode() if isinstance(words, str) else words
        end = time.monotonic() + bound
        moment = Moment(time.monotonic(), self.cpu(), len(self.written))
        while self.written.find(wanted, since) < 0:
            since = max(since, len(self.written) - len(wanted))
            moment = self.read(end - time.monotonic()) or moment
            if time.monotonic() > end:
                tail = bytes(self.written[-2000:])
                raise RuntimeError(f"no {wanted!r} within {bound:g} s; the last written: {tail!r}")
        return moment

    def listen(self, seconds: float) -> None:
        """Read whatever comes for so many seconds."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.read(left)

    def settle(self, quiet: float = 0.4, bound: float = BOUND) -> Moment:
        """Read until a picture is there and nothing has come for `quiet` seconds after it; gives
        the moment of the last bytes.

        So the end of what is drawn is found in the same way whatever is in it.
        """
        end = time.monotonic() + bound
        moment = self.until(END_OF_PICTURE, bound=bound)
        while (came := self.read(quiet)) is not None:
            moment = came
            if time.monotonic() > end:
                raise RuntimeError(f"it still writes after {bound:g} s")
        return moment
