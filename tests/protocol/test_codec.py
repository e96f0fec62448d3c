"""The codec: every message comes back as it went, and any bytes give a message or a known error."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

import msgpack
import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from perudo_protocol import messages as m
from perudo_protocol import story as ev
from perudo_protocol import views as v
from perudo_protocol.codec import (
    ITEMS_TO_CLIENT,
    ITEMS_TO_SERVER,
    decode_client,
    decode_server,
    decode_strictly,
    encode,
)
from perudo_protocol.errors import BadFrame, BadMessage, FrameTooLarge, ProtocolError
from perudo_protocol.framing import HEADER, TO_CLIENT, TO_SERVER, FrameReader
from perudo_protocol.ruleset import STANDARD, to_wire
from perudo_protocol.text import clean
from perudo_protocol.vocabulary import FACES, Bid, Call, Player
from tests.support.arbitrary import client_messages, instances, kinds, server_messages
from tests.support.sample_messages import CLIENT, SERVER

SIDES: list[tuple[Callable[[bytes], Any], Any]] = [
    (decode_client, m.ClientMessage),
    (decode_server, m.ServerMessage),
]
EVERY = (*CLIENT, *SERVER)
BID = ev.BidPlaced(2, Bid(5, 4))
TURN = ev.TurnSet(0, 141000, (3, 0, 0, 0, 5, 5), (5, 0, 0, 0, 5, 5), (0,), (0,))
KINDS = [(decode, kind) for decode, union in SIDES for kind in kinds(union)]


def payload(message: m.FromClient | m.FromServer) -> bytes:
    """The frame without its header."""
    return encode(message)[HEADER:]


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


# Any bytes ------------------------------------------------------------------------------------

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


# What msgpack would let through ---------------------------------------------------------------

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


# Memory and limits ----------------------------------------------------------------------------


def cost(decode: Callable[[bytes], Any], data: bytes) -> int:
    """Give the most bytes that were taken while reading this, which must fail."""
    tracemalloc.start()
    with pytest.raises(ProtocolError):
        decode(data)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


@pytest.mark.parametrize("size", [4096, TO_SERVER])
@pytest.mark.parametrize(
    "piece",
    [
        b"\xdc\x04\x00",
        b"\xdc\x00\x40",
        b"\xde\x04\x00\xa1a",
        b"\xde\x00\x40\xa1a",
        b"\x91",
        b"\x90",
    ],
)
def test_a_nested_bomb_costs_a_server_less_than_a_mebibyte(piece: bytes, size: int) -> None:
    bomb = (b"\x81\xa1a" + piece * size)[:size]
    assert cost(decode_client, bomb) < 2**20


def test_a_full_frame_of_small_things_costs_a_server_less_than_a_mebibyte() -> None:
    flat = b"\xdc\x00\x40" + (b"\xdc\x00\x40" + b"\x80" * 64) * 64
    assert cost(decode_client, b"\x81\xa1a" + flat) < 2**20
    assert cost(decode_client, b"\x81\xa1a\xdb" + (8000).to_bytes(4, "big") + b"x" * 8000) < 2**20


@pytest.mark.parametrize("piece", [b"\xdc\x04\x00", b"\xde\x04\x00\xa1a", b"\x91", b"\x90"])
def test_a_nested_bomb_costs_a_client_nine_mebibytes_at_most(piece: bytes) -> None:
    bomb = (b"\x81\xa1a" + piece * TO_CLIENT)[:TO_CLIENT]
    assert cost(decode_server, bomb) < 9 * 2**20


@pytest.mark.parametrize(
    ("decode", "items"), [(decode_client, ITEMS_TO_SERVER), (decode_server, ITEMS_TO_CLIENT)]
)
def test_the_longest_array_and_map(decode: Callable[[bytes], Any], items: int) -> None:
    for longest in ([0] * items, {str(n): 0 for n in range(items)}):
        with pytest.raises(BadMessage):  # it is msgpack of ours, and no message
            decode(msgpack.packb({"a": longest}))
    for too_long in ([0] * (items + 1), {str(n): 0 for n in range(items + 1)}):
        with pytest.raises(BadFrame):
            decode(msgpack.packb({"a": too_long}))


@pytest.mark.parametrize(
    ("decode", "limit"), [(decode_client, TO_SERVER), (decode_server, TO_CLIENT)]
)
def test_a_payload_over_the_limit(decode: Callable[[bytes], Any], limit: int) -> None:
    with pytest.raises(FrameTooLarge):
        decode(b"\x80" * (limit + 1))


def test_the_biggest_honest_view_and_list_fit_a_frame() -> None:
    name = "\U0001f3b2" * 16
    seat = v.SeatView(name=name, player=Player.STAND_IN, person=2**53, dice=6, place=10)
    lot = tuple(v.Person(2**53, name, True) for _ in range(400))
    ladder = tuple(v.Placed(9, Bid(60, 6)) for _ in range(250))
    hashes = (b"\xff" * 32,) * 10
    reveal = v.Reveal(
        caller=9,
        call=Call.SPOT_ON,
        bidder=8,
        bid=Bid(60, 6),
        count=60,
        right=True,
        cups=((6,) * 6,) * 10,
        palifico=True,
        lost=tuple(range(10)),
        gained=tuple(range(10)),
        seeds=hashes,
    )
    proof = v.Proof("f" * 32, hashes[0], 2**40, 2**40, hashes, hashes, hashes, tuple(range(10)))
    view = v.TableView(
        table=2**53,
        name=name,
        rules=to_wire(STANDARD),
        rev=2**40,
        host=2**53,
        seats=(seat,) * 10,
        watchers=lot,
        ladder=ladder,
        reveal=reveal,
        you=2**53,
        hand=(6,) * 6,
        seed=hashes[0],
        proof=proof,
    )
    assert decode_server(payload(m.View(view=view))) == m.View(view=view)
    line = m.TableLine(
        table=2**53,
        name=name * 2,
        rules=to_wire(STANDARD),
        people=10,
        bots=10,
        seats=10,
        watchers=512,
        playing=True,
        locked=True,
    )
    tables = m.Tables(tables=(line,) * 64)
    assert decode_server(payload(tables)) == tables


@given(instances(ev.AnyEvent))
@example(ev.BidPlaced(9, Bid(60, 6)))
def test_an_event_is_an_array_that_begins_with_its_word(event: ev.AnyEvent) -> None:
    value = msgpack.unpackb(payload(m.Update(rev=1, events=(event,))))
    [array] = value["events"]
    assert isinstance(array, list)
    assert isinstance(array[0], str)


def test_a_bid_to_a_player_is_a_hundred_bytes_at_most() -> None:
    turn = ev.TurnSet(9, 2**41, (30, 60, 60, 60, 60, 60), (60,) * 6, (9,), (9,))
    update = m.Update(rev=2**20, events=(ev.BidPlaced(8, Bid(59, 6)), turn))
    assert len(encode(update)) <= 100


@given(st.integers(1, 60), st.lists(st.sampled_from(FACES), max_size=6).map(tuple))
def test_a_hands_frame_tells_by_its_length_how_many_dice_and_no_more(
    number: int, dice: tuple[int, ...]
) -> None:
    aces = m.OwnHand(round=number, dice=(1,) * len(dice))
    assert len(encode(m.OwnHand(round=number, dice=dice))) == len(encode(aces))
    sealed = m.OwnHand(round=number, dice=dice, seed=b"\x00" * 32)
    assert len(encode(sealed)) == len(encode(replace(sealed, dice=aces.dice, seed=b"\xff" * 32)))
