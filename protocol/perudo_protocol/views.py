"""What a viewer may see of a table.

A `TableView` is the whole picture for one viewer: public facts, and the viewer's own dice.
The server sends it once, on joining; what happens afterwards is told in events (`story`).
Nobody else's dice are in a view before the call.

Times are milliseconds of the server's clock (`welcome` and each `ping` tell its present value).
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from .vocabulary import MAX_SEATS, NO_OPTIONS, NO_SEAT, Bid, Call, Options, Phase, Player

SeatNumber = Annotated[int, Meta(ge=0, lt=MAX_SEATS)]
FaceNumber = Annotated[int, Meta(ge=1, le=6)]
Count = Annotated[int, Meta(ge=0, le=60)]
"""A number of dice: ten seats of six."""
Millis = Annotated[int, Meta(ge=0, le=2**53)]
Running = Annotated[int, Meta(ge=0, le=2**53)]
"""A number that counts games, rounds, attempts or revisions."""
SixCounts = Annotated[tuple[Count, ...], Meta(min_length=6, max_length=6)]
SeatList = Annotated[tuple[SeatNumber, ...], Meta(max_length=MAX_SEATS)]
Hand = Annotated[tuple[FaceNumber, ...], Meta(max_length=6)]
Secret = Annotated[bytes, Meta(min_length=32, max_length=32)]
"""A hash, a seed, a key or a nonce: 32 bytes."""
PerSeat = Annotated[tuple[Annotated[bytes, Meta(max_length=32)], ...], Meta(max_length=MAX_SEATS)]
"""One of them for each seat, empty where a seat has none."""
PersonNumber = Annotated[int, Meta(ge=0, le=2**53)]
Rules = dict[str, bool | int | str]
"""A table's options by name."""
NOBODY = 0
"""Stands where a person's number is expected and there is no person."""


class Person(Struct, frozen=True):
    """Somebody at the table without a seat."""

    person: PersonNumber
    name: str
    waiting: bool = False
    """Takes a seat in the next game (D35)."""


class SeatView(Struct, frozen=True):
    """One seat, as everybody sees it."""

    name: str
    player: Player
    person: PersonNumber = NOBODY
    """Who sits here; 0 when the person has gone."""
    dice: Count = 0
    """How many dice this seat has."""
    ready: bool = False
    place: Annotated[int, Meta(ge=0, le=MAX_SEATS)] = 0
    """The place in which this seat finished; 0 while it has not."""
    away: Millis = 0
    """Until when the seat waits for its player, who is away; 0 when the player is there."""
    more_time: bool = False
    """Its player may ask for more time, once in this game."""


class Turn(Struct, frozen=True, array_like=True):
    """Whose turn it is, until when, and what may be done: `Options` for all seats in one."""

    seat: SeatNumber
    deadline: Millis
    """When time is up; 0 without a clock."""
    least: SixCounts
    most: SixCounts
    dudo: SeatList
    """The seats that may doubt now."""
    spot_on: SeatList
    """The seats that may claim spot-on now."""


class Next(Struct, frozen=True, array_like=True):
    """What comes after the reveal, or after the throw for the start."""

    opener: SeatNumber
    palifico: bool


class Placed(Struct, frozen=True, array_like=True):
    """A rung of the ladder: who bid what."""

    seat: SeatNumber
    bid: Bid


class Throw(Struct, frozen=True, array_like=True):
    """One seat's die in the throw for the start."""

    seat: SeatNumber
    face: FaceNumber


class Reveal(Struct, frozen=True):
    """A call and all that it uncovered."""

    caller: SeatNumber
    call: Call
    bidder: SeatNumber
    bid: Bid
    count: Count
    """How many dice matched the bid."""
    right: bool
    """Whether the caller was right."""
    cups: tuple[Hand, ...]
    """All dice of the round, one hand a seat, empty for seats without dice."""
    palifico: bool
    lost: SeatList = ()
    gained: SeatList = ()
    seeds: PerSeat = ()
    """The seed of each seat whose dice are shown; see `fairness`."""


