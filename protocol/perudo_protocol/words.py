"""The server's own words: why it refuses, what is wrong with a connection, why something ends.

The rules' reasons are in `vocabulary.Refusal`; these are the rest. All of them are part of the
protocol and never change; a client that meets a word it does not know shows it as it is.
"""

from __future__ import annotations

from enum import StrEnum


class Denial(StrEnum):
    """Why a request is refused, besides the reasons of the rules (`Refusal`)."""

    NO_TABLE = "no_table"
    """No table has this number, or it has closed."""
    TABLE_FULL = "table_full"
    """Every seat is taken; one may watch."""
    AT_TABLE = "at_table"
    """One sits at one table at a time: leave this one first."""
    NOT_AT_TABLE = "not_at_table"
    """This is asked at a table, and the client is at none."""
    NOT_HOST = "not_host"
    """Only the table's host may do this; a bot is never one."""
    NOT_SEATED = "not_seated"
    """Only somebody with a seat may do this; the client watches."""
    GAME_ON = "game_on"
    """Not while a game is on; wait for its end."""
    NO_GAME = "no_game"
    """No game has begun at this table."""
    TOO_FEW = "too_few"
    """A game needs two players at least."""
    NO_SUCH_PERSON = "no_such_person"
    """Nobody with this number is at the table."""
    NO_SUCH_SEAT = "no_such_seat"
    """The table has no such seat, or nobody sits in it."""
    NOT_A_BOT = "not_a_bot"
    """The seat is played by a person."""
    YOURSELF = "yourself"
    """Nobody sends oneself away; one leaves."""
    BAD_NAME = "bad_name"
    """The table's name is empty, too long, or has signs that no name may have."""
    NAME_TAKEN = "name_taken"
    """Another table has this name, or one that looks alike."""
    BAD_OPTION = "bad_option"
    """No such preset or option, or a value that it cannot have; `detail` says what would do."""
    TOO_MANY_TABLES = "too_many_tables"
    """As many tables are open, or were made from this address, as may be."""
    KICKED = "kicked"
    """The host has sent this person away from this table."""
    SLOW_DOWN = "slow_down"
    """Too many acts, or too much said, in a short time; wait a second."""
    EMPTY = "empty"
    """Nothing to say: no phrase, and no text that is left after cleaning."""
    BAD_PHRASE = "bad_phrase"
    """No quick phrase has this word."""
    NO_CLOCK = "no_clock"
    """No clock runs that more time could be asked of."""
    NO_MORE_TIME = "no_more_time"
    """More time is given once a game, and it has been."""
    NOT_AWAY = "not_away"
    """No seat waits for the client, and no bot plays on for it."""
    PAUSED = "paused"
    """The host has paused the game."""
    PAUSED_ENOUGH = "paused_enough"
    """This game has been paused for as long, in all, as a game may be."""
    STORAGE_FULL = "storage_full"
    """The server cannot write down what happens; nothing happens until it can."""
    LOCKED = "locked"
    """The table is locked; a `challenge` for its join words came before this answer."""
    WRONG_SECRET = "wrong_secret"
    """The proof does not fit the join words, or answers no challenge that stands."""
    TOO_MANY_TRIES = "too_many_tries"
    """Too many wrong join words came from this address; wait a minute."""


class ErrorWord(StrEnum):
    """What is wrong with a connection, the word of an `error`.

    The server closes the connection after each of them except `bad_name`, `name_taken` and
    `bad_proof`, which leave time for another `hello`, and the first two `bad_message` after the
    greeting.
    """

    BAD_FRAME = "bad_frame"
    """The bytes are no frame: too long, empty, or not one msgpack map with text keys."""
    BAD_MESSAGE = "bad_message"
    """A whole frame that holds no message of this protocol."""
    VERSION = "version"
    """No common version; `versions` names the server's own."""
    BAD_NAME = "bad_name"
    """The name in `hello` is empty, too long, or has signs that no name may have."""
    NAME_TAKEN = "name_taken"
    """Somebody here has this name, or one that looks alike."""
    NOT_GREETED = "not_greeted"
    """The first message was not `hello`, or a second `hello` came."""
    TOO_MANY = "too_many"
    """Too many connections, in all, from this address, or that have not greeted yet."""
    SLOW_GREETING = "slow_greeting"
    """No `hello` came in time."""
    SLOW_FRAME = "slow_frame"
    """A frame was begun and not ended in time."""
    BAD_PROOF = "bad_proof"
    """Nobody is waited for under this number, or the proof is wrong; greet as somebody new."""
    FLOOD = "flood"
    """Far more frames came than anybody has to say."""
    TOO_MANY_TRIES = "too_many_tries"
    """Too many wrong join words came from this address; wait a minute."""


class ByeReason(StrEnum):
    """Why the server ends a connection with which nothing is wrong, the word of a `bye`."""

    SHUTDOWN = "shutdown"
    """The server stops."""
    DEAD = "dead"
    """No `pong` came in time."""
    TAKEN_OVER = "taken_over"
    """The same client has come back on another connection."""


class NoticeWord(StrEnum):
    """The state of the server itself, the word of a `notice`."""

    STORAGE_FULL = "storage_full"
    """It cannot write down what happens (the disk is full, say): every clock stands still."""
    STORAGE_BACK = "storage_back"
    """It can again, and the clocks go on."""


class AwayReason(StrEnum):
    """Why a client is at no table any more, the word of an `away`."""

    LEFT = "left"
    """The client left, as it asked."""
    KICKED = "kicked"
    """The host sent the client away."""
    CLOSED = "closed"
    """The table closed."""
