"""What msgpack or msgspec would let through, and the codec does not."""

from __future__ import annotations

from typing import Any

import msgpack
import pytest

from perudo_protocol import messages as m
from perudo_protocol.codec import decode_client, decode_server
from perudo_protocol.errors import BadFrame, BadMessage
from perudo_protocol.text import clean
from tests.support.payloads import SIDES, payload

JOIN = {"type": "join", "id": 1, "table": 1}


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"\xc0", id="nil"),
        pytest.param(b"\x90", id="an array"),
        pytest.param(b"\xc1", id="the byte that msgpack never uses"),
        pytest.param(b"\x82\xa1a\x01\xa1a\x01", id="a key twice"),
        pytest.param(b"\x81\xa1a\x82\xa1b\x01\xa1b\x01", id="a key twice, inside"),
        pytest.param(b"\x81\x01\x01", id="a number as key"),
        pytest.param(b"\x81\xc0\x01", id="nil as key"),
        pytest.param(b"\x81\xc4\x01a\x01", id="bytes as key"),
        pytest.param(b"\x81\x90\x01", id="an array as key"),
        pytest.param(b"\x81\xa1a\xc4\x21" + bytes(33), id="33 bytes"),
        pytest.param(b"\x81\xa1a\xc5\x01\x00" + bytes(256), id="256 bytes"),
        pytest.param(b"\x81\xa1a\xc6\xff\xff\xff\xff", id="4 GiB of bytes"),
        pytest.param(b"\x81\xa1a\xd6\xff\x00\x00\x00\x01", id="a timestamp of 4 bytes"),
        pytest.param(b"\x81\xa1a\xd7\xff" + bytes(8), id="a timestamp of 8 bytes"),
        pytest.param(b"\x81\xa1a\xc7\x0c\xff" + bytes(12), id="a timestamp of 12 bytes"),
        pytest.param(b"\x81\xa1a\xd4\x05\x00", id="an extension"),
        pytest.param(b"\x81\xa1a\xc7\x00\x05", id="an extension of no bytes"),
        pytest.param(b"\x81\xa1a\xc7\x00\xff", id="a timestamp of no bytes"),
        pytest.param(b"\x81\xa1a\xa1\xff", id="no UTF-8"),
        pytest.param(b"\x81\xa1a\xa3\xed\xa0\x80", id="a surrogate"),
        pytest.param(b"\x81\xa1a\xa2\xc0\x80", id="an overlong zero"),
        pytest.param(b"\x81\xa1a\xdb\xff\xff\xff\xff", id="a text of 4 GiB"),
        pytest.param(b"\x81\xa1a\xdd\xff\xff\xff\xff", id="an array of 4 G items"),
        pytest.param(b"\xdf\xff\xff\xff\xff", id="a map of 4 G items"),
        pytest.param(b"\x81\xa1a" + b"\x91" * 8000 + b"\xc0", id="8000 arrays deep"),
        pytest.param(b"\x81\xa1a" * 2500 + b"\xc0", id="2500 maps deep"),
        pytest.param(msgpack.packb(JOIN) + b"\xc0", id="more behind"),
    ],
)
def test_no_frame_of_ours(data: bytes) -> None:
    for decode, _ in SIDES:
        with pytest.raises(BadFrame):
            decode(data)


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"id": True}, id="a boolean for a number"),
        pytest.param({"id": 1.0}, id="a float for a number"),
        pytest.param({"id": float("nan")}, id="not a number"),
        pytest.param({"id": float("inf")}, id="infinity"),
        pytest.param({"id": "1"}, id="a text for a number"),
        pytest.param({"id": None}, id="nil for a number"),
        pytest.param({"id": -1}, id="below the range"),
        pytest.param({"id": 2**53 + 1}, id="above the range"),
        pytest.param({"id": 2**64 - 1}, id="64 bits"),
        pytest.param({"table": [1]}, id="an array for a number"),
        pytest.param({"table": b""}, id="no bytes for a number"),
        pytest.param({"type": b""}, id="no bytes for the word"),
        pytest.param({"more": 1}, id="an unknown field"),
        pytest.param({"type": "nope"}, id="an unknown word"),
        pytest.param({"type": "done", "re": 1}, id="a server's word"),
        pytest.param({"type": 1}, id="a number for the word"),
        pytest.param({"type": ["join"]}, id="an array for the word"),
        pytest.param({"type": "hello"}, id="fields of another message"),
    ],
)
def test_no_message_of_ours(changes: dict[str, Any]) -> None:
    with pytest.raises(BadMessage):
        decode_client(msgpack.packb({**JOIN, **changes}))


