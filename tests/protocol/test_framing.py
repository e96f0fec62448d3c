"""Frames: any cut of the stream gives the same frames, and nothing costs memory beforehand."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perudo_protocol.errors import BadFrame, ForeignProtocol, FrameTooLarge
from perudo_protocol.framing import HEADER, TO_CLIENT, TO_SERVER, FrameReader, frame

LIMIT = 300
PAYLOADS = st.lists(st.binary(min_size=1, max_size=LIMIT), max_size=8)


def read(segments: Iterable[bytes], limit: int = LIMIT) -> tuple[list[bytes], type | None]:
    """Feed segments; give the frames, and the kind of error that ended them."""
    reader = FrameReader(limit)
    found: list[bytes] = []
    try:
        for segment in segments:
            reader.feed(segment)
            while (payload := reader.next()) is not None:
                found.append(payload)
    except BadFrame as error:
        return found, type(error)
    return found, None


def cut(stream: bytes, cuts: list[int]) -> list[bytes]:
    """Cut a stream at these places."""
    places = sorted({0, len(stream), *(place % (len(stream) + 1) for place in cuts)})
    return [stream[a:b] for a, b in pairwise(places)]


@given(PAYLOADS, st.lists(st.integers(0, 5000), max_size=20))
def test_any_segments_give_the_same_frames(payloads: list[bytes], cuts: list[int]) -> None:
    stream = b"".join(frame(payload) for payload in payloads)
    assert read(cut(stream, cuts)) == (payloads, None)


@given(PAYLOADS)
def test_byte_by_byte(payloads: list[bytes]) -> None:
    stream = b"".join(frame(payload) for payload in payloads)
    assert read(stream[i : i + 1] for i in range(len(stream))) == (payloads, None)


@given(st.binary(max_size=2000), st.lists(st.integers(0, 2000), max_size=10))
def test_any_bytes_give_frames_or_a_documented_error(stream: bytes, cuts: list[int]) -> None:
    whole = read([stream])
    assert read(cut(stream, cuts)) == whole


@given(PAYLOADS.filter(bool), st.data())
def test_frames_before_a_damaged_one_are_kept(payloads: list[bytes], data: st.DataObject) -> None:
    stream = bytearray(b"".join(frame(payload) for payload in payloads))
    place = data.draw(st.integers(0, len(stream) - 1))
    stream[place] ^= data.draw(st.integers(1, 255))
    found, _ = read([bytes(stream)])
    before = 0
    ends = 0
    for payload in payloads:
        ends += HEADER + len(payload)
        if ends > place:
            break
        before += 1
    assert found[:before] == payloads[:before]


def test_halfway_from_the_first_byte_to_the_last() -> None:
    reader = FrameReader(LIMIT)
    assert not reader.halfway
    found: list[bytes | None] = []
    for byte in frame(b"abc"):
        reader.feed(bytes([byte]))
        assert reader.halfway
        found.append(reader.next())
    assert found == [None] * 6 + [b"abc"]
    assert not reader.halfway


def test_halfway_with_the_next_frame_begun() -> None:
    reader = FrameReader(LIMIT)
    reader.feed(frame(b"abc") + b"\x00")
    assert reader.next() == b"abc"
    assert reader.next() is None
    assert reader.halfway


@pytest.mark.parametrize("limit", [1, LIMIT, TO_SERVER, TO_CLIENT])
def test_the_limit_itself_is_still_taken(limit: int) -> None:
    payload = b"x" * limit
    assert read([frame(payload)], limit) == ([payload], None)
    assert read([frame(payload + b"x")], limit) == ([], FrameTooLarge)


@pytest.mark.parametrize(
    ("stream", "error"),
    [
        (b"\x00\x00\x00\x00", BadFrame),
        (b"\xff\xff\xff\xff", FrameTooLarge),
        (b"GET / HTTP/1.1\r\n", ForeignProtocol),
        (b"POST / HTTP/1.1\r\n", ForeignProtocol),
        (b"PRI * HTTP/2.0\r\n", ForeignProtocol),
        (b"HTTP/1.1 400 Bad Request\r\n", ForeignProtocol),
        (b"\x16\x03\x01\x02\x00\x01", ForeignProtocol),
        (b"\x15\x03\x03\x00\x02\x02", ForeignProtocol),
        (b"SSH-2.0-OpenSSH_9.6\r\n", FrameTooLarge),
    ],
)
def test_what_is_refused_at_the_first_header(stream: bytes, error: type) -> None:
    assert read([stream], TO_CLIENT) == ([], error)
    assert read([stream[:3]], TO_CLIENT) == ([], None)


def test_another_protocol_is_named() -> None:
    for stream, name in ((b"GET / ", "http"), (b"\x16\x03\x01\x00", "tls")):
        reader = FrameReader(TO_SERVER)
        reader.feed(stream)
        with pytest.raises(ForeignProtocol) as caught:
            reader.next()
        assert caught.value.speaks == name
        assert name in str(caught.value)


def test_another_protocol_is_looked_for_at_the_start_only() -> None:
    assert read([frame(b"x"), b"GET / HTTP/1.1"]) == ([b"x"], FrameTooLarge)


def test_a_broken_reader_stays_broken_and_keeps_nothing() -> None:
    reader = FrameReader(LIMIT)
    reader.feed(b"\xff\xff\xff\xff")
    with pytest.raises(FrameTooLarge):
        reader.next()
    tracemalloc.start()
    for _ in range(100):
        reader.feed(bytes(10_000))
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 20_000
    with pytest.raises(FrameTooLarge):
        reader.next()
    assert not reader.halfway


def test_a_header_of_four_gigabytes_costs_no_memory() -> None:
    reader = FrameReader(TO_SERVER)
    tracemalloc.start()
    reader.feed(b"\xff\xff\xff\xff")
    with pytest.raises(FrameTooLarge):
        reader.next()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 4096


def test_no_more_is_kept_than_a_frame_and_a_segment() -> None:
    stream = frame(b"x" * TO_SERVER) * 100
    segments = cut(stream, list(range(0, len(stream), 5_000)))
    reader = FrameReader(TO_SERVER)
    tracemalloc.start()
    for segment in segments:
        reader.feed(segment)
        while reader.next() is not None:
            pass
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 6 * TO_SERVER


@pytest.mark.timeout(20)
def test_many_small_frames_in_one_segment_cost_no_copy_each() -> None:
    """Takes a second; a copy of what is left for each frame would move 400 GB here."""
    count = 400_000
    found, error = read([frame(b"x") * count])
    assert (len(found), error) == (count, None)
