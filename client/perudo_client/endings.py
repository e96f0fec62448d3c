"""Why a connection did not come about, or is over; `reasons` words it."""

from __future__ import annotations

from enum import StrEnum


class Closed(StrEnum):
    """Why a connection is over."""

    BY_US = "by_us"
    """We closed it."""
    GONE = "gone"
    """The server went away, without a word."""
    TOLD = "told"
    """The server closed it after a `bye` or an `error`, which was passed on."""
    NONSENSE = "nonsense"
    """What came was no message of this protocol."""
    ENCRYPTED = "encrypted"
    """The server speaks TLS, and was greeted without."""


class Trouble(StrEnum):
    """Why a server cannot be reached."""

    NO_HOST = "no_host"
    """No computer has this name."""
    REFUSED = "refused"
    """The computer is there, and no server listens; or the network has no way there."""
    NO_ANSWER = "no_answer"
    """Nothing answered in time."""
    CHANGED = "changed"
    """The server has another certificate than the one that was expected."""
    PLAIN = "plain"
    """The server does not speak TLS, and was expected to."""
    HANDSHAKE = "handshake"
    """The handshake of TLS did not succeed."""


NOT_THE_SAME = (Trouble.CHANGED, Trouble.PLAIN)
"""The server is there, and is not the one that it should be."""


class CannotConnect(Exception):
    """No connection came about; `trouble` says why, `reasons.cannot_connect` in words."""

    def __init__(self, trouble: Trouble, detail: str = "", found: bytes = b"") -> None:
        """Remember why, and the hash of the certificate that the server has instead."""
        super().__init__(detail or trouble.value)
        self.trouble = trouble
        self.found = found
