"""Join words that the player has asked to remember, by the server's address and certificate.

Words that were remembered on an encrypted line are never said to a server with another certificate,
nor on a plain line: an impostor would get an answer to guess at, and nobody would have been asked.
They stand in a file of their own beside the settings, which nobody else can read. What is wrong
with the file is as if nothing stood in it: the words are asked for again.
"""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

from perudo_protocol.pins import pin_of

from .address import Address, place
from .own_files import read_own

NAME = "join_words.json"
PLAIN = "plain"
"""Stands in the place of a pin where the line was not encrypted."""
_KEYS = ("words", "line")


class KeptWords:
    """The words that are kept; without a file nothing is."""

    def __init__(self, path: Path | None = None) -> None:
        """Keep them in this file."""
        self._path = path

    @classmethod
    def beside(cls, settings: Path) -> KeptWords:
        """Keep them beside this file of settings; a path without name stands for none."""
        return cls(settings.with_name(NAME) if settings.name else None)

    def recall(self, where: Address, certificate: bytes = b"") -> str:
        """Give the words for a server with this certificate, or none; empty if none are kept."""
        kept = self._read().get(place(where))
        return kept["words"] if kept is not None and kept["line"] == _line(certificate) else ""

    def keep(self, where: Address, words: str, certificate: bytes = b"") -> None:
        """Keep the words for a server with this certificate, or none; raises `OSError`."""
        self._write(self._read() | {place(where): {"words": words, "line": _line(certificate)}})

    def forget(self, where: Address) -> bool:
        """Forget the words for a server, and say whether there were any; raises `OSError`."""
        kept = self._read()
        known = kept.pop(place(where), None) is not None
        if known:
            self._write(kept)
        return known

    def _read(self) -> dict[str, dict[str, str]]:
        if self._path is None:
            return {}
        try:
            found = json.loads(read_own(self._path))
        except (OSError, ValueError, RecursionError):
            return {}
        pairs = found.items() if isinstance(found, dict) else ()
        return {key: kept for key, kept in pairs if _is_kept(kept)}

    def _write(self, kept: dict[str, dict[str, str]]) -> None:
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


def _line(certificate: bytes) -> str:
    return pin_of(certificate) if certificate else PLAIN


def _is_kept(kept: object) -> bool:
    return isinstance(kept, dict) and all(isinstance(kept.get(key), str) for key in _KEYS)
