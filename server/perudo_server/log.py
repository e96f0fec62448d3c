"""The log: one line per event on standard error, with ids, never dice, never chat, never names.

Lines are plain ASCII, so that nothing a value holds can begin a line of its own or move the
cursor. They leave through a thread: a terminal that stands still (Ctrl-S, a marked text) or a
full pipe must not hold up the games, and a closed one must not end them.
"""

from __future__ import annotations

import contextlib
import logging
import os
import queue
import sys
import threading
import time
import traceback
from datetime import datetime
from functools import lru_cache

Value = str | int | float | bool | None

LONGEST = 200
"""Letters kept of a value."""
WAITING = 10_000
"""Lines kept for a reader that stands still; those after them are dropped."""
BREATH = 0.05
"""Seconds after a write in which lines gather for the next: a write for each costs more than all
that the line is about."""

_BARE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.:/[]%+")
"""Letters of a value that needs no quotes in a text line."""


def event(log: logging.Logger, word: str, level: int = logging.INFO, **fields: Value) -> None:
    """Log one event: `event(log, "joined", table=3, person=7)`. Its word is one of ours."""
    if log.isEnabledFor(level):
        log.handle(_Event(log.name, level, word, fields))


class _Event(logging.LogRecord):
    """One event, without what nobody reads of a record: where in the program it was written, and in
    which thread. To find that out takes longer than to write the line."""

    def __init__(self, name: str, level: int, word: str, fields: dict[str, Value]) -> None:
        self.name, self.msg, self.args, self.fields = name, word, (), fields
        self.levelno, self.levelname = level, logging.getLevelName(level)
        self.created = time.time()
        self.msecs = self.created % 1 * 1000
        self.exc_info = self.exc_text = self.stack_info = None
        self.pathname = self.filename = self.module = ""  # formatters other than ours ask for it
        self.lineno = 0


def failure(log: logging.Logger, error: BaseException | None, **fields: Value) -> None:
    """Log an error that nobody expected: its kind and place, and at level debug the way to it.

    The text of the error is left out, since it may quote what only a player may see.
    """
    fields["kind"] = "none" if error is None else type(error).__name__
    steps = traceback.extract_tb(error.__traceback__) if error is not None else []
    if steps:
        fields["at"] = f"{os.path.basename(steps[-1].filename)}:{steps[-1].lineno}"
    if steps and log.isEnabledFor(logging.DEBUG):
        fields["way"] = " < ".join(f"{step.name}:{step.lineno}" for step in reversed(steps))
    event(log, "failure", logging.ERROR, **fields)


def set_up(level: str, form: str, fd: int | None = None) -> Writer:
    """Send the whole process' log to a file descriptor (standard error unless told otherwise).

    Gives the writer; close it before the process ends, so that the last lines get out.
    """
    writer = Writer(_standard_error() if fd is None else fd)
    writer.setFormatter(JsonLines() if form == "json" else TextLines())
    # What nobody reads is not looked up for each line.
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    root = logging.getLogger()
    root.handlers[:] = [writer]
    root.setLevel(level.upper())
    logging.getLogger("asyncio").setLevel(max(root.level, logging.WARNING))
    return writer


def _standard_error() -> int:
    try:
        return sys.stderr.fileno()
    except (AttributeError, OSError, ValueError):  # none at all, closed, or no file
        return os.open(os.devnull, os.O_WRONLY)


class _Lines(logging.Formatter):
    """What both forms share: when, how important, which event, with which values."""

    def parts(self, record: logging.LogRecord) -> tuple[list[str], dict[str, Value]]:
        """Give the line's head (time, level, event) and its values in their order."""
        head = [_time(record.created), record.levelname.lower()]
        fields: dict[str, Value] | None = getattr(record, "fields", None)
        if fields is not None:
            return [*head, record.msg], fields
        # Somebody else's record: its template only, since its values are not known to be ids.
        return [*head, "note"], {"by": record.name, "text": str(record.msg)}


class TextLines(_Lines):
    """`2026-11-30T20:15:00.123+01:00 info joined table=3 person=7`."""

    def format(self, record: logging.LogRecord) -> str:
        """Give one line."""
        head, fields = self.parts(record)
        for key, value in fields.items():
            head.append(f"{key}={value if type(value) is int else _text(value)}")
        return " ".join(head)


class JsonLines(_Lines):
    """`{"time": ..., "level": "info", "event": "joined", "table": 3, "person": 7}`."""

    def format(self, record: logging.LogRecord) -> str:
        """Give one line."""
        head, fields = self.parts(record)
        parts = {**dict(zip(("time", "level", "event"), head, strict=True)), **fields}
        return _quoted({key: _short(value) for key, value in parts.items()})


def _time(seconds: float) -> str:
    whole = int(seconds)
    clock, zone = _clock_and_zone(whole)
    return f"{clock}.{int((seconds - whole) * 1000):03}{zone}"


@lru_cache(maxsize=4)
def _clock_and_zone(second: int) -> tuple[str, str]:
    text = datetime.fromtimestamp(second).astimezone().isoformat()
    return text[:19], text[19:]


def _short(value: Value) -> Value:
    return value if isinstance(value, (bool, int, float)) or value is None else str(value)[:LONGEST]


def _quoted(value: object) -> str:
    import json  # here alone: few values need it

    return json.dumps(value).replace("\x7f", "\\u007f")


def _text(value: Value) -> str:
    value = _short(value)
    if not isinstance(value, str):
        return "none" if value is None else str(value).lower()
    return value if value and _BARE.issuperset(value) else _quoted(value)


class Writer(logging.Handler):
    """Hands lines to a thread that writes them; never waits and never fails."""

    def __init__(self, fd: int) -> None:
        """Write to this file descriptor."""
        super().__init__()
        self._fd = fd
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="log", daemon=True)
        self._thread.start()

    def emit(self, record: logging.LogRecord) -> None:
        """Take one line; drop it when too many wait."""
        if self._lines.qsize() >= WAITING:
            return
        try:
            self._lines.put(self.format(record).encode("ascii", "backslashreplace") + b"\n")
        except Exception:  # a value that cannot be written must not stop a game
            self.handleError(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        """Pass over a line that cannot be made."""

    def close(self, wait: float = 1.0) -> None:
        """Let the last lines get out, for a second at most."""
        super().close()
        if self._closing.is_set():
            return
        self._closing.set()
        self._lines.put(None)
        if self._thread.is_alive():  # an interrupt may have come before it started
            self._thread.join(wait)

    def _run(self) -> None:
        # Straight to the descriptor: a stream's lock, held by a stuck thread, would break the exit.
        on = True
        while on:
            waiting = [self._lines.get()]
            waiting += [self._lines.get() for _ in range(self._lines.qsize())]
            on = None not in waiting
            self._write(b"".join(line for line in waiting if line is not None))
            self._closing.wait(BREATH)

    def _write(self, lines: bytes) -> None:
        with contextlib.suppress(OSError):  # nobody reads any more
            while lines:
                lines = lines[os.write(self._fd, lines) :]
