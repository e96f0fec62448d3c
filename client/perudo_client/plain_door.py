"""The questions about join words, as lines of text."""

from __future__ import annotations

from collections.abc import Callable

from . import plain_words
from .gate import Gate
from .i18n import _
from .typed import Command, Order, parse, plain

YES = ("y", "yes", "s", "sim", "si", "o", "oui")
NO = ("n", "no", "nao", "non")


class Door:
    """Asks for the words that open a server or a table, and takes them."""

    def __init__(self, gate: Gate, tell: Callable[[str], None]) -> None:
        """Ask with `tell` for what the gate needs."""
        self._gate = gate
        self._tell = tell

    def ask(self) -> None:
        """Ask for join words."""
        if self._gate.word:
            self._tell(self._gate.word)
        if self._gate.for_server:
            self._tell(_("This server is locked. Type its join words, or quit."))
        else:
            self._tell(_("This table is locked. Type its join words, or press Enter to stay out."))

    def tries(self, words: str) -> bool:
        """Try these words, unless they can be no join words."""
        self._gate.type(words)
        if not self._gate.busy and parse(words) == Order(Command.HELP):
            self._gate.word = plain_words.join_words_line()
        return self._gate.busy

    def keeps(self, line: str) -> bool:
        """Take a line as the answer to whether words are to be kept, if it is one."""
        word = plain(line)
        if word in YES:
            self._gate.keep()
            self._tell(_("Remembered."))
        self._gate.offer = ""
        return word in YES or word in NO
