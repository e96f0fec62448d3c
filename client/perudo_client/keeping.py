"""Saves each game as this client saw it, while it goes on, so that a crash keeps what there was.

Nothing is in a file that was not shown to this client. Where it cannot be written, the game goes on
and it is said once.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from perudo_protocol.story import Started, Won
from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import Phase

from .config import games_folder
from .game_file import LONGEST_FILE, Writer
from .i18n import _
from .own_files import own_folder
from .proving import Step, Told

_ID = re.compile(r"[0-9a-f]{1,32}")
_MOST_ALIKE = 100
LEAST_FILE = 4096
"""What a file costs at least, whatever stands in it."""
MOST_WRITTEN = 64 * 1024 * 1024
"""No evening comes near it; a server that tells more may not fill the disk."""


class Keeper:
    """Writes the steps of each game into a file of its own."""

    def __init__(
        self,
        folder: Path | None,
        tell: Callable[[str], None] = lambda sentence: None,
        stamp: Callable[[], str] = lambda: time.strftime("%Y-%m-%d-%H%M%S"),
    ) -> None:
        """Save into this folder, or nowhere; `tell` hears once that something cannot be saved.

        `stamp` gives the beginning of a file's name.
        """
        self._folder = folder
        self._tell = tell
        self._stamp = stamp
        self._file: int | None = None
        self._writer = Writer()
        self._written = 0
        self._left = MOST_WRITTEN
        self._game = 0
        self._has_told = False
        self.path: Path | None = None
        """The file of the present game, or of the last one; `None` where none was saved."""

    def take(self, steps: Sequence[Step], server: str) -> None:
        """Write what has happened at a server of this name."""
        if self._folder is None:
            return
        try:
            for step in steps:
                self._take(step, server)
        except OSError as wrong:
            self._give_up(str(wrong.strerror or wrong))

    def rest(self) -> None:
        """End the file, if one is open: we are at no table any more."""
        self._close()
        self._game = 0

    def _close(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            try:
                os.close(file)
            except OSError as wrong:
                self._tell_once(str(wrong.strerror or wrong))

    def _take(self, step: Step, server: str) -> None:
        match step:
            case None:
                self.rest()
                return
            case Told(before, Started(game=game, proof=proof)):
                self._open(before, game, proof, server)
            case TableView() if step.game != self._game or step.phase is Phase.LOBBY:
                self._close()
                self._game = step.game
                if step.phase not in (Phase.LOBBY, Phase.OVER):
                    self._open(step, step.game, step.proof.game, server)
                return
            case _:
                pass
        self._write(self._writer.step(step))
        if isinstance(step, Told) and isinstance(step.event, Won):
            self._close()

    def _open(self, view: TableView, game: int, proof: str, server: str) -> None:
        self._close()
        assert self._folder is not None
        self._game, self.path = game, None
        if self._left < LEAST_FILE:
            self._give_up(_("the server tells too much"))
            return
        own_folder(self._folder, shut=self._folder == games_folder(""))
        name = f"{self._stamp()}-{proof if _ID.fullmatch(proof) else game}"
        for number in range(1, _MOST_ALIKE):
            more = f"-{number}" if number > 1 else ""
            path = self._folder / f"{name}{more}.perudo"
            try:
                self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            except FileExistsError:
                continue
            self.path, self._writer, self._written = path, Writer(), 0
            self._left -= LEAST_FILE
            self._write(self._writer.header(server, view))
            return

    def _write(self, data: bytes) -> None:
        if self._file is None or not data:
            return
        self._written += len(data)
        self._left -= len(data)
        if self._written > LONGEST_FILE or self._left < 0:
            self._give_up(_("the server tells too much"))
            return
        while data:
            data = data[os.write(self._file, data) :]

    def _give_up(self, problem: str) -> None:
        self._close()
        self.path = None  # what stands there is not the whole game
        self._tell_once(problem)

    def _tell_once(self, problem: str) -> None:
        if not self._has_told:
            self._has_told = True
            text = _("This game cannot be saved: {problem}. It goes on all the same.")
            self._tell(text.format(problem=problem))