PROMISE = {"type": "promise", "game": 1, "promise": bytes(32)}
HAND = {"type": "hand", "round": 1, "dice": [1], "seed": bytes(32)}


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param("x" * 32, id="a text"),
        pytest.param("AAAA", id="a text that is base64"),
        pytest.param("0x" + "00" * 32, id="hex"),
        pytest.param([0] * 32, id="an array"),
        pytest.param(0, id="a number"),
        pytest.param(None, id="nil"),
        pytest.param(bytes(31), id="31 bytes"),
        pytest.param(b"", id="no bytes"),
    ],
)
def test_a_hash_is_32_bytes_and_nothing_else(wrong: object) -> None:
    assert decode_client(msgpack.packb(PROMISE)) == m.Promise(game=1, promise=bytes(32))
    with pytest.raises(BadMessage):
        decode_client(msgpack.packb({**PROMISE, "promise": wrong}))
    if wrong not in (b"", bytes(31)):  # a seed may be short: it is empty without dice
        with pytest.raises(BadMessage):
            decode_server(msgpack.packb({**HAND, "seed": wrong}))


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"client": b"x"}, id="for a text"),
        pytest.param({"versions": b"\x01"}, id="for an array"),
        pytest.param({"bot": b""}, id="for a boolean"),
    ],
)
def test_bytes_stand_for_nothing_else(changes: dict[str, Any]) -> None:
    hello = {"type": "hello", "versions": [1], "client": "x", "name": "Ana"}
    assert isinstance(decode_client(msgpack.packb(hello)), m.Hello)
    with pytest.raises(BadMessage):
        decode_client(msgpack.packb({**hello, **changes}))


def test_a_lock_is_whole_or_none() -> None:
    make = {"type": "make", "id": 1, "name": "x", "lock": None}
    lock = {"salt": bytes(32), "key": bytes(32)}
    assert isinstance(decode_client(msgpack.packb(make)), m.Make)
    assert isinstance(decode_client(msgpack.packb({**make, "lock": lock})), m.Make)
    wrong: list[Any] = [{"salt": bytes(32)}, {**lock, "more": 1}, {**lock, "key": b""}, True, []]
    for bad in wrong:
        with pytest.raises(BadMessage):
            decode_client(msgpack.packb({**make, "lock": bad}))


@pytest.mark.parametrize("key", ["type", "id", "table"])
def test_nothing_may_be_missing(key: str) -> None:
    with pytest.raises(BadMessage):
        decode_client(msgpack.packb({k: value for k, value in JOIN.items() if k != key}))


@pytest.mark.parametrize(
    ("value", "taken"),
    [(True, True), (3, True), ("x", True), (1.0, False), (None, False), ([1], False)],
)
def test_an_option_is_a_switch_a_number_or_a_word(value: object, taken: bool) -> None:
    data = msgpack.packb({"type": "make", "id": 1, "name": "x", "options": {"a": value}})
    if taken:
        made = decode_client(data)
        assert isinstance(made, m.Make)
        assert made.options == {"a": value}
        assert type(made.options["a"]) is type(value)
    else:
        with pytest.raises(BadMessage):
            decode_client(data)


def test_a_number_is_no_switch() -> None:
    value = {"type": "ready", "id": 1, "game": 1, "round": 1, "ready": 1}
    with pytest.raises(BadMessage):
        decode_client(msgpack.packb(value))


def test_a_word_of_an_enumeration_is_one_of_its_words() -> None:
    seat = {"name": "Ana", "player": "ghost"}
    value = {"type": "update", "rev": 1, "events": [["people", 1, [seat], []]]}
    with pytest.raises(BadMessage):
        decode_server(msgpack.packb(value))


def test_a_bid_out_of_all_range_arrives_for_the_rules_to_refuse() -> None:
    sent = m.PlaceBid(id=1, game=1, round=1, number=0, quantity=2**64 - 1, face=-(2**63))
    assert decode_client(payload(sent)) == sent


def test_an_unknown_event_is_no_message() -> None:
    value = {"type": "update", "rev": 1, "events": [["volcano", 1]]}
    with pytest.raises(BadMessage):
        decode_server(msgpack.packb(value))


def test_an_error_that_quotes_the_other_side_is_safe_to_log() -> None:
    key = "\x1b]0;owned\x07\n2026 INFO all is well\u202e" + "x" * 4000
    with pytest.raises(BadMessage) as caught:
        decode_client(msgpack.packb({**JOIN, key: 1}))
    assert str(caught.value) == clean(str(caught.value))
    assert len(str(caught.value)) < 200
