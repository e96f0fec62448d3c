"""Whether a lost connection is one to come back from, and for how long to try; pure."""

from __future__ import annotations

from perudo_protocol.words import ByeReason, ErrorWord

from .endings import Closed

FOR_EVER = float("inf")
AFTER_SHUTDOWN = 60.0
"""A server that is started again is back within a minute; one that has stopped for good is not."""
ALONE = 10.0
"""A server of one's own that runs answers at once."""
PASSING = (
    ErrorWord.TOO_MANY,
    ErrorWord.SLOW_GREETING,
    ErrorWord.SLOW_FRAME,
    ErrorWord.NOT_GREETED,
)
"""What is wrong with one connection and not with the next one."""


def seconds_alone(word: str) -> float:
    """Give for how many seconds to try to come back to a server of one's own.

    It runs on when it has only missed us, because this program stood still; else it is gone itself.
    """
    return ALONE if word == ByeReason.DEAD else 0.0


def seconds_to_try(why: Closed, word: str, *, trying: bool = False) -> float:
    """Give for how many seconds to try to come back; 0 for not at all.

    `word` is that of the server's last `bye` or `error`, if it said one; `trying` says that the
    connection was one of those tries.
    """
    match why:
        case Closed.GONE:
            return FOR_EVER
        case Closed.BY_US | Closed.NONSENSE | Closed.ENCRYPTED:
            return 0.0
        case Closed.TOLD:
            if word == ByeReason.SHUTDOWN:
                return AFTER_SHUTDOWN
            passes = word == ByeReason.DEAD or (trying and word in PASSING)
            return FOR_EVER if passes else 0.0
