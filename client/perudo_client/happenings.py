"""What came of a server's message, as values that a screen can react to and `story_words` can word.

Each one that happens at a table holds the view right after it, so that names and numbers can be
worded later as they were then.
"""

from __future__ import annotations

from msgspec import Struct

from perudo_protocol.messages import Challenge, Redirect, Request, Welcome
from perudo_protocol.views import NOBODY, Hand, Placed, SeatView, TableView

from .findings import Finding


class Welcomed(Struct, frozen=True):
    """The server has greeted us."""

    welcome: Welcome


class TablesChanged(Struct, frozen=True):
    """The list of tables is here, or has changed."""


class Arrived(Struct, frozen=True):
    """The whole picture of a table came: on joining, or afresh after a slow spell."""

    view: TableView
    again: bool = False
    """We were at this table already."""


class LeftTable(Struct, frozen=True):
    """We are at no table any more; the reason is an `AwayReason` word."""

    reason: str
    view: TableView | None
    """The table as it was when we left."""


class AtTable(Struct, frozen=True):
    """Something at the table; `view` is the table right after it."""

    view: TableView


class PeopleChanged(AtTable, frozen=True):
    """Somebody came, went, took a seat or became the host."""

    before: TableView
    sent_away: int = NOBODY
    """Whom the host has just sent away."""
    untold: frozenset[str] = frozenset()
    """Whose seats were away before without anybody having been told, while we were cut off."""


class ReadyChanged(AtTable, frozen=True):
    """A seat is ready, or not any more."""

    seat: int
    ready: bool


class GameStarted(AtTable, frozen=True):
    """A game begins."""


class ThrownForStart(AtTable, frozen=True):
    """The dice for who begins were thrown; the last of `view.throws`."""


class NextOpener(AtTable, frozen=True):
    """It is known who opens the coming round: `view.next`."""


class NewRound(AtTable, frozen=True):
    """A round begins: everybody has thrown in secret."""


class HandDealt(AtTable, frozen=True):
    """Our own dice of this round are known."""

    hand: Hand


class TurnPassed(AtTable, frozen=True):
    """It is another seat's turn."""

    seat: int


class YourTurn(AtTable, frozen=True):
    """It is our turn."""


class BidMade(AtTable, frozen=True):
    """A seat bid."""

    placed: Placed


class TimeUp(AtTable, frozen=True):
    """A seat's time ran out; what it does by rule follows."""

    seat: int


class MoreTimeTaken(AtTable, frozen=True):
    """A seat takes its more time."""

    seat: int


class PauseChanged(AtTable, frozen=True):
    """The host has paused the game, or lets it go on: `view.paused`."""


class Revealed(AtTable, frozen=True):
    """A call, all dice open, dice lost and gained: `view.reveal`."""


class DiceMoved(AtTable, frozen=True):
    """A die was lost or gained apart from a reveal's own message."""

    seat: int
    gained: bool


class SeatGivenUp(AtTable, frozen=True):
    """A player left in mid-game; `was` is the seat as it was."""

    seat: int
    was: SeatView


class DiceGone(AtTable, frozen=True):
    """The dice of a seat that was given up went out."""

    seat: int


class WentOutOfGame(AtTable, frozen=True):
    """A seat is out of the game, in this place."""

    seat: int
    place: int


class GameOver(AtTable, frozen=True):
    """The game is over: `view.winner`, `view.tallies`."""


class DiceProven(AtTable, frozen=True):
    """What the check of the dice has found; a `Fault` stops the game for us."""

    finding: Finding


class ChatSaid(Struct, frozen=True):
    """Somebody said something: free text, or a quick phrase by its word."""

    person: int
    name: str
    text: str
    phrase: str
    mine: bool


class RequestDone(Struct, frozen=True):
    """What we asked for was carried out."""

    request: Request | None


class RequestRefused(Struct, frozen=True):
    """What we asked for was refused: a `Refusal` or `Denial` word; nothing has changed."""

    request: Request | None
    reason: str
    detail: str
    view: TableView | None


class ErrorHappened(Struct, frozen=True):
    """The server says that something is wrong with the connection: an `ErrorWord`."""

    error: str
    detail: str
    versions: tuple[int, ...]


class ServerBye(Struct, frozen=True):
    """The server closes the connection: a `ByeReason` word."""

    reason: str


class SentOn(Struct, frozen=True):
    """The server sends us on to another address."""

    redirect: Redirect


class StorageChanged(Struct, frozen=True):
    """The server cannot write down what happens any more, or can again."""

    full: bool


class CameBack(Struct, frozen=True):
    """The connection was lost for so many seconds, and we are who we were."""

    seconds: float
    bot_played: bool = False
    """A bot has played for us meanwhile."""


class NotWaitedFor(Struct, frozen=True):
    """The connection was lost, and what we had is gone: we come as somebody new."""

    seated: bool
    """We had a seat."""


class WordsWanted(Struct, frozen=True):
    """Join words are needed to go on, for the server or for one of its tables."""

    challenge: Challenge


Happening = (
    Welcomed
    | WordsWanted
    | TablesChanged
    | Arrived
    | LeftTable
    | PeopleChanged
    | ReadyChanged
    | GameStarted
    | ThrownForStart
    | NextOpener
    | NewRound
    | HandDealt
    | TurnPassed
    | YourTurn
    | BidMade
    | TimeUp
    | MoreTimeTaken
    | PauseChanged
    | Revealed
    | DiceMoved
    | SeatGivenUp
    | DiceGone
    | WentOutOfGame
    | GameOver
    | DiceProven
    | ChatSaid
    | RequestDone
    | RequestRefused
    | ErrorHappened
    | ServerBye
    | SentOn
    | StorageChanged
    | CameBack
    | NotWaitedFor
)
"""Everything that can come of a message."""
