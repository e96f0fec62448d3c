"""The versions of the protocol, and of this program."""

from __future__ import annotations

PROGRAM = "0.1.0"
"""The version of this program. It stands here alone, where it need not be searched for at each
start: that takes longer than the whole protocol takes to load."""

VERSIONS = (1,)
"""The versions of the protocol that this program speaks, newest first."""

DEFAULT_PORT = 7654
"""Where a server listens unless told otherwise."""


def program_version() -> str:
    """Give this program's own version, such as `0.1.0`."""
    return PROGRAM


def common(theirs: tuple[int, ...]) -> int | None:
    """Give the newest version that both sides speak, or `None`."""
    for ours in VERSIONS:
        if ours in theirs:
            return ours
    return None
