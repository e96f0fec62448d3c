"""What can be wrong with bytes from the other side, as one tree.

Framing and codec raise these and nothing else, whatever the bytes. Each error has the `word` that
an `error` message carries.

- `ProtocolError`
    - `BadFrame`: the bytes are no frame of ours; the link cannot go on.
        - `FrameTooLarge`, `ForeignProtocol` (somebody speaks HTTP or TLS to the port)
    - `BadMessage`: a whole frame, but no message that this side expects; the link can go on.
"""

from __future__ import annotations


class ProtocolError(Exception):
    """Anything wrong with what the other side sent; the text says what, for a log."""

    word = "protocol"


class BadFrame(ProtocolError):
    """The bytes are no frame: close the link."""

    word = "bad_frame"


class FrameTooLarge(BadFrame):
    """The length announced is over the limit; nothing of the frame was kept."""


class ForeignProtocol(BadFrame):
    """The first bytes are those of another protocol; `speaks` names it."""

    def __init__(self, speaks: str) -> None:
        """Remember which protocol it was, `http` or `tls`."""
        super().__init__(f"the other side speaks {speaks}")
        self.speaks = speaks


class BadMessage(ProtocolError):
    """A frame that holds no message of this direction; three of them close the link."""

    word = "bad_message"
