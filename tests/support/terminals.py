"""Real programs in pseudo-terminals, read as a person reads them: by what stands on the screen."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType

import pyte

XTERM = "xterm-256color"
BOUND = 30.0
"""Seconds in which anything that a test waits for must have come."""


class Terminal:
    """A program with a terminal of its own; use it as a context."""

    def __init__(
        self,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        columns: int = 80,
        lines: int = 24,
        term: str = XTERM,
    ) -> None:
        """Start a Python module's command, such as `["perudo_client", "--plain"]`."""
        self.screen = pyte.Screen(columns, lines)
        self.raw = bytearray()
        self._stream = pyte.ByteStream(self.screen)
        self._master, self._slave = pty.openpty()
        self._size(columns, lines)
        self.modes = termios.tcgetattr(self._slave)
        self.process = subprocess.Popen(
            [sys.executable, "-m", *arguments],
            stdin=self._slave,
            stdout=self._slave,
            stderr=self._slave,
            env={"COLORTERM": "truecolor", **environment, "TERM": term},
            start_new_session=True,
        )

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self._master)
        os.close(self._slave)

    @property
    def text(self) -> str:
        """What stands on the screen now."""
        return "\n".join(self.screen.display)

    def press(self, keys: str) -> None:
        """Type."""
        os.write(self._master, keys.encode())

    def resize(self, columns: int, lines: int) -> None:
        """Give the window another size."""
        self._size(columns, lines)
        self.screen.resize(lines, columns)
        self.process.send_signal(signal.SIGWINCH)

    def stop(self) -> None:
        """Stop the program, as `kill -STOP` does, and read what it wrote before."""
        self.process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, self.process.pid, os.WSTOPPED)
        while self.take_in(0):
            pass

    def cook(self) -> None:
        """Give the terminal the modes that it had at first, as a shell does that takes it over."""
        termios.tcsetattr(self._slave, termios.TCSANOW, self.modes)

    def take_in(self, seconds: float = 0.05) -> bool:
        """Read what the program writes, if anything comes within so many seconds."""
        ready, _, _ = select.select([self._master], [], [], seconds)
        if not ready:
            return False
        try:
            data = os.read(self._master, 65536)
        except OSError:  # the other end has closed
            return False
        self.raw += data
        self._stream.feed(data)
        return bool(data)

    def wait(self, done: Callable[[], bool], what: str, bound: float = BOUND) -> None:
        """Read until something is so."""
        end = time.monotonic() + bound
        while not done():
            self.take_in()
            if time.monotonic() > end:
                raise AssertionError(
                    f"{what} did not come within {bound} s; on screen:\n{self.text}"
                )

    def see(self, *words: str, bound: float = BOUND) -> None:
        """Read until all these words stand on the screen."""
        self.wait(lambda: all(word in self.text for word in words), f"{words}", bound)

    def ended(self, bound: float = BOUND) -> int:
        """Read until the program has ended; give its exit code."""
        self.wait(lambda: self.process.poll() is not None, "the end", bound)
        while self.take_in(0):
            pass
        assert self.process.returncode is not None
        return self.process.returncode

    def as_it_was(self) -> None:
        """Assert that the terminal is left as it was: modes, screen, cursor, mouse."""
        assert termios.tcgetattr(self._slave) == self.modes
        written = bytes(self.raw)
        for on, off in (
            (b"\x1b[?1049h", b"\x1b[?1049l"),
            (b"\x1b[?25l", b"\x1b[?25h"),
            (b"\x1b[?1000h", b"\x1b[?1000l"),
            (b"\x1b[?2004h", b"\x1b[?2004l"),
        ):
            assert written.rfind(on) <= written.rfind(off), f"{on!r} was never taken back"

    def _size(self, columns: int, lines: int) -> None:
        size = struct.pack("HHHH", lines, columns, 0, 0)
        fcntl.ioctl(self._slave, termios.TIOCSWINSZ, size)
