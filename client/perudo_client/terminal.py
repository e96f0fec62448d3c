"""The terminal around the app: its signs, its title, and the signals that end us."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial


def speaks_unicode() -> bool:
    """Say whether what we write can be more than ASCII."""
    encoding = getattr(sys.__stdout__, "encoding", None) or "utf-8"
    return encoding.lower().replace("-", "").startswith("utf")


def end_at_signals(end: Callable[[int], None]) -> None:
    """Call `end` with 128 and the signal's number when we are to end or the terminal is gone."""
    loop = asyncio.get_running_loop()
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is None:
            continue  # not on this system
        with suppress(NotImplementedError, ValueError):
            loop.add_signal_handler(number, partial(end, 128 + int(number)))


class WindowTitle:
    """The window's title; the old one is laid on the terminal's own stack, where it has one."""

    def __init__(self) -> None:
        """Begin with the title that is there."""
        self._ours = False

    def show(self, text: str) -> str:
        """Give what to write for this title; for the empty text, what gives the old one back."""
        if not text and not self._ours:
            return ""
        keep = "" if self._ours else "\x1b[22;0t"
        give_back = "" if text else "\x1b[23;0t"
        self._ours = bool(text)
        return f"{keep}\x1b]0;{text}\x07{give_back}"
