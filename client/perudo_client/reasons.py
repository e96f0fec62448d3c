"""Why something cannot be: one clear sentence for each reason word, with what would be right.

A word that a newer server says and that is not known here is shown as it is, with its detail.
"""

from __future__ import annotations

from perudo_protocol.messages import PlaceBid
from perudo_protocol.version import VERSIONS, program_version
from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import Refusal
from perudo_protocol.words import AwayReason, ByeReason, Denial, ErrorWord

from . import trust_words
from .address import Address
from .endings import Closed, Trouble
from .happenings import ErrorHappened, RequestRefused
from .i18n import _, ngettext
from .words import face_plural, listed, plain_name, storage_line


def refused(happening: RequestRefused) -> str:
    """Say why a request was refused, with the least legal bid where that helps."""
    word = happening.reason
    if word in Refusal.__members__.values():
        return _refusal(Refusal(word), happening)
    if word in Denial.__members__.values():
        return _denial(Denial(word), happening.detail)
    return _unknown(word, happening.detail)


def _refusal(word: Refusal, happening: RequestRefused) -> str:
    match word:
        case Refusal.NOT_PLAYING:
            return _("You cannot play now: you have no dice, or no round is being bid.")
        case Refusal.NOT_YOUR_TURN:
            return _not_your_turn(happening.view)
        case Refusal.OUT_OF_RANGE:
            return _("A bid is a number from 1 and a face from 1 to 6, such as 5 4.")
        case Refusal.ABOVE_TABLE:
            return _above_table(happening.view)
        case Refusal.ACES_OPENING:
            return _("A round does not open on aces: bid on another face.")
        case Refusal.NOT_HIGHER:
            return _not_higher(happening)
        case Refusal.FACE_LOCKED:
            return _face_locked(happening.view)
        case Refusal.DISABLED:
            return _("This table plays without spot-on.")
        case Refusal.NO_BID:
            return _("There is no bid to answer yet.")
        case Refusal.OWN_BID:
            return _("The standing bid is your own: nobody calls their own bid.")
        case Refusal.STALE:
            return _stale(happening.view)
        case Refusal.NOT_IN_PALIFICO:
            return _("There is no spot-on in palifico.")
        case Refusal.NOT_HEADS_UP:
            return _("There is no spot-on with two players left.")


def _stale(view: TableView | None) -> str:
    if view is not None and view.turn is None:
        return _("No round is being bid now. Nothing has happened.")
    return _("Too late: the bid that you answered no longer stands. Nothing has happened.")


def _not_your_turn(view: TableView | None) -> str:
    if view is None or view.turn is None:
        return _("It is not your turn.")
    text = _("It is not your turn: {name} is in turn.")
    return text.format(name=plain_name(view, view.turn.seat))


def _above_table(view: TableView | None) -> str:
    dice = view.dice_in_play if view is not None else 0
    text = ngettext(
        "That is more than the {count} die in play.",
        "That is more than the {count} dice in play.",
        dice,
    )
    return text.format(count=dice)


def _not_higher(happening: RequestRefused) -> str:
    """Name the least legal bid on the face that was tried, or say that there is none."""
    asked, view = happening.request, happening.view
    if view is None or not isinstance(asked, PlaceBid):
        return _("That is not higher than the standing bid.")
    options = view.options_for(view.my_seat)
    if not options.may_bid:
        return _("No bid is higher than this one: it can only be called.")
    least = options.least[asked.face - 1] if 1 <= asked.face <= 6 else 0
    face = face_plural(asked.face)
    if least == 0:
        return _("That is not higher: no bid on {face} is possible now.").format(face=face)
    text = _("That is not higher: the least bid on {face} is {least}.")
    return text.format(face=face, least=least)


def _face_locked(view: TableView | None) -> str:
    if view is None or view.standing is None:
        return _("The face does not change in palifico.")
    text = _("The face does not change in palifico: bid more {face}.")
    return text.format(face=face_plural(view.standing.bid.face))


