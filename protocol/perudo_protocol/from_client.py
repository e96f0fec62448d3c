"""What a client says: every message to the server as a typed value.

Unknown fields are refused.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from .views import Millis, PersonNumber, SeatNumber, Secret

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
