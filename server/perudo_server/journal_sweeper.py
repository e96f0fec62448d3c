"""Sweeps a journal now and then: the loop says when, the journal's thread does a small step."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable
from contextlib import suppress

from .journal_entry import JournalError, Store, reason_of
from .journal_worker import Worker

DAY = 86_400.0
PAUSE = 0.05
"""Seconds between two steps while there is more to do: commits go first."""
REST = 1.0
"""Seconds between two looks whether there is anything to do."""
TROUBLE = 60.0
"""Seconds after which it is tried again when the disk would not have it."""


class Sweeper:
    """Does a step, waits, and does the next; until it is stopped."""

    def __init__(self, store: Store, worker: Worker, keep_days: float) -> None:
        """Sweep what this thread writes; finished games are kept whole for so many days."""
        self.on_trouble: Callable[[str], None] = lambda _: None
        """It cannot go on, and why. What is written is not concerned."""
        self._store = store
        self._worker = worker
        self._keep = keep_days * DAY
        self._stopped = False
        self._loop = asyncio.get_running_loop()
        self._timer = self._loop.call_later(PAUSE, self._hand_over)

    def stop(self) -> None:
        """Do nothing any more."""
        self._stopped = True
        self._timer.cancel()

    def _hand_over(self) -> None:
        self._worker.submit(self._step)

    def _step(self) -> None:
        """In the journal's thread: do a step, and say when the next one is due."""
        wait, trouble = REST, ""
        try:
            # The one thing for which the time of day counts: it goes on while no server runs.
            if self._store.sweep(time.time(), self._keep):
                wait = PAUSE
            self._store.tidy()
        except sqlite3.OperationalError:  # a full disk, say
            wait = TROUBLE
        except (sqlite3.Error, JournalError) as error:
            trouble = getattr(error, "what", "") or reason_of(error)
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._report, wait, trouble)

    def _report(self, wait: float, trouble: str) -> None:
        if self._stopped:
            return
        if trouble:
            self.on_trouble(trouble)
        else:
            self._timer = self._loop.call_later(wait, self._hand_over)
