"""Our share in the dice when a whole draw went by while the line was lost."""

from __future__ import annotations

from itertools import count

import pytest
from msgspec.structs import replace

from perudo_client.model import Model
from perudo_protocol import fairness
from perudo_protocol import messages as m
from perudo_protocol.story import Committed, Ready
from perudo_protocol.views import Proof, TableView
from perudo_protocol.vocabulary import Phase
from tests.support import sample_views

GAME = "00112233445566778899aabbccddeeff"
SEAT = 5
WELCOME = m.Welcome(version=1, server="s", name="n", person=11, you="João", now=0)
COMMITMENTS = (b"c" * 32,) * 6


def at_seat(promise: bytes) -> tuple[bytes, ...]:
    return tuple(promise if seat == SEAT else b"" for seat in range(6))


def thrown() -> TableView:
    proof = Proof(game=GAME, chain=fairness.first_link(GAME))
    view = sample_views.six(phase=Phase.THROW, round=0, turn=None, ladder=(), hand=(), proof=proof)
    return replace(view, seats=tuple(replace(seat, dice=5) for seat in view.seats))


def promised(model: Model) -> bytes:
    (promise,) = model.proving.outgoing
    assert isinstance(promise, m.Promise)
    return promise.promise


@pytest.mark.parametrize("kept", [False, True], ids=["used up", "taken anew"])
def test_a_draw_that_was_missed_is_no_fault_and_the_next_has_our_share(kept: bool) -> None:
    """Our promise was for the draw that we missed; so we promise anew, and nobody has cheated
    whose next draw does not know of it yet."""
    numbers = count(1)
    model = Model(lambda: bytes([next(numbers)]) * fairness.SIZE)
    model.apply(WELCOME, 0.0)
    model.apply(m.View(view=thrown()), 0.0)
    first = promised(model)
    ready = Ready(SEAT, True)  # said after the promise, so that the server has that for sure
    model.apply(m.Update(rev=thrown().rev + 1, events=(ready,)), 0.0)

    proof = replace(thrown().proof, round=1, attempt=1, commitments=COMMITMENTS)
    others = (b"p" * 32, *at_seat(b"")[1:])
    missed = replace(thrown(), rev=50, proof=replace(proof, promises=others, left_out=(SEAT,)))
    if kept:  # the server had heard nothing of the first one: another has failed
        missed = replace(missed, proof=replace(missed.proof, left_out=(1,)))
    model.apply(replace(WELCOME, resumed=True), 20.0)
    model.apply(m.View(view=missed), 20.0)
    second = promised(model)
    assert second != first

    listed = at_seat(second if kept else b"")
    anew = Committed(1, 2, COMMITMENTS, listed, (0,))
    model.apply(m.Update(rev=51, events=(anew,)), 40.0)
    assert model.proving.alarm is None
    answers = model.proving.outgoing
    assert [type(answer) for answer in answers] == [m.Entropy] * kept


def test_a_promise_that_got_lost_before_the_first_draw_is_made_anew() -> None:
    numbers = count(1)
    model = Model(lambda: bytes([next(numbers)]) * fairness.SIZE)
    model.apply(WELCOME, 0.0)
    model.apply(m.View(view=thrown()), 0.0)
    first = promised(model)
    model.apply(replace(WELCOME, resumed=True), 1.0)
    model.apply(m.View(view=replace(thrown(), rev=50)), 1.0)
    assert promised(model) != first
