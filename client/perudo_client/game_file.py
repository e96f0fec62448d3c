"""Saved games, `perudo-game/1`: what one client was shown of a game, as lines of text; pure.

Each line is JSON in one fixed way of writing, a space, and a seal: the start of a hash over the
seal before it and the line. So every changed byte shows. `docs/game-file.md` describes the format.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from perudo_protocol.messages import Entropy, Promise
from perudo_protocol.story import AnyEvent, Ready, TurnSet
from perudo_protocol.version import program_version
from perudo_protocol.views import Hand, TableView

from .i18n import _
from .proving import Hand as HandStep
from .proving import Slept, Step, Told

FORMAT = "perudo-game/1"
SEAL = 16
"""Hex digits of a seal."""
LONGEST_FILE = 16 * 1024 * 1024
"""No game is longer; neither written nor read is more."""
LONGEST_LINE = 512 * 1024

_BEGINNING = b'{"format":"perudo-game/'
"""So every saved game begins, in this format and in those to come."""
_HEX = re.compile(r"0x(?:[0-9a-f]{2}){0,32}")
_BYTES_IN_EVENT = {"commit": (3, 4), "open": (1,), "call": (6, 7), "over": (3,)}
_BYTES_IN_PROOF = ("chain", "commitments", "promises", "entropies")


class Damaged(Exception):
    """A line is not as it was written; `line` counts from 1, 0 is the file as a whole."""

    def __init__(self, line: int, sentence: str) -> None:
        """Say where and what; line 0 where it is the file as a whole."""
        super().__init__(sentence)
        self.line = line
        self.sentence = sentence


class CutOff(Damaged):
    """The last line is not whole, as after a crash; what stands before it holds."""


@dataclass(frozen=True, slots=True, repr=False)
class OwnHand:
    """Our own dice, as a line of a file has them."""

    round: int
    dice: Hand
    seed: bytes


@dataclass(frozen=True, slots=True)
class Header:
    """What the first line says."""

    program: str
    server: str
    view: TableView


Entry = TableView | AnyEvent | OwnHand | Promise | Entropy | Slept


# Writing ---------------------------------------------------------------------------------------


class Writer:
    """Makes the lines of one file, each sealed."""

    def __init__(self) -> None:
        """Begin before the first line."""
        self._seal = ""

    def header(self, server: str, view: TableView) -> bytes:
        """Give the first line: from this view on."""
        program = f"perudo-client {program_version()}"
        return self.line(
            {"format": FORMAT, "program": program, "server": server, "view": _plain(view)}
        )

    def step(self, step: Step) -> bytes:
        """Give the line of a step; nothing for one that is not kept."""
        match step:
            case TableView():
                return self.line({"view": _plain(step)})
            case Told(before, event):
                others = isinstance(event, Ready) and event.seat != before.my_seat
                return b"" if others or isinstance(event, TurnSet) else self.line(_plain(event))
            case HandStep(view):
                return self.line(_plain(["hand", view.round, view.hand, view.seed]))
            case Promise(game=game, promise=promise):
                return self.line(_plain(["promise", game, promise]))
            case Entropy():
                values = (step.game, step.round, step.attempt, step.entropy, step.promise)
                return self.line(_plain(["entropy", *values]))
            case Slept():
                return self.line(["slept"])
            case None:
                return b""

    def line(self, value: Any) -> bytes:
        """Give a line for a value of JSON."""
        text = canonical(value)
        self._seal = seal(self._seal, text)
        return text + f" {self._seal}\n".encode()


def canonical(value: Any) -> bytes:
    """Write a value of JSON in the one way that counts."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode()


def seal(before: str, line: bytes) -> str:
    """Give the seal of a line after the one with the seal `before`; the first has none before."""
    return hashlib.sha256(before.encode() + line).hexdigest()[:SEAL]


def _plain(value: object) -> Any:
    return _without_bytes(msgspec.to_builtins(value, builtin_types=(bytes,)))


