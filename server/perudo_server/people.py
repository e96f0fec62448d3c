"""A person (or bot) on this server, as lobby and tables know one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from msgspec import Struct, field

from perudo_protocol.codec import encode
from perudo_protocol.messages import FromServer

from .clock import Timer
from .entries import MOST_ANSWERS
from .locks import Visit

Answer = tuple[str, str]
"""Why a request was refused, and the detail; two empty texts for one that was carried out."""
_DONE: Answer = ("", "")
_NOTHING: Mapping[int, Answer] = {}


class Line(Protocol):
    """What is needed of somebody's connection."""

    visit: Visit

    @property
    def put(self) -> Callable[[bytes], None]:
        """How to put a frame into the outbox; never blocks."""

    def close(self, last: FromServer | None = None) -> None:
        """Close after what was put, and one last message."""


class _NoLine:
    """Stands where the connection is lost: what is said there, nobody hears."""

    def __init__(self) -> None:
        self.visit = Visit()

    def put(self, frame: bytes) -> None:
        pass

    def close(self, last: FromServer | None = None) -> None:
        pass


class Person(Struct, eq=False):
    """Somebody here. Identity is the connection's; nothing on the wire can claim it, but a proof
    of the key whose hash was told in the greeting."""

    number: int
    name: str
    key: str
    """The name's skeleton: no two people here have the same."""
    bot: bool
    address: str
    line: Line
    """The connection; one that nobody hears while it is lost."""
    ours: bool = False
    """A bot of this server's own."""
    table: int = 0
    """The number of the table where this person is; 0 for none."""
    token: bytes = b""
    """The hash of the key by which this person can come back; empty for one who cannot."""
    here: bool = True
    """Whether the connection stands."""
    noted: bool = False
    """Whether the journal knows this person."""
    awaited: Timer | None = None
    """Rings when the place of this person, who is away, is not kept any longer."""
    answers: dict[int, Answer] = field(default_factory=dict)
    """The latest answers by the request's id, the newest last."""
    asked_before: Mapping[int, Answer] = field(default_factory=lambda: _NOTHING)
    """The latest answers that were given on connections before this one."""

    def __repr__(self) -> str:
        """Say who it is, and nothing of the key."""
        return f"Person({self.number}, {self.name!r})"

    @property
    def visit(self) -> Visit:
        """Which doors have opened to this person's connection."""
        return self.line.visit

    def put(self, frame: bytes) -> None:
        """Hand a frame to the person's outbox; never blocks."""
        self.line.put(frame)

    def send(self, message: FromServer) -> None:
        """Tell this person alone."""
        self.put(encode(message))

    def hang_up(self, last: FromServer | None = None) -> None:
        """Close the person's connection after what was put, and one last message."""
        self.line.close(last)

    def go(self) -> None:
        """Lose the connection."""
        kept = self.line.visit
        self.here, self.line = False, _NoLine()
        self.line.visit.let_in |= kept.let_in

    def come(self, line: Line) -> None:
        """Come back on another connection: doors that were open are, answers are known."""
        line.visit.let_in |= self.line.visit.let_in
        self.here, self.line = True, line
        self.asked_before = dict(self.answers)

    def await_no_more(self) -> None:
        """Forget that the place is kept for a while only."""
        if self.awaited is not None:
            self.awaited.cancel()
            self.awaited = None

    def remember(self, number: int, reason: str, detail: str) -> None:
        """Remember the answer to a request; the oldest are forgotten."""
        answers = self.answers
        answers.pop(number, None)  # one that is asked again is the newest
        answers[number] = (reason, detail) if reason else _DONE
        if len(answers) > MOST_ANSWERS:
            del answers[next(iter(answers))]


def nobody_yet() -> Line:
    """Give the line of somebody who has not come back yet."""
    return _NoLine()
