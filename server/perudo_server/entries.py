"""What the journal keeps: everything that happened, as typed entries, so that a restart is a fold.

Entries stand in streams: 0 for the house (who is here, what was answered), a table's number for
the table. They hold dice, seeds and the hashes of keys, and never leave the server. An entry is a
msgpack array whose first element is its word; fields may be added at the end, with a default, and
nothing else is ever changed: `tests/server/journals/` holds journals of every version there was.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from perudo_protocol.vocabulary import Player

HOUSE = 0
"""The stream of the house."""


class Entry(Struct, frozen=True, array_like=True):
    """One thing that happened."""

    def __repr__(self) -> str:
        """Say what kind it is, never what is in it: it may be dice."""
        return f"{type(self).__name__}(...)"


class Came(Entry, tag="came", frozen=True):
    """Somebody was greeted, or a bot of the house came; `key` is the hash of a client's key."""

    person: int
    name: str
    address: str
    bot: bool
    ours: bool
    key: bytes


class Gone(Entry, tag="gone", frozen=True):
    """Somebody cannot come back any more."""

    person: int


MOST_ANSWERS = 64
"""So many answers are remembered for somebody who comes back and asks again."""


class Answered(Entry, tag="answer", frozen=True):
    """A request was answered: done (no reason), or refused."""

    person: int
    id: int
    reason: str
    detail: str


class Leased(Entry, tag="leased", frozen=True):
    """From here on this stream is written under the lease with this fencing number.

    In the house's stream each start of a server is one, for all tables. One in a table's stream is
    for that table alone, for the day when tables move between machines. Each number is higher than
    the one before it in its stream: else somebody wrote whose lease was over.
    """

    number: int
    by: str = ""
    """Which machine, where there are several."""


class Counted(Entry, tag="counted", frozen=True):
    """The highest numbers that were ever given: entries that told of them may be gone."""

    person: int
    table: int
    game: int


class Opened(Entry, tag="opened", frozen=True):
    """A table was opened; `salt` and `key` are those of its lock, empty without one."""

    name: str
    rules: dict[str, bool | int | str]
    address: str
    salt: bytes
    key: bytes


class SeatKept(Struct, frozen=True, array_like=True):
    """One seat in a `Roster`."""

    name: str
    player: Player
    person: int
    """0 for nobody."""
    owner: int
    """Who may take the seat back; 0 for nobody."""
    away: float
    """Until when it waits for its player; 0 when nobody is awaited."""
    time_outs: int
    more_time: bool
    ready: bool = False


class WatcherKept(Struct, frozen=True, array_like=True):
    """Somebody without a seat in a `Roster`."""

    person: int
    waiting: bool


class Roster(Entry, tag="roster", frozen=True):
    """Who is at the table now, all afresh."""

    host: int
    seats: tuple[SeatKept, ...]
    watchers: tuple[WatcherKept, ...]
    banned: tuple[str, ...]
    unlocked: tuple[int, ...] = ()


class Ready(Entry, tag="ready", frozen=True):
    """A seat is ready, or is not any more."""

    seat: int
    ready: bool


class Began(Entry, tag="began", frozen=True):
    """A game began, with this number and this id in the hashes of its dice."""

    game: int
    proof: str
    seats: int


class Ruled(Entry, tag="rule", frozen=True):
    """An event of the rules: its word and its fields in order; see `ruled`."""

    event: str
    values: tuple[Any, ...]
    deadline: float = 0.0
    """The end of the turn that it begins, where that alone has changed of the times; else 0."""


class Drawn(Entry, tag="drawn", frozen=True):
    """A draw of dice, or another attempt, began: the server's seeds and what was promised."""

    attempt: int
    seeds: tuple[bytes, ...]
    promises: tuple[bytes, ...]
    left_out: tuple[int, ...]


class Promised(Entry, tag="promised", frozen=True):
    """A seat promised entropy for the next draw; empty: its promise holds no more."""

    seat: int
    promise: bytes


class Shared(Entry, tag="shared", frozen=True):
    """A seat's promised entropy came."""

    seat: int
    entropy: bytes


class Timed(Entry, tag="timed", frozen=True):
    """What the game waits for by the clock: the turn's end, the next round, the end of a pause.

    `turn_left` and `resume_left` are the seconds that were left when the host paused the game.
    """

    deadline: float
    resume: float
    paused: float
    turn_left: float
    resume_left: float
    pause_left: float = -1.0
    """The seconds that the game may still be paused for; less than 0: as the server is set."""


class Over(Entry, tag="over", frozen=True):
    """The last game's picture was put away: another one can begin."""


class Closed(Entry, tag="closed", frozen=True):
    """The table closed."""


AnyEntry = (
    Came
    | Gone
    | Answered
    | Leased
    | Counted
    | Opened
    | Roster
    | Ready
    | Began
    | Ruled
    | Drawn
    | Promised
    | Shared
    | Timed
    | Over
    | Closed
)


class SeatPlayed(Struct, frozen=True, array_like=True):
    """Who played in one seat of a game that is over."""

    name: str
    player: Player


class Result(Struct, frozen=True, array_like=True):
    """What is kept of a finished game when its entries are gone."""

    table: int
    name: str
    """The table's."""
    game: int
    rounds: int
    winner: int
    """The seat that won."""
    seats: tuple[SeatPlayed, ...]


_encoder = msgspec.msgpack.Encoder()
_decoder: msgspec.msgpack.Decoder[AnyEntry] = msgspec.msgpack.Decoder(AnyEntry)
_results = msgspec.msgpack.Decoder(Result)


class UnreadableEntry(ValueError):
    """The bytes are no entry that this version knows."""


def encode(entry: AnyEntry) -> bytes:
    """Give an entry's bytes."""
    return _encoder.encode(entry)


def decode(body: bytes) -> AnyEntry:
    """Read an entry; raises `UnreadableEntry`, whatever the bytes."""
    try:
        return _decoder.decode(body)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as wrong:
        raise UnreadableEntry(str(wrong)) from None


def encode_result(result: Result) -> bytes:
    """Give a result's bytes."""
    return _encoder.encode(result)


def decode_result(body: bytes) -> Result:
    """Read a result; raises `UnreadableEntry`, whatever the bytes."""
    try:
        return _results.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError) as wrong:
        raise UnreadableEntry(str(wrong)) from None
