"""`perudo-fair/1` gives what its vectors say, and every change of what goes in shows."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perudo_protocol import fairness
from perudo_protocol.fairness import Draw

GAME = "8f3a1c"
DRAW = Draw(GAME, 1, 0)
SEEDS = {0: b"\x10" * 32, 1: b"\x11" * 32, 2: b"\x12" * 32}
ENTROPIES = {0: b"\xa0" * 32, 1: b"\xa1" * 32, 2: b"\xa2" * 32}
COMMITMENTS = (
    "10d1eb1936e186dbd471cccd720b194dfb32747b50e2a03999cc5019e2f5df45",
    "efc56d8f8e30e23f49d2ff60beec8df84d9ff9811341df3313faf76763b20d47",
    "616566ca0cfaa128321afa949d7e2fb814e0956bf0df7a22243391db247e98ca",
)
PROMISES = (
    "5efe234003b15a71d8b468342421fe572b0679d9df2b3c135415d196d7e8fb9f",
    "1fcb71f70010b63f08818bc711ba3138186cab10895f85360e50ad4e9beced6f",
    "d82b4944f7dcd862b9955429cc35bb0e9bab6bd285691fd005bcb73a81d885fa",
)
MIX = "cdc10edfa9bcf8a393c4710edde96c5b6679e3184be285e21eddda6f722b24a0"
T0 = "4fffbd990e99f4c0ee0ad2baf9b31eefc7443608cc808577d6c92a6b8ea7ad34"
T1 = "4552e813ac2244b2b5c4a6e3070c93fa9998a5267d87c3778577aad0d6d64859"
FORTY = "5 3 6 5 6 5 2 4 4 1 4 1 2 4 2 5 1 4 5 4 5 6 4 3 4 1 2 3 6 2 2 1 5 5 2 2 6 4 1 2"

secret = st.binary(min_size=32, max_size=32)


def numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split()))


@pytest.mark.parametrize("seat", range(3))
def test_commitments_and_promises_are_those_of_the_vectors(seat: int) -> None:
    assert fairness.commitment(DRAW, seat, SEEDS[seat]).hex() == COMMITMENTS[seat]
    assert fairness.promise(GAME, seat, ENTROPIES[seat]).hex() == PROMISES[seat]


def test_the_mix_is_that_of_the_vectors_in_whatever_order_entropy_came() -> None:
    assert fairness.mix(DRAW, ENTROPIES).hex() == MIX
    assert fairness.mix(DRAW, dict(reversed(ENTROPIES.items()))).hex() == MIX


@pytest.mark.parametrize(("seat", "hand"), [(0, "5 3 6 5 6"), (1, "5 2 2 4 2"), (2, "6 3 2 3 5")])
def test_the_hands_are_those_of_the_vectors(seat: int, hand: str) -> None:
    assert fairness.dice(DRAW, seat, SEEDS[seat], bytes.fromhex(MIX), 5) == numbers(hand)


def test_a_second_block_follows_when_the_first_is_used_up() -> None:
    assert fairness.dice(DRAW, 0, SEEDS[0], bytes.fromhex(MIX), 40) == numbers(FORTY)


def test_bytes_that_would_favour_a_face_are_skipped() -> None:
    seed = (30).to_bytes(32, "big")
    assert fairness.dice(DRAW, 0, seed, bytes.fromhex(MIX), 5) == (1, 4, 1, 5, 4)


def test_the_chain_is_that_of_the_vectors() -> None:
    first = fairness.first_link(GAME)
    assert first.hex() == T0
    commitments = [(seat, bytes.fromhex(value)) for seat, value in enumerate(COMMITMENTS)]
    link = fairness.next_link(first, DRAW, commitments, bytes.fromhex(MIX), SEEDS.items())
    assert link.hex() == T1
    assert fairness.digits(link) == "4552e8"


@settings(max_examples=60)
@given(secret, secret, st.integers(0, 9), st.integers(0, 60))
def test_dice_are_faces_and_fewer_dice_are_the_first_of_more(
    seed: bytes, mixed: bytes, seat: int, number: int
) -> None:
    many = fairness.dice(DRAW, seat, seed, mixed, 60)
    assert set(many) <= set(range(1, 7))
    assert fairness.dice(DRAW, seat, seed, mixed, number) == many[:number]


@settings(max_examples=60)
@given(secret, st.integers(0, 255), st.integers(1, 255))
def test_every_changed_byte_changes_every_hash(seed: bytes, place: int, change: int) -> None:
    at = place % 32
    other = seed[:at] + bytes([seed[at] ^ change]) + seed[at + 1 :]
    assert fairness.commitment(DRAW, 0, seed) != fairness.commitment(DRAW, 0, other)
    assert fairness.promise(GAME, 0, seed) != fairness.promise(GAME, 0, other)
    assert fairness.mix(DRAW, {0: seed}) != fairness.mix(DRAW, {0: other})


def test_no_hash_of_one_draw_or_seat_fits_another() -> None:
    draws = [DRAW, Draw(GAME, 2, 0), Draw(GAME, 1, 1), Draw("8f3a1d", 1, 0)]
    seats = range(3)
    made = {fairness.commitment(draw, seat, SEEDS[0]) for draw in draws for seat in seats}
    assert len(made) == len(draws) * len(seats)
    assert len({fairness.mix(draw, ENTROPIES) for draw in draws}) == len(draws)
    # Whose entropy it is counts too, and that one is missing is not the same as that one is empty.
    assert fairness.mix(DRAW, {0: SEEDS[0]}) != fairness.mix(DRAW, {1: SEEDS[0]})
    assert fairness.mix(DRAW, {}) != fairness.mix(DRAW, {0: b""})