def _denial(word: Denial, detail: str) -> str:
    match word:
        case Denial.NO_TABLE:
            return _("There is no such table, or it has closed.")
        case Denial.TABLE_FULL:
            return _("Every seat at this table is taken; you may watch it.")
        case Denial.AT_TABLE:
            return _("You are at a table already: leave it first.")
        case Denial.NOT_AT_TABLE:
            return _("You are at no table: join one first.")
        case Denial.NOT_HOST:
            return _("Only the table's host may do this.")
        case Denial.NOT_SEATED:
            return _("You watch this table: only somebody with a seat may do this.")
        case Denial.GAME_ON:
            return _("Not while a game is on: wait for its end.")
        case Denial.NO_GAME:
            return _("There is no game for which this could be meant.")
        case Denial.TOO_FEW:
            return _("A game needs at least two players: wait for somebody, or add a bot.")
        case Denial.NO_SUCH_PERSON:
            return _("This person is not at the table.")
        case Denial.NO_SUCH_SEAT:
            return _("There is no such seat, or nobody sits in it.")
        case Denial.NOT_A_BOT:
            return _("A person plays this seat, not a bot.")
        case Denial.YOURSELF:
            return _("You cannot do this to yourself.")
        case Denial.BAD_NAME:
            return _("This is no good name for a table: 1 to 24 letters, digits or signs.")
        case Denial.NAME_TAKEN:
            return _("Another table has this name, or one that looks alike.")
        case Denial.BAD_OPTION:
            return _with_detail(_("There is no such option, or it cannot be set to this."), detail)
        case Denial.TOO_MANY_TABLES:
            return _("There are as many tables as this server allows: join one of them.")
        case Denial.KICKED:
            return _("The host has sent you away from this table: choose another one.")
        case Denial.SLOW_DOWN:
            return _("Not so fast: wait a second and try again.")
        case Denial.EMPTY:
            return _("There was nothing to say in that.")
        case Denial.BAD_PHRASE:
            return _("There is no such quick phrase.")
        case Denial.NO_CLOCK:
            return _("There is no clock now that more time could be asked of.")
        case Denial.NO_MORE_TIME:
            return _("More time is given once a game, and you have had it.")
        case Denial.NOT_AWAY:
            return _("You are not away: nobody plays for you.")
        case Denial.PAUSED_ENOUGH:
            return _("This game has been paused for as long as a game may be: play on.")
        case Denial.PAUSED:
            return _("The host has paused the game: wait until it goes on.")
        case Denial.STORAGE_FULL:
            return storage_line(full=True)
        case Denial.LOCKED:
            return _("This table is locked: only who knows its join words may come.")
        case Denial.WRONG_SECRET:
            return _("These are not the join words: ask whoever made the game for them.")
        case Denial.TOO_MANY_TRIES:
            return _too_many_tries()


def error(happening: ErrorHappened) -> str:
    """Say what is wrong with the connection, in one sentence."""
    if happening.error not in ErrorWord.__members__.values():
        return _unknown(happening.error, happening.detail)
    match ErrorWord(happening.error):
        case ErrorWord.BAD_FRAME | ErrorWord.BAD_MESSAGE:
            return _("The server did not understand this program: update both to one version.")
        case ErrorWord.VERSION:
            return _versions(happening.versions)
        case ErrorWord.BAD_NAME:
            return _("The server does not take this name: 1 to 16 letters, digits or signs.")
        case ErrorWord.NAME_TAKEN:
            return _("Somebody there has this name, or one that looks alike: choose another.")
        case ErrorWord.NOT_GREETED:
            return _("The server missed this program's greeting: connect again.")
        case ErrorWord.TOO_MANY:
            return _("The server has as many connections as it takes: try again later.")
        case ErrorWord.SLOW_GREETING | ErrorWord.SLOW_FRAME:
            return _("The network was too slow for the server: connect again.")
        case ErrorWord.BAD_PROOF:
            return not_waited_for(seated=True)
        case ErrorWord.FLOOD:
            return _("This program sent more than the server takes: connect again.")
        case ErrorWord.TOO_MANY_TRIES:
            return _too_many_tries()


