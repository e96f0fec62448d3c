"""What happens is written down here before anybody is told; and what is done when it cannot be.

When nothing can be written (a full disk, say) nothing that follows has happened for anybody: frames
stay in their outboxes, the clock is held, and only notices go out, past everything that waits.
"""

from __future__ import annotations

from collections.abc import Callable
from logging import Logger
from typing import TYPE_CHECKING

from perudo_protocol.codec import encode
from perudo_protocol.messages import Notice
from perudo_protocol.words import NoticeWord

from . import entries as n
from .clock import Clock
from .journal import NoJournal
from .log import event
from .outbox import Flusher
from .people import Person

if TYPE_CHECKING:
    from .keeper import Keeper


class Books:
    """The journal of a house, and the flusher that waits for it."""

    def __init__(
        self, journal: Keeper, clock: Clock, log: Logger, notify: Callable[[bytes], None]
    ) -> None:
        """Write to this journal; `notify` sends a frame to everybody at once."""
        self.flusher = Flusher(clock, log, journal)
        self._journal = journal
        self.keeps = not isinstance(journal, NoJournal)
        """Whether what is written down outlasts this process."""
        self.stalled = False
        """Whether nothing can be written down at present."""
        self._clock = clock
        self._log = log
        self._notify = notify
        journal.on_committed = self.flusher.durable
        journal.on_failing = self._fails
        journal.on_recovered = self._is_back
        clock.on_beat = self._beat

    def keep(self, stream: int, entry: n.AnyEntry) -> None:
        """Write down what happens; it is durable before anybody is told of it."""
        if self.keeps:
            self._journal.write(stream, self._clock.now(), n.encode(entry))
            self.flusher.wake()

    def know(self, person: Person) -> None:
        """See that the journal knows somebody who comes to a table."""
        if self.keeps and not person.noted:
            person.noted = True
            known = (person.name, person.address, person.bot, person.ours, person.token)
            self.keep(n.HOUSE, n.Came(person.number, *known))

    def close(self, patience: float) -> None:
        """Close the journal, within so many seconds."""
        if not self._journal.close(patience):
            self._log.error("journal_not_closed")

    def _fails(self, reason: str) -> None:
        self.stalled = True
        self._log.error("storage_failing", extra={"fields": {"why": reason}})
        self._clock.hold(True)
        self._say(NoticeWord.STORAGE_FULL)

    def _is_back(self) -> None:
        self.stalled = False
        event(self._log, "storage_back")
        self._clock.hold(False)
        self._say(NoticeWord.STORAGE_BACK)

    def _beat(self) -> None:
        if self.stalled:  # also a sign of life, for the pings stand still
            self._say(NoticeWord.STORAGE_FULL)

    def _say(self, word: NoticeWord) -> None:
        self._notify(encode(Notice(notice=word)))
