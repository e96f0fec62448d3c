"""Lines out: whole lines, at once, whatever the stream can hold.

What the stream's encoding lacks is written as `?`. When nobody reads any more (`BrokenPipeError`),
the rest goes nowhere and `broken` says so.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TextIO


class Printer:
    """Writes lines to a stream."""

    def __init__(self, stream: TextIO | None) -> None:
        """Write to this stream; a program may be started without one."""
        self._stream = stream
        self.broken = stream is None

    def line(self, text: str) -> None:
        """Write one line and see that it leaves."""
        if self.broken or self._stream is None:
            return
        encoding = self._stream.encoding or "ascii"
        held = text.encode(encoding, "replace").decode(encoding)
        try:
            self._stream.write(held + "\n")
            self._stream.flush()
        except (OSError, ValueError):
            self.broken = True
            self._drop()

    def _drop(self) -> None:
        """Send what the stream still holds to nowhere, or Python would fail on it at its end."""
        assert self._stream is not None
        with suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self._stream.fileno())
            os.close(nowhere)
