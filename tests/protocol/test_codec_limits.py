"""What a frame may hold and cost, and how long what is said all the time is."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

import msgpack
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
    encode,
)
from perudo_protocol.errors import BadFrame, BadMessage, FrameTooLarge, ProtocolError
from perudo_protocol.framing import TO_CLIENT, TO_SERVER
from perudo_protocol.ruleset import STANDARD, to_wire
from perudo_protocol.vocabulary import FACES, Bid, Call, Player
from tests.support.arbitrary import instances
from tests.support.payloads import payload


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
