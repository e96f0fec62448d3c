"""A name for a player who has not chosen one, and the next one where others have it."""

from __future__ import annotations

import getpass

from perudo_protocol.text import clean

MOST_CELLS = 16
"""The widest name that a server takes, in cells of a terminal."""


def default_name() -> str:
    """Give the name of the user of this computer, cut to what servers take."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError, ImportError):  # nobody that this computer knows
        name = ""
    return _cut(clean(name).strip(), MOST_CELLS) or "player"


def numbered(name: str, number: int) -> str:
    """Give the name with a number behind it, for the second of its name and those after."""
    return f"{_cut(name, MOST_CELLS - 1 - len(str(number)))} {number}"


def _cut(name: str, cells: int) -> str:
    if name.isascii():  # a cell for each sign
        return name[:cells].strip()
    from wcwidth import wcwidth  # its tables are large, and most names are written without them

    kept = ""
    for sign in name:
        cells -= max(0, wcwidth(sign))
        if cells < 0:
            break
        kept += sign
    return kept.strip()
