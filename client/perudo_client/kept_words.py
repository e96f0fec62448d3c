"""Join words that the player has asked to remember, by the server's address.

They stand in a file of their own beside the settings, which nobody else can read. What is wrong
with the file is as if nothing stood in it: the words are asked for again.
"""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

from .address import Address

NAME = "join_words.json"


class KeptWords:
    """The words that are kept; without a file nothing is."""

    def __init__(self, path: Path | None = None) -> None:
        """Keep them in this file."""
        self._path = path

    @classmethod
    def beside(cls, settings: Path) -> KeptWords:
        """Keep them beside this file of settings; a path without name stands for none."""
        return cls(settings.with_name(NAME) if settings.name else None)

    def recall(self, where: Address) -> str:
        """Give the words for a server; empty if none are kept."""
        return self._read().get(_place(where), "")

    def keep(self, where: Address, words: str) -> None:
        """Keep the words for a server; raises `OSError`."""
        self._write(self._read() | {_place(where): words})

    def forget(self, where: Address) -> bool:
        """Forget the words for a server, and say whether there were any; raises `OSError`."""
        kept = self._read()
        known = kept.pop(_place(where), None) is not None
        if known:
            self._write(kept)
        return known

    def _read(self) -> dict[str, str]:
        if self._path is None:
            return {}
        try:
            found = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        pairs = found.items() if isinstance(found, dict) else ()
        return {place: words for place, words in pairs if isinstance(words, str)}

    def _write(self, kept: dict[str, str]) -> None:
        if self._path is None:
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        # Such a file is its owner's alone from the start, and stays so in its new place.
        handle, name = tempfile.mkstemp(dir=self._path.parent, prefix=NAME, suffix=".new")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(kept, file, indent=1)
            Path(name).replace(self._path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise


def _place(where: Address) -> str:
    return f"{where.host.lower()} {where.port}"
