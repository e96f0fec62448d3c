"""What a server says: every message to a client as a typed value.

Unknown fields are passed over, so that a newer server may say more to an older client.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from .from_client import Id, ShortText
from .lock import LEAST_COST, MOST_COST
from .story import AnyEvent, BidPlaced, TurnSet
from .views import (
    Hand,
    Millis,
    PersonNumber,
    Rules,
    Running,
    SeatList,
    SeatNumber,
    Secret,
    SixCounts,
    TableView,
)
from .vocabulary import Bid


class FromServer(Struct, frozen=True, tag_field="type"):
    """A message from the server to a client."""


class Welcome(FromServer, tag="welcome", frozen=True, kw_only=True):
    """The answer to `hello`: the version that both will speak, and who the client is here."""

    version: int
    server: str
    """The program and its version, such as `perudo-server 0.1.0`."""
    name: str
    """What the person who runs this server calls it."""
    person: PersonNumber
    """The client's own number on this server."""
    you: str
    """The client's own name as the server writes it."""
    now: Millis
    join: Annotated[tuple[ShortText, ...], Meta(max_length=32)] = ()
    """Where others reach this server, as `host:port`, the best first."""
    resumed: bool = False
    """The client is who it was: what it had asked for and was not answered may be asked again, with
    the same ids, and is done once."""
    keeps: bool = False
    """What happens here outlasts the server: started again, its tables go on."""


class Nonce(FromServer, tag="nonce", frozen=True, kw_only=True):
    """The answer to `resume`: prove it, bound to this nonce."""

    nonce: Secret


class Notice(FromServer, tag="notice", frozen=True, kw_only=True):
    """The state of the server itself: a word of the list in the document.

    It may come before what was told earlier, since it does not wait for anything.
    """

    notice: str


class TableLine(Struct, frozen=True, kw_only=True):
    """One table in the list."""

    table: PersonNumber
    name: str
    rules: Rules
    """The options that differ from the preset `standard`."""
    people: int
    """Seats taken by people."""
    bots: int
    seats: int
    """The most that may sit."""
    watchers: int
    playing: bool
    locked: bool = False
    """Only who knows its join words may come."""


class Tables(FromServer, tag="tables", frozen=True, kw_only=True):
    """All tables; sent after `welcome`, and whenever they change, to clients at no table."""

    tables: tuple[TableLine, ...]


class View(FromServer, tag="view", frozen=True, kw_only=True):
    """The whole picture of the table, on joining and after an overflow."""

    view: TableView


class Update(FromServer, tag="update", frozen=True, kw_only=True):
    """What happened since the last revision, in order; alike for everybody at the table."""

    rev: Running
    events: tuple[AnyEvent, ...]


class Raised(Struct, frozen=True, array_like=True):
    """A bid and the turn that follows it, in a row."""

    seat: SeatNumber
    quantity: int
    face: int
    turn: SeatNumber
    deadline: Millis
    least: SixCounts
    most: SixCounts
    dudo: SeatList
    spot_on: SeatList


class Brief(FromServer, tag="bid", frozen=True, kw_only=True):
    """An `update` of the two events `bid` and `turn`, which is told more often than all else, in
    three quarters of the bytes. Only the codec knows it: it makes and takes such an `Update`."""

    rev: Running
    by: Raised


def in_brief(update: Update) -> Brief | None:
    """Give the short form of an update that has one."""
    if len(update.events) != 2:
        return None
    bid, turn = update.events
    if not isinstance(bid, BidPlaced) or not isinstance(turn, TurnSet):
        return None
    quantity, face = bid.bid
    by = Raised(
        bid.seat,
        quantity,
        face,
        turn.seat,
        turn.deadline,
        turn.least,
        turn.most,
        turn.dudo,
        turn.spot_on,
    )
    return Brief(rev=update.rev, by=by)


def in_full(brief: Brief) -> Update:
    """Give the update that a short form stands for."""
    by = brief.by
    bid = BidPlaced(by.seat, Bid(by.quantity, by.face))
    turn = TurnSet(by.turn, by.deadline, by.least, by.most, by.dudo, by.spot_on)
    return Update(rev=brief.rev, events=(bid, turn))


class OwnHand(FromServer, tag="hand", frozen=True, kw_only=True):
    """A player's own dice of this round; follows the update that deals it."""

    round: Running
    dice: Hand
    seed: Annotated[bytes, Meta(max_length=32)] = b""
    """The seed from which they follow."""

    def __repr__(self) -> str:
        """Say how many dice, never which, so that no log can tell them."""
        return f"OwnHand(round={self.round}, dice=<{len(self.dice)}>)"


class Challenge(FromServer, tag="challenge", frozen=True, kw_only=True):
    """Words are needed to go on: for the server itself (table 0), or for this table.

    The answer is `unlock`; `lock` says how its proof is made. A nonce is good for one answer.
    """

    table: PersonNumber
    salt: Secret
    nonce: Secret
    cost: Annotated[int, Meta(ge=LEAST_COST, le=MOST_COST)]
    """The work of making the key: scrypt with n = 2 to this power, r = 8, p = 1."""


class Said(FromServer, tag="said", frozen=True, kw_only=True):
    """Somebody said something at the table."""

    person: PersonNumber
    name: str
    text: str = ""
    phrase: str = ""


class Away(FromServer, tag="away", frozen=True, kw_only=True):
    """The client is at no table any more, and why: a word of the list in the document."""

    reason: str


class Done(FromServer, tag="done", frozen=True, kw_only=True):
    """A request was carried out."""

    re: Id


class Refused(FromServer, tag="refused", frozen=True, kw_only=True):
    """A request was refused, with a reason word; nothing has changed."""

    re: Id
    reason: str
    detail: str = ""
    """What would be right, in English, where the word alone does not say it."""


class Error(FromServer, tag="error", frozen=True, kw_only=True):
    """Something is wrong with the connection itself; the server closes it after most of them."""

    error: str
    detail: str
    versions: tuple[int, ...] = ()
    """The versions that the server speaks, when that is what is wrong."""


class Ping(FromServer, tag="ping", frozen=True, kw_only=True):
    """Is anybody there? The client answers `pong` with the same number at once."""

    now: Millis


class Redirect(FromServer, tag="redirect", frozen=True, kw_only=True):
    """Come back at another address, as who one is; the server closes the connection after it.

    Said to a client that the server knows, or in answer to `resume`. `elsewhere` says where a
    client lets itself be sent.
    """

    place: ShortText
    """An address in numbers with its port."""
    pin: ShortText = ""
    """What the certificate there is known by; empty for a plain line."""


class Bye(FromServer, tag="bye", frozen=True, kw_only=True):
    """The server closes the connection, and why: a word of the list in the document."""

    reason: str
