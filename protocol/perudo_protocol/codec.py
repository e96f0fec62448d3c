"""Between a frame's payload and a message: msgpack and the schemas, strict in both.

`decode_*` raises `BadFrame` for bytes that are not one msgpack map with text keys, each once, and
`BadMessage` for a map that is no message of that direction; nothing else, whatever the bytes.

What is said all the time goes a shorter way to the same bytes and the same messages: msgspec alone
writes, and reads the few small messages in `_OFTEN`, in a tenth of the time.
"""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar

import msgpack
import msgspec
from msgspec.structs import fields

from .errors import BadFrame, BadMessage, FrameTooLarge
from .framing import HEADER, TO_CLIENT, TO_SERVER, frame
from .messages import (
    AsSent,
    Brief,
    ClientMessage,
    Entropy,
    FromClient,
    FromServer,
    PlaceBid,
    Pong,
    Prove,
    Resume,
    ServerMessage,
    Update,
    in_brief,
    in_full,
)
from .text import clean

_Holder = TypeVar("_Holder")

ITEMS_TO_SERVER = 64
"""The longest array or map that a server takes. A frame of nested arrays that each announce this
many items costs half a megabyte while it is read; with 1024 it would cost eight."""
BYTES = 32
"""The longest binary value: a hash, a seed, a key or a nonce."""
ITEMS_TO_CLIENT = 1024
"""The longest array or map that a client takes."""


class _FromClient(msgspec.Struct):
    """Holds the union of one direction: msgspec keeps a struct's plan, a bare union's never."""

    message: ClientMessage


class _FromServer(msgspec.Struct):
    """The same for the other direction."""

    message: AsSent


_encoder = msgspec.msgpack.Encoder()

_OFTEN: dict[type[ClientMessage], int] = {
    kind: 0x80 + len(fields(kind)) + 1 for kind in (PlaceBid, Entropy, Pong, Resume, Prove)
}
"""Messages that come all the time, or of many at once, with the byte that begins a map with as many
keys as each has.

None of them has a field that may be left out, and none holds a map: so a map of that many keys in
which msgspec finds them all, and none besides, holds each once, and there is nothing more to judge.
Whatever it refuses is left to the long way, which says what is wrong in our own words.
"""
_BEGIN_OFTEN = frozenset(_OFTEN.values())
_often = msgspec.msgpack.Decoder(PlaceBid | Entropy | Pong | Resume | Prove)
"""One for all of them: a decoder of one kind alone would not ask for the word of its kind."""


def encode(message: FromClient | FromServer) -> bytes:
    """Give the whole frame of a message, header included.

    A lone surrogate in a text, which has no UTF-8, goes out as a question mark.
    """
    if type(message) is Update:
        message = in_brief(message) or message
    try:
        payload = _encoder.encode(message)
        return len(payload).to_bytes(HEADER, "big") + payload
    except UnicodeEncodeError:
        return frame(msgpack.packb(_plain(message), unicode_errors="replace"))


def decode_client(payload: bytes) -> ClientMessage:
    """Read a message that a client sent."""
    if payload and payload[0] in _BEGIN_OFTEN:
        try:
            message: ClientMessage = _often.decode(payload)
        except (msgspec.MsgspecError, RecursionError):  # the second for arrays in arrays
            return decode_strictly(payload)
        if _OFTEN[type(message)] == payload[0]:
            return message
    return decode_strictly(payload)


def decode_strictly(payload: bytes) -> ClientMessage:
    """Read a message that a client sent, the long way; `decode_client` must judge the same."""
    return _convert(_unpack(payload, TO_SERVER, ITEMS_TO_SERVER), _FromClient).message


def decode_server(payload: bytes) -> ServerMessage:
    """Read a message that a server sent."""
    message = _convert(_unpack(payload, TO_CLIENT, ITEMS_TO_CLIENT), _FromServer).message
    return in_full(message) if isinstance(message, Brief) else message


def _plain(message: FromClient | FromServer) -> Any:
    return msgspec.to_builtins(message, builtin_types=(bytes,))


def _convert(value: dict[str, Any], holder: type[_Holder]) -> _Holder:
    try:
        return msgspec.convert({"message": value}, holder, strict=True, builtin_types=(bytes,))
    except (msgspec.ValidationError, RecursionError) as wrong:
        raise BadMessage(_in_words(wrong).replace("$.message", "$")) from None


def _unpack(payload: bytes, limit: int, items: int) -> dict[str, Any]:
    if len(payload) > limit:
        raise FrameTooLarge(f"a frame of {len(payload)} bytes; {limit} is the most")
    try:
        value = msgpack.unpackb(
            payload,
            raw=False,
            strict_map_key=True,
            object_pairs_hook=_map,
            ext_hook=_no_ext,
            timestamp=0,
            max_str_len=limit,
            max_bin_len=BYTES,
            max_array_len=items,
            max_map_len=items,
            max_ext_len=0,
        )
    except BadFrame:
        raise
    except (ValueError, TypeError, RecursionError, OverflowError) as wrong:
        raise BadFrame(f"no msgpack that we take: {_in_words(wrong)}") from None
    if not isinstance(value, dict):
        raise BadFrame("a frame holds one map")
    return value


def _map(pairs: list[tuple[object, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if not isinstance(key, str):
            raise BadFrame("a map's keys are text")
        if key in found:
            raise BadFrame(f"the key {key[:32]!r} stands twice")
        found[key] = value
    return found


def _in_words(wrong: Exception) -> str:
    """Give an error's text for a log: one short line, though it may quote the other side."""
    return clean(str(wrong))[:160] or type(wrong).__name__


def _no_ext(code: int, _data: bytes) -> NoReturn:
    raise BadFrame(f"no extension types here ({code})")
