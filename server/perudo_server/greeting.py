"""How a connection begins: hello, or coming back, and the join words of a locked server.

    hello --(no lock)--------------------------> greeted        bad_name, name_taken: hello again
      '---(locked)--> challenge --(unlock)-----> greeted        wrong words: another challenge
    resume --> nonce --(prove)-----------------> greeted        bad_proof: hello may follow

Everything else before the greeting ends the connection.
"""

from __future__ import annotations

import secrets
from logging import Logger
from typing import Protocol

from perudo_protocol.messages import (
    Challenge,
    ClientMessage,
    Done,
    Error,
    FromServer,
    Hello,
    Nonce,
    Prove,
    Refused,
    Resume,
    Unlock,
)
from perudo_protocol.returning import SIZE
from perudo_protocol.version import VERSIONS, common
from perudo_protocol.words import Denial, ErrorWord

from .locks import Visit
from .log import event

_ANOTHER_NAME = (ErrorWord.BAD_NAME, ErrorWord.NAME_TAKEN)
"""After these the client may greet once more, with another name."""
_TRIES = 10
"""So many names, or proofs, a client may try."""
_NOBODY = "nobody is waited for as this one"


class Door(Protocol):
    """What is needed of the connection."""

    number: int
    visit: Visit

    @property
    def is_new(self) -> bool:
        """Say whether nobody has been let in yet."""

    @property
    def ours(self) -> bool:
        """Say whether a bot of the house is at the other end."""

    def say(self, message: FromServer) -> None:
        """Tell the other side."""

    def fail(self, word: str, detail: str, versions: tuple[int, ...] = ()) -> None:
        """Say what is wrong, and close."""

    def ask(self, question: Challenge | Error) -> None:
        """Ask for a name or words, with time to type them, or close where too many are asked."""

    def greet(self, hello: Hello) -> tuple[ErrorWord, str] | None:
        """Be let in under a name, or hear why not."""

    def resume(self, asked: Resume, nonce: bytes, proof: bytes) -> bool:
        """Come back, if the proof is right."""


class Locks(Protocol):
    """What is needed of the house."""

    log: Logger

    def challenge(self, visit: Visit) -> Challenge | None:
        """Give the question for the server's join words; nothing where none are needed."""

    def unlock(self, visit: Visit, answer: Unlock) -> Denial | None:
        """Judge the answer to it."""


class Greeting:
    """Where one connection stands before anybody is let in by it."""

    __slots__ = ("_door", "_hello", "_locks", "_returning", "_tries")

    def __init__(self, door: Door, locks: Locks) -> None:
        """Wait for the first message."""
        self._door = door
        self._locks = locks
        self._tries = 0
        self._hello: Hello | None = None
        """A greeting that waits for the join words."""
        self._returning: tuple[Resume, bytes] | None = None
        """Who wants to come back, and the nonce that was sent for it."""

    def hear(self, message: ClientMessage) -> bool:
        """Take a message, if it belongs here."""
        match message:
            case Hello():
                self._greet(message)
            case Resume():
                self._resume(message)
            case Prove() if self._returning is not None and self._door.is_new:
                self._prove(message, *self._returning)
            case Unlock() if self._hello is not None:
                self._unlock(message, self._hello)
            case _:
                return False
        return True

    def _greet(self, hello: Hello) -> None:
        self._returning = None
        if not self._door.is_new or self._hello is not None:
            self._door.fail(ErrorWord.NOT_GREETED, "hello is said once")
            return
        if not self._door.ours and common(hello.versions) is not None:
            if (challenge := self._locks.challenge(self._door.visit)) is not None:
                self._hello = hello
                self._door.ask(challenge)
                return
        failure = self._door.greet(hello)
        if failure is None:
            return
        word, detail = failure
        self._tries += 1
        if word in _ANOTHER_NAME and self._tries < _TRIES:
            self._door.ask(Error(error=word, detail=detail))
        else:
            self._door.fail(word, detail, VERSIONS if word == ErrorWord.VERSION else ())

    def _resume(self, resume: Resume) -> None:
        if not self._door.is_new or self._hello is not None:
            self._door.fail(ErrorWord.NOT_GREETED, "resume is said instead of hello, once")
        elif common(resume.versions) is None:
            self._door.fail(ErrorWord.VERSION, skew(resume.versions), VERSIONS)
        else:
            nonce = secrets.token_bytes(SIZE)
            self._returning = resume, nonce
            self._door.say(Nonce(nonce=nonce))

    def _prove(self, answer: Prove, resume: Resume, nonce: bytes) -> None:
        """Let somebody come back, or leave time for a greeting; a nonce is good for one answer."""
        self._returning = None
        if self._door.resume(resume, nonce, answer.proof):
            return
        event(self._locks.log, "bad_proof", session=self._door.number)
        self._tries += 1
        if self._tries < _TRIES:
            self._door.ask(Error(error=ErrorWord.BAD_PROOF, detail=_NOBODY))
        else:
            self._door.fail(ErrorWord.BAD_PROOF, _NOBODY)

    def _unlock(self, answer: Unlock, hello: Hello) -> None:
        """Go on with the greeting that waits, or ask again."""
        no = self._locks.unlock(self._door.visit, answer)
        event(self._locks.log, "unlock", session=self._door.number, refused=no)
        if no is None:
            self._hello = None
            self._door.say(Done(re=answer.id))
            self._greet(hello)
        elif no is Denial.TOO_MANY_TRIES:
            self._door.fail(ErrorWord.TOO_MANY_TRIES, "too many wrong join words; wait a minute")
        elif (challenge := self._locks.challenge(self._door.visit)) is not None:
            self._door.ask(challenge)
            self._door.say(Refused(re=answer.id, reason=no))


def skew(versions: tuple[int, ...]) -> str:
    """Say which side is older, when no version is common."""
    ours = ", ".join(map(str, VERSIONS))
    theirs = ", ".join(map(str, versions))
    older = "client" if max(versions) < max(VERSIONS) else "server"
    return (
        f"this server speaks version {ours} of the protocol, the client {theirs};"
        f" update the {older} to play together"
    )
