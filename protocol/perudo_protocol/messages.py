"""Every message of the wire as a typed value; one union for each direction.

On the wire a message is one msgpack map whose key `type` holds its word. `protocol/README.md`
documents each one. Unknown fields from a client are refused, unknown fields from a server are
passed over, so that a newer server may say more to an older client.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

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

Id = Annotated[int, Meta(ge=0, le=2**53)]
"""A client's own number of a request; the answer carries it back as `re`."""
Text = Annotated[str, Meta(max_length=400)]
ShortText = Annotated[str, Meta(max_length=64)]
NameText = Annotated[str, Meta(max_length=400)]
"""A name as sent; the server judges it and answers in words."""


class FromClient(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """A message from a client to the server."""


class Request(FromClient, frozen=True, kw_only=True):
    """A message that the server answers with `done` or `refused`."""

    id: Id


class Act(Request, frozen=True, kw_only=True):
    """A move in a game: names the game, the round and the number of the bid it answers (D34)."""

    game: Id
    round: Id
    number: Id
    """How many bids stand on the ladder that this act answers; 0 for an opening bid."""


class Hello(FromClient, tag="hello", frozen=True, kw_only=True):
    """The first message: who is calling, and which versions of the protocol it speaks."""

    versions: Annotated[tuple[int, ...], Meta(min_length=1, max_length=16)]
    client: ShortText
    name: NameText
    bot: bool = False
    """Says honestly that no person plays here."""
    key: Annotated[bytes, Meta(max_length=32)] = b""
    """The SHA-256 of a secret key of 32 bytes by which the client can come back (see `returning`);
    empty: a lost connection counts as leaving."""


class Resume(FromClient, tag="resume", frozen=True, kw_only=True):
    """Instead of `hello`: come back as who one was, after a lost connection or in a new program."""

    versions: Annotated[tuple[int, ...], Meta(min_length=1, max_length=16)]
    client: ShortText
    person: PersonNumber
    """The number of the client's `welcome`."""
    nonce: Secret
    """Drawn by the client for this time."""


class Prove(FromClient, tag="prove", frozen=True, kw_only=True):
    """The answer to `nonce`: a proof of having the key, which itself is never sent."""

    proof: Secret

    def __repr__(self) -> str:
        """Say nothing, so that no log can tell the proof."""
        return "Prove(...)"


class Lock(Struct, frozen=True, forbid_unknown_fields=True):
    """What locks a table: the join words' key, which tells nobody the words (see `lock`)."""

    salt: Secret
    key: Secret

    def __repr__(self) -> str:
        """Say nothing, so that no log can tell the key."""
        return "Lock(...)"


class Make(Request, tag="make", frozen=True, kw_only=True):
    """Open a table and take its first seat."""

    name: NameText
    preset: ShortText = "standard"
    options: dict[ShortText, bool | int | ShortText] = {}
    lock: Lock | None = None
    """Keeps out whoever does not know the join words."""


class Join(Request, tag="join", frozen=True, kw_only=True):
    """Go to a table: take a seat, or watch until the next game if one is on (D35)."""

    table: Id


class Watch(Request, tag="watch", frozen=True, kw_only=True):
    """Go to a table to watch."""

    table: Id


class Leave(Request, tag="leave", frozen=True, kw_only=True):
    """Leave the table for good."""


class SetReady(Request, tag="ready", frozen=True, kw_only=True):
    """Be ready for the start, for the next round, or for a rematch; names the round it means."""

    game: Id
    round: Id
    ready: bool = True


class Start(Request, tag="start", frozen=True, kw_only=True):
    """Start the first game at this table; the host's."""


class Rematch(Request, tag="rematch", frozen=True, kw_only=True):
    """Start another game with the same seats and options (D42); the host's."""


class AddBot(Request, tag="add_bot", frozen=True, kw_only=True):
    """Seat a bot; the host's, between games."""


class RemoveBot(Request, tag="remove_bot", frozen=True, kw_only=True):
    """Take a bot from its seat; the host's, between games."""

    seat: SeatNumber


class Kick(Request, tag="kick", frozen=True, kw_only=True):
    """Send a person away from the table; the host's."""

    person: PersonNumber


class HandOver(Request, tag="hand_over", frozen=True, kw_only=True):
    """Make another person the host; the host's."""

    person: PersonNumber


class Unlock(Request, tag="unlock", frozen=True, kw_only=True):
    """Answer a `challenge` with a proof of knowing the join words of a table, or of the server.

    For the server (table 0) it is the one request before `welcome`, which then follows.
    """

    table: Id
    nonce: Secret
    """Drawn by the client for this answer."""
    proof: Secret


class Back(Request, tag="back", frozen=True, kw_only=True):
    """Take one's own seat back from the bot that plays on in it."""


class MoreTime(Request, tag="more_time", frozen=True, kw_only=True):
    """Have the present turn, one's own, last as long again; once a game."""

    game: Id


class Pause(Request, tag="pause", frozen=True, kw_only=True):
    """Stop the clocks of the table for a while, or let them go on; the host's."""

    on: bool


class Say(Request, tag="say", frozen=True, kw_only=True):
    """Say something at the table: free text, or one of the quick phrases by its word."""

    text: Text = ""
    phrase: ShortText = ""


class PlaceBid(Act, tag="bid", frozen=True, kw_only=True):
    """Open the round, or raise."""

    quantity: int
    face: int


class Dudo(Act, tag="dudo", frozen=True, kw_only=True):
    """Doubt the standing bid."""


class SpotOn(Act, tag="spot_on", frozen=True, kw_only=True):
    """Claim that the standing bid is exactly right."""


class Promise(FromClient, tag="promise", frozen=True, kw_only=True):
    """Take part in the coming draws of dice: the hash of entropy to be opened at the next one.

    Sent at the start of a game, and on coming back into one; further ones come with `entropy`.
    """

    game: Id
    promise: Secret


class Entropy(FromClient, tag="entropy", frozen=True, kw_only=True):
    """Open the promised entropy, once the server has committed itself, and promise the next."""

    game: Id
    round: Id
    attempt: Id
    entropy: Secret
    promise: Secret

    def __repr__(self) -> str:
        """Say which draw is meant, never the entropy, so that no log can tell it."""
        return f"Entropy(game={self.game}, round={self.round}, attempt={self.attempt})"


class Pong(FromClient, tag="pong", frozen=True, kw_only=True):
    """The answer to a server's `ping`."""

    now: Millis


ClientMessage = (
    Hello
    | Resume
    | Prove
    | Back
    | MoreTime
    | Pause
    | Make
    | Join
    | Watch
    | Leave
    | SetReady
    | Start
    | Rematch
    | AddBot
    | RemoveBot
    | Kick
    | HandOver
    | Say
    | PlaceBid
    | Dudo
    | SpotOn
    | Unlock
    | Promise
    | Entropy
    | Pong
)


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
    match update.events:
        case (BidPlaced(seat, (quantity, face)), TurnSet() as turn):
            rest = (turn.seat, turn.deadline, turn.least, turn.most, turn.dudo, turn.spot_on)
            return Brief(rev=update.rev, by=Raised(seat, quantity, face, *rest))
        case _:
            return None


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


ServerMessage = (
    Welcome
    | Nonce
    | Notice
    | Challenge
    | Tables
    | View
    | Update
    | OwnHand
    | Said
    | Away
    | Done
    | Refused
    | Error
    | Ping
    | Redirect
    | Bye
)

AsSent = ServerMessage | Brief
"""What a server sends, before the codec has made updates of their short form."""
