"""Before a locked door: what the server asks, which words are tried by themselves, whom to ask.

A `Gate` hears what happens and says by `asking` whether somebody has to type join words. It makes
no key, since that takes a while: its owner does, in its own way, when `attempt` is called, and then
sends what `answer` gives.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import suppress

from perudo_protocol.lock import LEAST_SIGNS, SIZE, make_key, plain_words, prove
from perudo_protocol.messages import Challenge, ClientMessage, Join, Lock, Unlock, Watch
from perudo_protocol.words import Denial

from . import happenings as h
from .address import Address
from .i18n import _
from .kept_words import KeptWords
from .model import Model

MOST_UNASKED = 3
"""So many answers a connection gives by itself: a server's door, a table's, and one to spare.

Each takes a while to make, and a server could ask for ever. After them somebody has to type.
"""
SERVER = 0
"""The number of the server's own door, where others have their table's."""


class Gate:
    """One client's doings with join words."""

    def __init__(
        self,
        model: Model,
        attempt: Callable[[str], None],
        send: Callable[[ClientMessage], None],
        certificate: Callable[[], bytes] = bytes,
    ) -> None:
        """Make requests with this model; `attempt` is to answer with the key of these words.

        `certificate` gives the hash of the server's certificate; no bytes on a plain line.
        """
        self.given = ""
        """Words from the command line or the environment, tried once at each door."""
        self.kept = KeptWords()
        self.where: Address | None = None
        """The server that we are at, if it is one to remember words for."""
        self.challenge: Challenge | None = None
        """The question that stands."""
        self.asking = False
        """Somebody has to type the words."""
        self.busy = False
        """An answer is being made, or is under way."""
        self.word = ""
        """What was wrong with the words that were tried last, in a sentence."""
        self.remember = False
        """Keep the words that open the server."""
        self.offer = ""
        """Words that somebody typed, that opened the server, and that are not kept."""
        self.words_here = ""
        """The words of the table that we are at, as far as we know them: to tell friends."""
        self._model = model
        self._attempt = attempt
        self._certificate = certificate
        self._send = send
        self._then: Join | Watch | None = None
        self._words = ""
        self._tried: set[tuple[int, str]] = set()

    @property
    def for_server(self) -> bool:
        """Whether the words of the server itself are asked for, not those of a table."""
        return self.challenge is not None and self.challenge.table == SERVER

    def begin(self, where: Address | None) -> None:
        """Go to a server; nothing is asked yet."""
        self.close()
        self.where = where
        self.words_here = ""
        self.remember = False
        self.offer = ""
        self._tried.clear()

    def close(self) -> None:
        """Ask nobody any more."""
        self.challenge = self._then = None
        self.asking = self.busy = False
        self.word = self._words = ""

    # What happens -------------------------------------------------------------------------------

    def take(self, happening: h.Happening) -> None:
        """Hear what happened."""
        match happening:
            case h.WordsWanted(challenge):
                first = not self.busy
                self.challenge = challenge
                if first and challenge.table == SERVER:
                    self._open()
            case h.RequestRefused(request=Join() | Watch() as request, reason=Denial.LOCKED):
                self._then = request
                self._open()
            case h.RequestRefused(request=Unlock(), reason=Denial.WRONG_SECRET):
                self.busy = False
                self.word = _("These are not the join words.")
                self._open()
            case h.RequestDone(request=Unlock() as request):
                self._opened(request)
            case h.RequestRefused(request=Unlock()) | h.Welcomed():
                self.close()
            case h.LeftTable():
                self.words_here = ""
            case h.RequestRefused(view=None):
                self.words_here = ""  # we did not come to the table that they are for
            case _:
                pass

    def speaks_of(self, happening: h.Happening) -> bool:
        """Say whether a refusal need not be told: we ask for words, or try those that we have.

        To be asked when it has just come, since words that are right end both.
        """
        match happening:
            case h.RequestRefused(reason=Denial.LOCKED | Denial.WRONG_SECRET):
                return self.asking or self.busy
            case _:
                return False

    def _open(self) -> None:
        """Try what we have, else ask."""
        if self.challenge is None:
            return
        for words in self._known():
            if len(self._tried) >= MOST_UNASKED:
                break
            if (self.challenge.table, words) not in self._tried:
                self._tried.add((self.challenge.table, words))
                self._try(words)
                return
        self.asking = True

    def _known(self) -> list[str]:
        kept = ""
        if self.where is not None and self.for_server:
            kept = self.kept.recall(self.where, self._certificate())
        return [words for words in (self.given, kept) if words]

    def _opened(self, request: Unlock) -> None:
        words, then = self._words, self._then
        if request.table == SERVER and self.asking:
            self.offer = words
            if self.remember:
                self.keep()
        self.close()
        if then is not None and then.table == request.table:
            self.words_here = words
            again = self._model.join if isinstance(then, Join) else self._model.watch
            self._send(again(then.table))

    def keep(self) -> None:
        """Keep the words that are on offer."""
        if self.offer and self.where is not None:
            with suppress(OSError):  # then they are asked for again
                self.kept.keep(self.where, self.offer, self._certificate())
        self.offer = ""

    # What is typed ------------------------------------------------------------------------------

    def type(self, words: str) -> None:
        """Try words that somebody typed; too short ones can be none, and cost no try."""
        if self.challenge is None or self.busy or not plain_words(words):
            return
        self.word = too_short(words)
        if not self.word:
            self._try(words)

    def _try(self, words: str) -> None:
        self.busy = True
        self.word = ""
        self._words = words
        self._attempt(words)

    def answer(self, key: bytes, certificate: bytes) -> Unlock | None:
        """Give the answer to the question that stands, made with the key of the words."""
        asked = self.challenge
        if asked is None:
            return None
        nonce = secrets.token_bytes(SIZE)
        proof = prove(key, asked.table, asked.nonce, nonce, certificate)
        return self._model.unlock(asked.table, nonce, proof)


def key_for(challenge: Challenge, words: str) -> bytes:
    """Make the key of these words for a question; takes a moment by design."""
    return make_key(words, challenge.salt, challenge.cost)


def new_lock(words: str) -> Lock:
    """Make what locks a table with these words; takes a moment by design."""
    salt = secrets.token_bytes(SIZE)
    return Lock(salt=salt, key=make_key(words, salt))


def too_short(words: str) -> str:
    """Say in a sentence why words lock nothing; empty where they do."""
    if len(plain_words(words)) >= LEAST_SIGNS:
        return ""
    return _("Join words have at least {count} letters.").format(count=LEAST_SIGNS)
