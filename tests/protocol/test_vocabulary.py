"""The words of the game as plain values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perudo_protocol.vocabulary import (
    FACES,
    NO_OPTIONS,
    PHRASES,
    Bid,
    Call,
    Options,
    Phase,
    Player,
    Refusal,
)


@given(st.integers(0, 999), st.sampled_from(FACES))
def test_a_bid_is_read_as_it_is_written(quantity: int, face: int) -> None:
    assert Bid.parse(str(Bid(quantity, face))) == Bid(quantity, face)


@pytest.mark.parametrize("text", ["5x4", "5 x 4", " 5x4 ", "5×4", "5*4", "05x4", "5  ×  4"])
def test_ways_to_write_five_fours(text: str) -> None:
    assert Bid.parse(text) == Bid(5, 4)


@pytest.mark.parametrize(
    "text",
    ["", "5", "x4", "5x", "5x7", "5x0", "4 5", "-1x4", "5.0x4", "1000x4", "5x4x3", "٥x4", "5X4 !"],
)
def test_what_is_no_bid(text: str) -> None:
    with pytest.raises(ValueError, match="is not a bid; write how many and which face, as in 5x4"):
        Bid.parse(text)


def test_options_allow_what_is_between_their_bounds() -> None:
    options = Options(least=(2, 0, 3, 3, 3, 3), most=(9, 0, 9, 9, 9, 3))
    for face in FACES:
        for quantity in range(-1, 12):
            least, most = options.least[face - 1], options.most[face - 1]
            expected = face != 2 and least <= quantity <= most
            assert options.allows(Bid(quantity, face)) is expected
    assert options.may_bid


@pytest.mark.parametrize("bid", [Bid(3, 0), Bid(3, 7), Bid(3, -1), Bid(0, 2), Bid(-3, 3)])
def test_options_allow_nothing_out_of_range(bid: Bid) -> None:
    assert not Options(least=(0, 0, 1, 1, 1, 1), most=(9, 9, 9, 9, 9, 9)).allows(bid)


def test_no_options_allow_nothing() -> None:
    assert not NO_OPTIONS.may_bid
    assert not NO_OPTIONS.may_dudo
    assert not NO_OPTIONS.may_spot_on
    assert not any(NO_OPTIONS.allows(Bid(q, f)) for q in range(61) for f in FACES)


def test_words_of_the_protocol_never_change() -> None:
    assert " ".join(Refusal) == (
        "not_playing not_your_turn out_of_range above_table aces_opening not_higher face_locked "
        "disabled no_bid own_bid stale not_in_palifico not_heads_up"
    )
    assert " ".join(Call) == "dudo spot_on"
    assert " ".join(Phase) == "lobby throw bidding reveal over"
    assert " ".join(Player) == "person bot stand_in nobody"
    assert " ".join(PHRASES) == (
        "hello good_luck well_played nice_bluff no_way really thinking hurry_up oops thanks again "
        "goodbye"
    )
