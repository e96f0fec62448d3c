"""The versions of the protocol, and of this program."""

from __future__ import annotations

from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version

VERSIONS = (1,)
"""The versions of the protocol that this program speaks, newest first."""

DEFAULT_PORT = 7654
"""Where a server listens unless told otherwise."""


@lru_cache(maxsize=1)
def program_version() -> str:
    """Give this program's own version, such as `0.1.0`."""
    try:
        return version("perudo")
    except PackageNotFoundError:
        return "unknown"


def common(theirs: tuple[int, ...]) -> int | None:
    """Give the newest version that both sides speak, or `None`."""
    return next((ours for ours in VERSIONS if ours in theirs), None)
