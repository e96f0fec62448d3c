"""The thread of the journal: it does one thing after the other, and may hang without harm.

Whoever has something done there may wait a moment for it (`Errand`): a thread that is given the
processor at once, while nobody else wants the interpreter, is done long before it could have told
the event loop by way of its selector.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import TypeVar

Got = TypeVar("Got")


class Errand:
    """Something that is done in another thread, and reported once: to whoever waits, or later."""

    def __init__(self, later: Callable[[Errand], None]) -> None:
        """Have `later` called in the other thread if nobody waits any more."""
        self.failed: Exception | None = None
        """Why it was not done."""
        self._later = later
        self._done = threading.Lock()
        self._done.acquire()
        self._claimed = threading.Lock()
        """Whoever has it, the one that is done or the one that goes, was the first of both."""

    def end(self) -> None:
        """Say that it is done, or failed."""
        if self._claimed.acquire(blocking=False):
            self._done.release()
        else:
            self._later(self)

    def wait(self, patience: float) -> bool:
        """Wait so many seconds; say whether it is done. If not, `later` will be called."""
        return self._done.acquire(timeout=patience) or not self._claimed.acquire(blocking=False)


class Worker:
    """The one thread that touches the database."""

    def __init__(self) -> None:
        """Start it."""
        self._jobs: queue.SimpleQueue[Callable[[], object] | None] = queue.SimpleQueue()
        # A daemon, so that a disk that hangs does not hang the end of the process.
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    def submit(self, job: Callable[[], object]) -> None:
        """Do it after all that was submitted before; what it raises is lost."""
        self._jobs.put(job)

    def ask(self, job: Callable[[], Got]) -> Got:
        """Do it and give, or raise, what comes of it. Blocks."""
        answer: Future[Got] = Future()

        def run() -> None:
            try:
                answer.set_result(job())
            except BaseException as error:
                answer.set_exception(error)

        self.submit(run)
        return answer.result()

    def end(self, patience: float) -> None:
        """End after all that was submitted; wait for it so many seconds at most."""
        self._jobs.put(None)
        self._thread.join(patience)

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            with suppress(Exception):
                job()
