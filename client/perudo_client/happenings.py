"""What came of a server's message, as values that a screen can react to and `words` can word.

Each one that happens at a table holds the view right after it, so that names and numbers can be
worded later as they were then.
"""

from __future__ import annotations

from dataclasses import dataclass

from perudo_protocol.messages import Challenge, Redirect, Request, Welcome
from perudo_protocol.views import NOBODY, Hand, Placed, SeatView, TableView

from .checking import Finding


@dataclass(frozen=True, slots=True)
class Welcomed:
    """The server has greeted us."""

    welcome: Welcome


@dataclass(frozen=True, slots=True)
class TablesChanged:
    """The list of tables is here, or has changed."""


@dataclass(frozen=True, slots=True)
class Arrived:
    """The whole picture of a table came: on joining, or afresh after a slow spell."""

    view: TableView
    again: bool = False
    """We were at this table already."""


@dataclass(frozen=True, slots=True)
class LeftTable:
    """We are at no table any more; the reason is an `AwayReason` word."""

    reason: str
    view: TableView | None
    """The table as it was when we left."""


@dataclass(frozen=True, slots=True)
class AtTable:
    """Something at the table; `view` is the table right after it."""

    view: TableView


@dataclass(frozen=True, slots=True)
class PeopleChanged(AtTable):
    """Somebody came, went, took a seat or became the host."""

    before: TableView
    sent_away: int = NOBODY
    """Whom the host has just sent away."""


@dataclass(frozen=True, slots=True)
class ReadyChanged(AtTable):
    """A seat is ready, or not any more."""

    seat: int
    ready: bool


@dataclass(frozen=True, slots=True)
class GameStarted(AtTable):
    """A game begins."""


@dataclass(frozen=True, slots=True)
class ThrownForStart(AtTable):
    """The dice for who begins were thrown; the last of `view.throws`."""


@dataclass(frozen=True, slots=True)
class NextOpener(AtTable):
    """It is known who opens the coming round: `view.next`."""


@dataclass(frozen=True, slots=True)
class NewRound(AtTable):
    """A round begins: everybody has thrown in secret."""


@dataclass(frozen=True, slots=True)
class HandDealt(AtTable):
    """Our own dice of this round are known."""

    hand: Hand


@dataclass(frozen=True, slots=True)
class TurnPassed(AtTable):
    """It is another seat's turn."""

    seat: int


@dataclass(frozen=True, slots=True)
class YourTurn(AtTable):
    """It is our turn."""


@dataclass(frozen=True, slots=True)
class BidMade(AtTable):
    """A seat bid."""

    placed: Placed


@dataclass(frozen=True, slots=True)
class TimeUp(AtTable):
    """A seat's time ran out; what it does by rule follows."""

    seat: int


@dataclass(frozen=True, slots=True)
class MoreTimeTaken(AtTable):
    """A seat takes its more time."""

    seat: int


@dataclass(frozen=True, slots=True)
class PauseChanged(AtTable):
    """The host has paused the game, or lets it go on: `view.paused`."""


@dataclass(frozen=True, slots=True)
class Revealed(AtTable):
    """A call, all dice open, dice lost and gained: `view.reveal`."""


@dataclass(frozen=True, slots=True)
class DiceMoved(AtTable):
    """A die was lost or gained apart from a reveal's own message."""

    seat: int
    gained: bool


@dataclass(frozen=True, slots=True)
class SeatGivenUp(AtTable):
    """A player left in mid-game; `was` is the seat as it was."""

    seat: int
    was: SeatView


@dataclass(frozen=True, slots=True)
class DiceGone(AtTable):
    """The dice of a seat that was given up went out."""

    seat: int


@dataclass(frozen=True, slots=True)
class WentOutOfGame(AtTable):
    """A seat is out of the game, in this place."""

    seat: int
    place: int


@dataclass(frozen=True, slots=True)
class GameOver(AtTable):
    """The game is over: `view.winner`, `view.tallies`."""


@dataclass(frozen=True, slots=True)
class DiceProven(AtTable):
    """What the check of the dice has found; a `Fault` stops the game for us."""

    finding: Finding


@dataclass(frozen=True, slots=True)
class ChatSaid:
    """Somebody said something: free text, or a quick phrase by its word."""

    person: int
    name: str
    text: str
    phrase: str
    mine: bool


@dataclass(frozen=True, slots=True)
class RequestDone:
    """What we asked for was carried out."""

    request: Request | None


@dataclass(frozen=True, slots=True)
class RequestRefused:
    """What we asked for was refused: a `Refusal` or `Denial` word; nothing has changed."""

    request: Request | None
    reason: str
    detail: str
    view: TableView | None


@dataclass(frozen=True, slots=True)
class ErrorHappened:
    """The server says that something is wrong with the connection: an `ErrorWord`."""

    error: str
    detail: str
    versions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ServerBye:
    """The server closes the connection: a `ByeReason` word."""

    reason: str


@dataclass(frozen=True, slots=True)
class SentOn:
    """The server sends us on to another address."""

    redirect: Redirect


@dataclass(frozen=True, slots=True)
class StorageChanged:
    """The server cannot write down what happens any more, or can again."""

    full: bool


@dataclass(frozen=True, slots=True)
class CameBack:
    """The connection was lost for so many seconds, and we are who we were."""

    seconds: float
    bot_played: bool = False
    """A bot has played for us meanwhile."""


@dataclass(frozen=True, slots=True)
class NotWaitedFor:
    """The connection was lost, and what we had is gone: we come as somebody new."""

    seated: bool
    """We had a seat."""


@dataclass(frozen=True, slots=True)
class WordsWanted:
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
