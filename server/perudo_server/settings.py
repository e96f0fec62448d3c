"""Every figure of the server, each standing once, with its range and its one-line explanation.

`sources` says where a value comes from: flag, environment, file, or the default given here.
"""

from __future__ import annotations

import socket
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from perudo_protocol.lock import LEAST_SIGNS, plain_words
from perudo_protocol.text import clean
from perudo_protocol.version import DEFAULT_PORT

LOG_LEVELS = ("debug", "info", "warning", "error")
LOG_FORMATS = ("text", "json")
JOURNAL_SYNCS = ("normal", "full")
NAME_LETTERS = 64
"""The longest name of a server; the greeting carries no more."""
PATH_LETTERS = 4096
"""The longest name of a file."""

MAKE_WORDS = "new"
"""What stands for join words that the server makes itself; too short to be any."""


class BadSetting(ValueError):
    """A value that a setting cannot take; the text says what would be right."""


class Entry(Struct, frozen=True):
    """What there is to know of one setting."""

    name: str
    type: str
    default: Any
    metadata: Mapping[str, Any]
    """What it is about, in one line, and its bounds or choices."""


_NOTES: list[dict[str, Any]] = []
"""The metadata of all fields of `Settings`, in their order."""


def _noted(default: Any, about: str, **more: Any) -> Any:
    _NOTES.append({"about": about, **more})
    return default


def _text(default: str, about: str, choices: tuple[str, ...] = ()) -> Any:
    return _noted(default, about, choices=choices)


def _path(about: str) -> Any:
    return _noted("", about, choices=(), letters=PATH_LETTERS)


def _figure(default: float, least: float, most: float, about: str) -> Any:
    return _noted(default, about, least=least, most=most)


