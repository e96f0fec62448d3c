"""Golden frames: what was once on the wire must be understood for ever.

Each file under `tests/protocol/golden/` holds a frame in hex and, below an empty line, the value
that it stands for as JSON. `client/` and `server/` have one file or more for each message, `event/`
an update for each event; the name is the message's word and a number. JSON has no bytes: they stand
there as text, `0x` and lower-case hex.

A golden file is never changed and never removed. When a message grows, add one more:

    python -m tests.support.golden

writes a file for each message of `sample_messages` whose bytes are in no file yet, with the next
number, and touches no other.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from perudo_protocol.codec import encode
from perudo_protocol.messages import FromClient, FromServer, Update
from tests.support.arbitrary import word
from tests.support.sample_messages import CLIENT, EVENTS, SERVER

FOLDER = Path(__file__).parents[1] / "protocol" / "golden"
WIDTH = 32
"""Bytes in a line of hex."""
_BYTES = re.compile(r"0x((?:[0-9a-f]{2})*)")


class Golden(NamedTuple):
    """One golden file, read."""

    side: str
    """`client`, `server` or `event`."""
    word: str
    number: int
    frame: bytes
    value: Any
    """What the frame holds, its bytes as bytes."""


def name_of(path: Path) -> str:
    """Give a golden file's short name, for the names of tests."""
    return f"{path.parent.name}/{path.stem}"


def read(path: Path) -> Golden:
    """Read one golden file."""
    text, value = path.read_text(encoding="utf-8").split("\n\n", 1)
    word, number = path.stem.rsplit("-", 1)
    return Golden(path.parent.name, word, int(number), bytes.fromhex(text), from_words(value))


def every() -> list[Path]:
    """Give all golden files."""
    return sorted(FOLDER.glob("*/*.txt"))


def samples() -> list[tuple[str, str, FromClient | FromServer]]:
    """Give side, word and message of everything that has golden frames."""
    return [
        *(("client", word(type(message)), message) for message in CLIENT),
        *(("server", word(type(message)), message) for message in SERVER),
        *(("event", word(type(event)), Update(rev=18, events=(event,))) for event in EVENTS),
    ]


def in_hex(message: FromClient | FromServer) -> str:
    """Give a message's whole frame in lines of hex."""
    digits = encode(message).hex(" ").split(" ")
    return "\n".join(" ".join(digits[at : at + WIDTH]) for at in range(0, len(digits), WIDTH))


def in_words(message: FromClient | FromServer) -> str:
    """Give a message as JSON, a line for each field, event and seat, or for a short whole."""
    return _spread(_in_json(msgspec.to_builtins(message, builtin_types=(bytes,))), "")


def from_words(text: str) -> Any:
    """Read such JSON: the value as msgpack has it."""
    return _out_of_json(json.loads(text))


def _in_json(value: Any) -> Any:
    match value:
        case bytes():
            return f"0x{value.hex()}"
        case dict():
            return {key: _in_json(item) for key, item in value.items()}
        case list() | tuple():
            return [_in_json(item) for item in value]
        case _:
            return value


def _out_of_json(value: Any) -> Any:
    match value:
        case str() if found := _BYTES.fullmatch(value):
            return bytes.fromhex(found[1])
        case dict():
            return {key: _out_of_json(item) for key, item in value.items()}
        case list():
            return [_out_of_json(item) for item in value]
        case _:
            return value


def _spread(value: Any, indent: str) -> str:
    flat = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(flat) <= 96 or not isinstance(value, (dict, list)):
        return flat
    inner = indent + "  "
    if isinstance(value, dict):
        lines = [f"{json.dumps(k)}: {_spread(v, inner)}" for k, v in value.items()]
    else:
        lines = [_spread(item, inner) for item in value]
    first, last = "{}" if isinstance(value, dict) else "[]"
    return first + "\n" + ",\n".join(inner + line for line in lines) + f"\n{indent}{last}"


def written(message: FromClient | FromServer) -> str:
    """Give the text of a golden file."""
    return f"{in_hex(message)}\n\n{in_words(message)}\n"


def add() -> list[Path]:
    """Write what has no file yet; gives the new files."""
    old = [read(path) for path in every()]
    new: list[Path] = []
    for side, name, message in samples():
        mine = [golden for golden in old if (golden.side, golden.word) == (side, name)]
        if all(golden.frame != encode(message) for golden in mine):
            number = max((golden.number for golden in mine), default=0) + 1
            path = FOLDER / side / f"{name}-{number}.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("x", encoding="utf-8", newline="\n") as file:
                file.write(written(message))
            new.append(path)
    return new


if __name__ == "__main__":
    for path in add():
        sys.stdout.write(f"{path.relative_to(FOLDER)}\n")