class Proof(Struct, frozen=True):
    """What everybody knows of the present draw of dice, for `fairness` to be checked with.

    The lists have one place a seat, empty where a seat has none.
    """

    game: Annotated[str, Meta(max_length=32)] = ""
    """The game's id in all hashes."""
    chain: Annotated[bytes, Meta(max_length=32)] = b""
    """The link of the last round that has ended."""
    round: Running = 0
    """The round of this draw."""
    attempt: Running = 0
    commitments: PerSeat = ()
    """One for each seat with dice."""
    promises: PerSeat = ()
    """One for each seat that takes part with entropy."""
    entropies: PerSeat = ()
    """All promised entropy, opened together; none while it is awaited."""
    left_out: SeatList = ()
    """Seats whose entropy did not come, by which this attempt became necessary."""


class Tally(Struct, frozen=True, array_like=True):
    """What one seat did in a game, counted over the rounds that were revealed."""

    bids: int
    lies: int
    """Bids that were false."""
    caught: int
    """Lies that were called."""
    calls: int
    right: int
    """Calls that were right."""


class TableView(Struct, frozen=True):
    """The whole picture of a table for one viewer."""

    table: PersonNumber
    name: str
    rules: Rules
    """All options by name; see `ruleset`."""
    rev: Running
    """The revision: rises by one with each update."""
    host: PersonNumber
    seats: Annotated[tuple[SeatView, ...], Meta(max_length=MAX_SEATS)]
    watchers: tuple[Person, ...] = ()
    phase: Phase = Phase.LOBBY
    game: Running = 0
    """Counts the games of this server; 0 before the first at this table."""
    round: Running = 0
    """Counts the rounds of the game from 1; 0 before the first."""
    opener: int = NO_SEAT
    palifico: bool = False
    ladder: tuple[Placed, ...] = ()
    """The bids of this round; it stays to be seen until the next deal."""
    turn: Turn | None = None
    throws: tuple[tuple[Throw, ...], ...] = ()
    """The throws for the start; more than one when the highest were tied."""
    reveal: Reveal | None = None
    next: Next | None = None
    resume: Millis = 0
    """When the next round begins by itself; 0 where nothing is awaited."""
    paused: Millis = 0
    """When the game, which the host has paused, goes on by itself; 0 when it is not paused."""
    winner: int = NO_SEAT
    tallies: tuple[Tally, ...] = ()
    """One a seat, once the game is over."""
    you: PersonNumber = NOBODY
    """The viewer's own number."""
    hand: Hand = ()
    """The viewer's own dice, empty without any."""
    seed: Annotated[bytes, Meta(max_length=32)] = b""
    """The seed of the viewer's own dice, empty without any."""
    proof: Proof = Proof()

    def __repr__(self) -> str:
        """Say everything but the viewer's own dice and seed, so that no log can tell them."""
        own = ("hand", "seed")
        known = ((name, getattr(self, name)) for name in self.__struct_fields__ if name not in own)
        fields = ", ".join(f"{name}={value!r}" for name, value in known)
        return f"TableView({fields}, hand=<{len(self.hand)}>)"

    @property
    def my_seat(self) -> int:
        """The viewer's own seat, or `NO_SEAT` for one who watches."""
        for number, seat in enumerate(self.seats):
            if seat.person == self.you and self.you != NOBODY:
                return number
        return NO_SEAT

    @property
    def dice_in_play(self) -> int:
        """How many dice lie under all cups together."""
        return sum(seat.dice for seat in self.seats)

    @property
    def standing(self) -> Placed | None:
        """The bid that stands, or `None` before the opening."""
        return self.ladder[-1] if self.ladder else None

    def options_for(self, seat: int) -> Options:
        """Give what this seat may do now, as the server said."""
        if self.turn is None or seat == NO_SEAT:
            return NO_OPTIONS
        turn = self.turn
        mine = seat == turn.seat
        return Options(
            turn.least if mine else NO_OPTIONS.least,
            turn.most if mine else NO_OPTIONS.most,
            seat in turn.dudo,
            seat in turn.spot_on,
        )