class Settings(Struct, frozen=True):
    """What the server is told from outside. All times are in seconds.

    Every field is made by one of the functions above. (A dataclass of so many takes longer to be
    made than the whole socket to be opened.)
    """

    host: tuple[str, ...] = _noted((), "address to listen on; none: all, IPv4 and IPv6")
    port: int = _figure(DEFAULT_PORT, 0, 65535, "port to listen on; 0: any free one")
    name: str = _text("", "what players see as the server's name; none: made of this machine's")
    secret: str = _noted(
        "",
        "join words that players must know, such as blue-fox-rain; new: words made at each start;"
        " none: all may come",
        hidden=True,
    )
    tls: bool = _noted(False, "encrypt, with a certificate made at the first start")
    tls_cert: str = _path("encrypt with the certificate in this PEM file")
    tls_key: str = _path("the PEM file with its key")
    data: str = _path("folder for what the server keeps; none: this user's own")
    no_journal: bool = _noted(
        False, "keep nothing: if the server ends, so do all its games, for good"
    )
    journal_sync: str = _text(
        "normal",
        "normal keeps all when the server is killed, full also at a power cut, at the price of a"
        " sync of the disk at each commit, many times the latency",
        JOURNAL_SYNCS,
    )
    keep_days: int = _figure(
        30, 0, 36_500, "days that finished games are kept whole; later, who played and who won"
    )
    log_level: str = _text("info", "least important events to log", LOG_LEVELS)
    log_format: str = _text("text", "how the log is written", LOG_FORMATS)
    until_eof: bool = _noted(False, "end when standard input ends")
    uvloop: bool = _noted(False, "run on uvloop, which must be installed, as with perudo[fast]")

    bot_seconds: float = _figure(1.5, 0, 60, "a bot's usual thinking time; 0: at once")
    reveal_seconds: float = _figure(12.0, 0, 600, "wait after a reveal before the next round")
    throw_seconds: float = _figure(5.0, 0, 600, "how long the throw for who begins is shown")

    entropy_seconds: float = _figure(
        3.0, 0.01, 600, "time for players' entropy before dice are drawn without them"
    )
    pause_seconds: float = _figure(
        600.0, 1, 86_400, "the longest that hosts may pause one game, in all"
    )
    deserted_seconds: float = _figure(
        600.0, 1, 86_400, "how long bots play on at a table to which everybody may yet come back"
    )
    grace_seconds: float = _figure(15.0, 0, 600, "time a turn has left when the machine was paused")
    handshake_seconds: float = _figure(5.0, 0.01, 600, "time to begin with TLS after connecting")
    greeting_seconds: float = _figure(5.0, 0.01, 600, "time to greet after connecting")
    naming_seconds: float = _figure(
        60.0, 0.01, 600, "time to choose another name after a bad one, or to type the join words"
    )
    secret_tries: int = _figure(5, 1, 100_000, "wrong join words a minute from one address")
    secret_tries_in_all: int = _figure(
        30, 1, 100_000, "wrong join words a minute at one door, and as many again of newcomers"
    )
    frame_seconds: float = _figure(5.0, 0.01, 600, "time for a whole frame after its first byte")
    ping_seconds: float = _figure(5.0, 0.01, 6, "silence after which a link is asked for life")
    dead_seconds: float = _figure(12.0, 0.01, 3600, "silence after which a link counts as dead")
    connections: int = _figure(512, 1, 100_000, "connections at once")
    connections_per_address: int = _figure(
        16, 1, 100_000, "connections at once from one address; this machine's own are exempt"
    )
    call_burst: int = _figure(
        64, 1, 1_000_000, "connections made from one address in one go; this machine's are exempt"
    )
    call_rate: float = _figure(
        2.0, 0.01, 1_000_000, "connections made from one address a second after that"
    )
    ungreeted: int = _figure(
        64, 1, 100_000, "connections at once that have not greeted yet, and as many that are asked"
    )
    waiting_per_address: int = _figure(
        4, 1, 100_000, "connections at once from one address that are asked for words or a name"
    )
    tables: int = _figure(64, 1, 10_000, "tables at once")
    tables_per_address: int = _figure(2, 1, 100_000, "tables at once made from one address")
    watchers_per_table: int = _figure(100, 1, 150, "people at one table without a seat")
    list_seconds: float = _figure(0.5, 0, 600, "least time between two lists of the tables")
    crowd_seconds: float = _figure(
        0.25, 0, 600, "least time between two lists of who is at a table, when only watchers change"
    )
    frame_burst: int = _figure(300, 1, 1_000_000, "frames of one connection in one go")
    frame_rate: float = _figure(100.0, 1, 1_000_000, "frames of one connection a second after that")
    act_burst: int = _figure(10, 1, 100_000, "acts of one player in one go")
    act_rate: float = _figure(5.0, 0.01, 100_000, "acts of one player a second after that")
    move_burst: int = _figure(10, 1, 100_000, "one player's comings and goings in one go")
    move_rate: float = _figure(
        0.5, 0.01, 100_000, "one player's comings and goings a second after that"
    )
    share_burst: int = _figure(20, 1, 100_000, "shares in the dice of one player in one go")
    share_rate: float = _figure(
        2.0, 0.01, 100_000, "shares in the dice of one player a second after that"
    )
    chat_burst: int = _figure(5, 1, 100_000, "chat lines of one player in one go")
    chat_rate: float = _figure(1.0, 0.01, 100_000, "chat lines of one player a second after that")
    outbox_frames: int = _figure(256, 1, 1_000_000, "frames kept for a slow reader")
    outbox_bytes: int = _figure(65_536, 1024, 2**30, "bytes kept for a slow reader")
    overflow_seconds: float = _figure(10.0, 0.01, 600, "time for a slow reader to catch up")
    bad_messages: int = _figure(3, 1, 1000, "messages without sense before a link is closed")

    def __post_init__(self) -> None:
        """Check each value and those that depend on each other; raise `BadSetting`."""
        for name, entry in BY_NAME.items():
            check(entry, getattr(self, name))
        if self.dead_seconds <= self.ping_seconds:
            raise BadSetting(
                f"dead_seconds is {self.dead_seconds:g} and ping_seconds {self.ping_seconds:g};"
                " dead_seconds must be the greater one"
            )
        if bool(self.tls_cert) is not bool(self.tls_key):
            given, other = ("tls_cert", "tls_key") if self.tls_cert else ("tls_key", "tls_cert")
            raise BadSetting(f"{given} is given and {other} is not; a certificate needs its key")

    def __repr__(self) -> str:
        """Say nothing, so that no traceback can tell the words."""
        return "Settings(...)"

    @property
    def server_name(self) -> str:
        """The name as players see it: the one given, or one made of the machine's name."""
        host = socket.gethostname().split(".")[0] or "this machine"
        return clean(self.name).strip() or clean(f"Perudo on {host}")[:NAME_LETTERS]


