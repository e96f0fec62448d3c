"""The codec: every message comes back as it went, by the short way and by the long one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgpack
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perudo_protocol import messages as m
from perudo_protocol import story as ev
from perudo_protocol import views as v
from perudo_protocol.codec import decode_client, decode_server, decode_strictly, encode
from perudo_protocol.errors import BadFrame, BadMessage, ProtocolError
from perudo_protocol.framing import TO_SERVER, FrameReader
from perudo_protocol.vocabulary import Bid
from tests.support.arbitrary import client_messages, instances, kinds, server_messages
from tests.support.payloads import SIDES, payload

BID = ev.BidPlaced(2, Bid(5, 4))
TURN = ev.TurnSet(0, 141000, (3, 0, 0, 0, 5, 5), (5, 0, 0, 0, 5, 5), (0,), (0,))
KINDS = [(decode, kind) for decode, union in SIDES for kind in kinds(union)]

# Round trip -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("decode", "kind"), KINDS, ids=[kind.__name__ for _, kind in KINDS])
@given(data=st.data())
def test_each_message_comes_back_as_it_went(
    decode: Callable[[bytes], Any], kind: Any, data: st.DataObject
) -> None:
    message = data.draw(instances(kind))
    found = decode(payload(message))
    assert found == message
    assert type(found) is kind
    assert payload(found) == payload(message)


@given(server_messages(), client_messages())
def test_no_message_passes_for_one_of_the_other_direction(
    theirs: m.ServerMessage, ours: m.ClientMessage
) -> None:
    with pytest.raises(BadMessage):
        decode_client(payload(theirs))
    with pytest.raises(BadMessage):
        decode_server(payload(ours))


@given(st.lists(client_messages(), max_size=5), st.integers(1, 50))
def test_messages_go_through_the_framing(messages: list[m.ClientMessage], step: int) -> None:
    stream = b"".join(encode(message) for message in messages)
    reader = FrameReader(TO_SERVER)
    found = []
    for place in range(0, len(stream), step):
        reader.feed(stream[place : place + step])
        while (frame := reader.next()) is not None:
            found.append(decode_client(frame))
    assert found == messages


def test_a_lone_surrogate_goes_out_as_a_question_mark() -> None:
    sent = m.Say(id=1, text="a\ud800b")
    assert decode_client(payload(sent)) == m.Say(id=1, text="a?b")


# The short way is the long way ----------------------------------------------------------------

OFTEN: tuple[m.ClientMessage, ...] = (
    m.PlaceBid(id=1, game=2, round=3, number=4, quantity=5, face=6),
    m.Entropy(game=1, round=2, attempt=0, entropy=b"e" * 32, promise=b"p" * 32),
    m.Pong(now=77),
    m.Resume(versions=(1, 2), client="test", person=9, nonce=b"n" * 32),
    m.Prove(proof=b"q" * 32),
)


def verdict(decode: Callable[[bytes], Any], data: bytes) -> tuple[type, str]:
    """What comes of reading these bytes: the message, or the kind of error and its words."""
    try:
        found = decode(data)
    except ProtocolError as wrong:
        return type(wrong), str(wrong)
    return type(found), repr(found)


def alike(data: bytes) -> bool:
    """Whether both ways judge these bytes alike, and let them in or not."""
    return verdict(decode_client, data) == verdict(decode_strictly, data)


@given(server_messages() | client_messages())
def test_what_is_written_is_what_msgpack_writes(message: m.FromClient | m.FromServer) -> None:
    sent = (isinstance(message, m.Update) and m.in_brief(message)) or message
    plain = msgspec.to_builtins(sent, builtin_types=(bytes,))
    assert payload(message) == msgpack.packb(plain)


@given(instances(v.Running), instances(ev.BidPlaced), instances(ev.TurnSet))
def test_a_bid_and_a_turn_are_told_in_brief_and_understood_either_way(
    rev: int, bid: ev.BidPlaced, turn: ev.TurnSet
) -> None:
    update = m.Update(rev=rev, events=(bid, turn))
    told = payload(update)
    at_length = msgpack.packb(msgspec.to_builtins(update, builtin_types=(bytes,)))
    assert msgpack.unpackb(told)["type"] == "bid"
    assert len(told) < len(at_length)
    assert decode_server(told) == decode_server(at_length) == update


@pytest.mark.parametrize("events", [(), (BID,), (TURN,), (TURN, BID), (BID, TURN, BID)])
def test_no_other_update_has_a_short_form(events: tuple[ev.AnyEvent, ...]) -> None:
    update = m.Update(rev=1, events=events)
    assert msgpack.unpackb(payload(update))["type"] == "update"
    assert decode_server(payload(update)) == update


@given(client_messages())
def test_both_ways_read_every_message_alike(message: m.ClientMessage) -> None:
    assert decode_client(payload(message)) == decode_strictly(payload(message)) == message


@given(st.sampled_from(OFTEN), st.data())
def test_both_ways_judge_changed_bytes_alike(message: Any, data: st.DataObject) -> None:
    bytes_ = bytearray(payload(message))
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(1, len(bytes_) - 1))
        bytes_[place : place + data.draw(st.integers(0, 2))] = data.draw(st.binary(max_size=3))
    assert alike(bytes(bytes_))


VALUES: tuple[Any, ...] = (
    *(0, -1, 7, 2**31, 2**53, 2**53 + 1, 2**63, 2**64 - 1, -(2**63), 3.0, 3.5, float("nan")),
    *(True, None, "3", b"3", b"s" * 32, b"s" * 33, "s" * 32, [], [3], {}, {"a": 1}),
    *(msgpack.ExtType(5, b"x"), msgpack.Timestamp(3), "bid", "pong", "entropy", b"bid", "\x00"),
)


@pytest.mark.parametrize("message", OFTEN, ids=lambda each: type(each).__name__)
def test_both_ways_judge_every_kind_of_value_alike(message: m.ClientMessage) -> None:
    plain: dict[str, Any] = msgpack.unpackb(payload(message))
    for name in plain:
        for value in VALUES:
            assert alike(msgpack.packb({**plain, name: value})), (name, value)
        for other in ("", "x", "type", "game", "id", b"game", 1, None, "\U0001f3b2"):
            renamed = [(other if key == name else key, each) for key, each in plain.items()]
            assert alike(packed_pairs(renamed)), (name, other)
        assert alike(packed_pairs([*plain.items(), (name, plain[name])]))
        twice = [(name, plain[name])] * len(plain)
        assert alike(packed_pairs(twice))
        assert alike(packed_pairs([pair for pair in plain.items() if pair[0] != name]))


@pytest.mark.parametrize("message", OFTEN, ids=lambda each: type(each).__name__)
@pytest.mark.parametrize("piece", [b"\x91", b"\x81\xa1a"])
def test_what_nests_too_deep_is_refused_the_short_way_too(
    message: m.ClientMessage, piece: bytes
) -> None:
    plain: dict[str, Any] = msgpack.unpackb(payload(message))
    for depth in (10, 900, 2500):
        deep = piece * depth + b"\xc0"
        for name in plain:
            rest = [(key, value) for key, value in plain.items() if key != name]
            packed = b"".join(msgpack.packb(each) for pair in rest for each in pair)
            for key in (name, "x"):
                head = bytes([0x80 + len(plain)]) + msgpack.packb(key) + deep
                assert alike(head + packed), (name, depth)


def test_a_key_that_stands_twice_is_refused_the_short_way_too() -> None:
    for message in OFTEN:
        plain: dict[str, Any] = msgpack.unpackb(payload(message))
        first, *others = plain.items()
        for twice in ([first, first, *others[:-1]], [*others, others[0]]):
            assert len(twice) == len(plain)
            with pytest.raises(BadFrame, match="stands twice"):
                decode_client(packed_pairs(twice))


def packed_pairs(pairs: list[tuple[Any, Any]]) -> bytes:
    """A map of these pairs, though a key may stand twice."""
    packer = msgpack.Packer()
    body = b"".join(packer.pack(each) for pair in pairs for each in pair)
    return bytes(packer.pack_map_header(len(pairs))) + body