def _without_bytes(value: Any) -> Any:
    match value:
        case bytes():
            return "0x" + value.hex()
        case dict():
            return {key: _without_bytes(each) for key, each in value.items()}
        case list() | tuple():
            return [_without_bytes(each) for each in value]
        case _:
            return value


# Reading ---------------------------------------------------------------------------------------


def read(data: bytes) -> tuple[Header, Iterator[tuple[int, Entry]]]:
    """Give the header and, one by one, every line's number and what it says.

    Raises `Damaged`, also while the lines are gone through.
    """
    if not data.startswith(_BEGINNING):
        raise Damaged(0, _("this is no saved game of Perudo") if data else _("the file is empty"))
    lines = _sealed_lines(data)
    number, first = next(lines)
    if not isinstance(first, dict) or first.get("format") != FORMAT:
        raise Damaged(number, _("this is no saved game of the format perudo-game/1"))
    known = {"format", "program", "server", "view"}
    texts = (first.get("program"), first.get("server"))
    if set(first) != known or not all(isinstance(text, str) for text in texts):
        raise Damaged(number, _("the header is not complete"))
    header = Header(str(texts[0]), str(texts[1]), _at(number, _view, first["view"]))
    return header, ((number, _at(number, _entry, value)) for number, value in lines)


def _sealed_lines(data: bytes) -> Iterator[tuple[int, Any]]:
    before = ""
    lines = data.split(b"\n")
    for number, line in enumerate(lines, 1):
        if number == len(lines):
            if line:
                raise CutOff(number, _("the line is cut off"))
            return
        text, space, told = line.rpartition(b" ")
        if not space or len(line) > LONGEST_LINE:
            raise Damaged(number, _("the line has no seal"))
        before = seal(before, text)
        if told != before.encode():
            raise Damaged(number, _("the line does not fit its seal: it was changed"))
        yield number, _at(number, _value, text)


def _at(number: int, read_it: Callable[[Any], Any], value: Any) -> Any:
    try:
        return read_it(value)
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError):
        raise Damaged(number, _("the line makes no sense")) from None


def _value(text: bytes) -> Any:
    value = json.loads(text.decode())
    if canonical(value) != text:
        raise ValueError("not written in the one way that counts")
    return value


def _entry(value: Any) -> Entry:
    if isinstance(value, dict):
        if set(value) != {"view"}:
            raise ValueError("neither an event nor a view")
        return _view(value["view"])
    match value:
        case ["slept"]:
            return Slept()
        case ["hand", int(number), list(dice), str(seed)]:
            return OwnHand(number, msgspec.convert(dice, Hand), _bytes(seed))
        case ["promise", int(game), str(promise)]:
            return msgspec.convert(
                {"type": "promise", "game": game, "promise": _bytes(promise)}, Promise
            )
        case ["entropy", int(game), int(number), int(attempt), str(entropy), str(promise)]:
            fields = {"game": game, "round": number, "attempt": attempt}
            secrets = {"entropy": _bytes(entropy), "promise": _bytes(promise)}
            return msgspec.convert({"type": "entropy", **fields, **secrets}, Entropy)
        case [str(word), *_rest]:
            for place in _BYTES_IN_EVENT.get(word, ()):
                value[place] = _with_bytes(value[place])
            event: AnyEvent = msgspec.convert(value, AnyEvent)
            return event
        case _:
            raise ValueError("neither an event nor a view")


def _view(value: Any) -> TableView:
    proof = value["proof"]
    for key in _BYTES_IN_PROOF:
        proof[key] = _with_bytes(proof[key])
    value["seed"] = _bytes(value["seed"])
    if value["reveal"] is not None:
        value["reveal"]["seeds"] = _with_bytes(value["reveal"]["seeds"])
    return msgspec.convert(value, TableView)


def _with_bytes(value: Any) -> bytes | list[bytes]:
    return [_bytes(each) for each in value] if isinstance(value, list) else _bytes(value)


def _bytes(text: Any) -> bytes:
    if not isinstance(text, str) or not _HEX.fullmatch(text):
        raise ValueError("bytes are 0x and lower-case hex")
    return bytes.fromhex(text[2:])