BY_NAME = {
    name: Entry(name, str(Settings.__annotations__[name]), default, note)
    for name, default, note in zip(
        Settings.__struct_fields__, Settings.__struct_defaults__, _NOTES, strict=True
    )
}
"""Every setting by its name, in the order in which they are shown."""


def kind(entry: Entry) -> type:
    """Give the type of a setting: `bool`, `int`, `float`, `str` or `tuple` (of texts)."""
    return {"bool": bool, "int": int, "float": float, "str": str}.get(str(entry.type), tuple)


def wanted(entry: Entry) -> str:
    """Say in words what a setting may be, to follow "it must be"."""
    bounds = entry.metadata
    if bounds.get("hidden"):
        return f"{LEAST_SIGNS} to {NAME_LETTERS} letters, or {MAKE_WORDS} for words made at start"
    if kind(entry) is bool:
        return "true or false"
    if kind(entry) is tuple:
        return "one or more addresses or host names"
    if kind(entry) is str and bounds["choices"]:
        return f"one of {', '.join(bounds['choices'])}"
    if kind(entry) is str:
        return f"up to {bounds.get('letters', NAME_LETTERS)} visible letters"
    noun = "whole number" if kind(entry) is int else "number"
    return f"a {noun} from {bounds['least']} to {bounds['most']}"


def check(entry: Entry, value: object) -> object:
    """Give the value as the setting holds it; raise `BadSetting` if it is none."""
    given = value
    if entry.metadata.get("hidden"):
        good = isinstance(value, str) and _is_secret(value)
    elif kind(entry) is bool:
        good = isinstance(value, bool)
    elif kind(entry) is str:
        choices = entry.metadata["choices"]
        good = isinstance(value, str) and (value in choices if choices else _fits(entry, value))
    elif kind(entry) is tuple:
        value = (value,) if isinstance(value, str) else value
        value = tuple(value) if isinstance(value, list) else value
        good = isinstance(value, tuple) and all(_is_host(host) for host in value)
    elif kind(entry) is float:
        value = float(value) if type(value) is int and abs(value) < 2**53 else value
        good = isinstance(value, float) and _within(entry, value)
    else:
        good = type(value) is int and _within(entry, value)
    if not good:
        shown = "no good" if entry.metadata.get("hidden") else repr(given)
        raise BadSetting(f"{entry.name} is {shown}; it must be {wanted(entry)}")
    return value


def _within(entry: Entry, value: float) -> bool:
    return bool(entry.metadata["least"] <= value <= entry.metadata["most"])


def _fits(entry: Entry, text: str) -> bool:
    return _visible(text, entry.metadata.get("letters", NAME_LETTERS))


def _visible(text: str, most: int = NAME_LETTERS) -> bool:
    return len(text) <= most and text.isprintable()


def _is_secret(words: str) -> bool:
    """Say whether this is nothing, the wish for new words, or words long enough."""
    signs = len(plain_words(words))
    return words in ("", MAKE_WORDS) or (_visible(words) and signs >= LEAST_SIGNS)


def _is_host(host: object) -> bool:
    return isinstance(host, str) and bool(host) and _visible(host, most=255)
