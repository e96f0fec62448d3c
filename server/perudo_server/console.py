"""What the program says to the person who started it, on standard output or standard error."""

from __future__ import annotations

import contextlib
import os
import sys


def say(text: str, *, error: bool = False) -> None:
    """Write a line at once. Letters the stream cannot hold become `?`; a closed one is no error."""
    stream = sys.stderr if error else sys.stdout
    if stream is None:  # started without one, as a service is on Windows
        return
    held = text.encode(stream.encoding or "ascii", "replace").decode(stream.encoding or "ascii")
    try:
        stream.write(held + "\n")
        stream.flush()
    except (OSError, ValueError):
        # What is left in its buffer would fail again, with a bad exit code, when Python ends.
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