def no_words(server: bool, *, tried: bool) -> str:
    """Say how join words are given where nobody can be asked for them."""
    if tried:
        return _("These are not the join words: ask whoever made the game for them.")
    if server:
        return _("This server is locked: give its join words with --secret or PERUDO_SECRET.")
    return _("This table is locked: give its join words with --secret or PERUDO_SECRET.")


def _too_many_tries() -> str:
    return _("Too many wrong join words came from here: wait a minute, then try again.")


def _versions(theirs: tuple[int, ...]) -> str:
    text = _(
        "This program ({program}) speaks version {ours} of the protocol and the server"
        " {theirs}: update the older of the two."
    )
    return text.format(
        program=program_version(),
        ours=listed(str(number) for number in VERSIONS),
        theirs=listed(str(number) for number in theirs) or "?",
    )


def goodbye(word: str, *, for_good: bool = False) -> str:
    """Say why the server ended the connection; `for_good` says that no seat of ours outlasts it."""
    if for_good and word == ByeReason.SHUTDOWN:
        return _("The server stops. This server keeps nothing: the game is over.")
    if word not in ByeReason.__members__.values():
        return _unknown(word, "")
    match ByeReason(word):
        case ByeReason.SHUTDOWN:
            return _("The server stops. Goodbye.")
        case ByeReason.DEAD:
            return _("The server has not heard from this program and closed the connection.")
        case ByeReason.TAKEN_OVER:
            return _("You have come back from somewhere else: this connection is over.")


def name_was_taken(wished: str, given: str, *, by_us: bool) -> str:
    """Say that one has another name than the one that was wished for; `by_us`: by another program
    of this user."""
    if by_us:
        text = _("Another program of yours sits there as {wished}: here you are {given}.")
        return text.format(wished=wished, given=given)
    text = _("Somebody there is called {wished} already: you are {given}.")
    return text.format(wished=wished, given=given)


def not_waited_for(*, seated: bool) -> str:
    """Say that one could not come back as who one was."""
    if seated:
        return _("Your seat was given up while you were away: you come in anew.")
    return _("The server has forgotten you while you were away: you come in anew.")


def given_up_alone() -> str:
    """Say that a game on a server of one's own has ended while this program stood still."""
    return _("This game was given up while the program stood still: begin another one.")


def away(word: str) -> str:
    """Say why we are at no table any more."""
    if word not in AwayReason.__members__.values():
        return _unknown(word, "")
    match AwayReason(word):
        case AwayReason.LEFT:
            return _("You have left the table.")
        case AwayReason.KICKED:
            return _("The host has sent you away from the table.")
        case AwayReason.CLOSED:
            return _("The table has closed.")


def _unknown(word: str, detail: str) -> str:
    """Show a word of a newer server as it is."""
    if detail:
        return _("The server says: {word} ({detail}).").format(word=word, detail=detail)
    return _("The server says: {word}.").format(word=word)


def _with_detail(sentence: str, detail: str) -> str:
    return f"{sentence} ({detail})" if detail else sentence


def cannot_connect(
    trouble: Trouble, address: Address, expected: bytes = b"", found: bytes = b""
) -> str:
    """Say why a server could not be reached; where it matters, with its certificate's hash."""
    match trouble:
        case Trouble.NO_HOST:
            return _("No computer is called {host}: check the address.").format(host=address.host)
        case Trouble.REFUSED:
            text = _("No server listens at {address}: check the address, or start perudo-server.")
        case Trouble.NO_ANSWER:
            text = _("Nothing answers at {address}: check the address and the network.")
        case Trouble.CHANGED:
            return trust_words.changed(address, expected, found)
        case Trouble.PLAIN:
            return trust_words.plain(address)
        case Trouble.HANDSHAKE:
            return trust_words.no_handshake(address)
    return text.format(address=address)


def closed(why: Closed) -> str:
    """Say why the connection is over; the empty text where it was said before, or is our doing."""
    match why:
        case Closed.BY_US | Closed.TOLD:
            return ""
        case Closed.GONE:
            return _("The connection to the server is lost. You can connect again.")
        case Closed.NONSENSE:
            return _("What answers there is no Perudo server, or it is broken.")
        case Closed.ENCRYPTED:
            return _("The server speaks TLS: connect again.")
