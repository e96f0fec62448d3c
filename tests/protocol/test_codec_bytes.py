"""Any bytes give a message or a known error, and a newer server may say more."""

from __future__ import annotations

from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perudo_protocol import messages as m
from perudo_protocol import story as ev
from perudo_protocol.codec import decode_client, decode_server
from perudo_protocol.errors import BadFrame, BadMessage, ProtocolError
from perudo_protocol.text import clean
from tests.support.payloads import SIDES, payload
from tests.support.sample_messages import CLIENT, SERVER

EVERY = (*CLIENT, *SERVER)


def judged(data: bytes) -> list[object]:
    """Read bytes as either side would; anything but a documented error is the test's failure."""
    found: list[object] = []
    wrong: list[Exception] = []
    for decode, _ in SIDES:
        try:
            found.append(decode(data))
        except (BadFrame, BadMessage) as error:
            wrong.append(error)
    for text in map(str, wrong):
        assert text == clean(text) != ""
        assert len(text) < 250
    return found


MSGPACK: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats()
    | st.text(max_size=10)
    | st.binary(max_size=40)
    | st.builds(msgpack.ExtType, st.integers(0, 127), st.binary(max_size=20))
    | st.builds(msgpack.Timestamp, st.integers(0, 2**34), st.integers(0, 10**9 - 1)),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=20,
)


@given(st.binary(max_size=500))
def test_random_bytes(data: bytes) -> None:
    judged(data)


@given(MSGPACK)
def test_random_values(value: Any) -> None:
    assert judged(msgpack.packb(value)) == []


@given(st.sampled_from(EVERY), st.data())
def test_messages_with_a_few_bytes_changed(message: Any, data: st.DataObject) -> None:
    bytes_ = bytearray(payload(message))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(bytes_) - 1))
        how = data.draw(st.sampled_from(("set", "cut", "add")))
        if how == "set":
            bytes_[place] = data.draw(st.integers(0, 255))
        elif how == "add" or len(bytes_) == 1:
            bytes_[place:place] = data.draw(st.binary(max_size=6))
        else:
            del bytes_[place]
    judged(bytes(bytes_))


@given(st.sampled_from(EVERY), st.data())
def test_messages_cut_short_or_with_more_behind(message: Any, data: st.DataObject) -> None:
    whole = payload(message)
    cut = whole[: data.draw(st.integers(0, len(whole) - 1))]
    for bad in (cut, whole + data.draw(st.binary(min_size=1, max_size=20))):
        for decode, _ in SIDES:
            with pytest.raises(BadFrame):
                decode(bad)


@given(st.sampled_from(EVERY), st.data())
def test_messages_with_a_value_of_another_type(message: Any, data: st.DataObject) -> None:
    value = msgpack.unpackb(payload(message))
    holder, key = value, data.draw(st.sampled_from(sorted(value)))
    while isinstance(holder[key], (dict, list)) and holder[key] and data.draw(st.booleans()):
        holder = holder[key]
        inner = sorted(holder) if isinstance(holder, dict) else range(len(holder))
        key = data.draw(st.sampled_from(inner))
    holder[key] = data.draw(MSGPACK)
    for found in judged(msgpack.packb(value)):
        judged(payload(found))  # type: ignore[arg-type]


@given(st.sampled_from(CLIENT), st.text(min_size=1, max_size=8), MSGPACK)
def test_a_client_says_nothing_that_is_not_known(message: Any, key: str, extra: Any) -> None:
    value = msgpack.unpackb(payload(message))
    if key not in value and not (isinstance(message, m.Hello) and key == "bot"):
        with pytest.raises(ProtocolError):
            decode_client(msgpack.packb({**value, key: extra}))


@given(st.sampled_from(SERVER), st.sampled_from((1, "x", None, [1], {"a": [2]}, True, 0.5)))
def test_a_newer_server_may_say_more(message: Any, extra: Any) -> None:
    value = msgpack.unpackb(payload(message))
    told = decode_server(payload(message))
    assert decode_server(msgpack.packb({**value, "news": extra})) == told


def test_a_newer_server_may_say_more_in_an_event() -> None:
    value = {"type": "update", "rev": 1, "events": [["ready", 1, True, "news", 7]]}
    assert decode_server(msgpack.packb(value)) == m.Update(rev=1, events=(ev.Ready(1, True),))
