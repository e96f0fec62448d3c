"""The thread of the journal: it does one thing after the other, and may hang without harm."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import TypeVar

Got = TypeVar("Got")


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
