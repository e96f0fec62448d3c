"""Our share in the dice when the line is lost in the middle of a draw."""

from __future__ import annotations

from itertools import count

import pytest
from msgspec.structs import replace

from perudo_client.faults import Fault
from perudo_client.findings import Excused
from perudo_client.model import Model
from perudo_client.proving import Share
from perudo_protocol import fairness
from perudo_protocol import messages as m
from perudo_protocol.story import Committed
from perudo_protocol.views import Proof, TableView
from perudo_protocol.vocabulary import Phase
from tests.support import sample_views

GAME = "00112233445566778899aabbccddeeff"
SEAT = 5


def share() -> Share:
    numbers = count(1)
    return Share(lambda: bytes([next(numbers)]) * fairness.SIZE)


def drawing(promise: bytes, attempt: int = 0, **changes: object) -> TableView:
    """Give the view of a draw for round 7 in which we take part with this promise."""
    promises = tuple(promise if seat == SEAT else b"" for seat in range(6))
    proof = Proof(game=GAME, chain=b"k" * 32, round=7, attempt=attempt, promises=promises)
    view = sample_views.six(phase=Phase.REVEAL, round=6, turn=None, ladder=(), hand=())
    return replace(view, proof=replace(proof, **changes))


def promised(ours: Share) -> tuple[bytes, m.Entropy]:
    """Promise, and answer the draw; give the promise and the answer."""
    first = ours.begin(drawing(b""))
    assert first is not None
    answer = ours.answer(drawing(first.promise))
    assert answer is not None
    return first.promise, answer


def test_the_same_answer_is_given_again_while_the_draw_awaits_it() -> None:
    ours = share()
    promise, answer = promised(ours)
    assert ours.again(drawing(promise)) == answer
    assert ours.again(drawing(promise)) == answer
    assert ours.answer(drawing(promise)) is None, "nothing new is opened for it"


def test_it_is_not_given_again_where_nothing_awaits_it() -> None:
    ours = share()
    assert ours.again(drawing(b"p" * 32)) is None, "nothing was answered yet"
    promise, answer = promised(ours)
    everything = (b"e" * 32,) * 6
    assert ours.again(drawing(promise, entropies=everything)) is None
    assert ours.again(drawing(promise, attempt=1)) is None
    assert ours.again(drawing(answer.promise)) is None, "that promise is for another draw"
    assert ours.again(drawing(b"")) is None
    assert ours.again(replace(drawing(promise), game=99)) is None


def test_a_new_promise_does_not_follow_a_lost_line() -> None:
    ours = share()
    promise, _answer = promised(ours)
    assert ours.begin(drawing(promise)) is None


def test_a_model_that_comes_back_sends_its_share_again() -> None:
    model = Model(lambda: b"x" * fairness.SIZE)
    welcome = m.Welcome(version=1, server="s", name="n", person=11, you="João", now=0)
    model.apply(welcome, 0.0)
    thrown = replace(drawing(b""), phase=Phase.THROW, round=0)
    start = Proof(game=GAME, chain=fairness.first_link(GAME))
    model.apply(m.View(view=replace(thrown, proof=start)), 0.0)
    (promise,) = model.proving.outgoing
    assert isinstance(promise, m.Promise)
    commitments = tuple(b"c" * 32 if seat.dice else b"" for seat in thrown.seats)
    promises = drawing(promise.promise).proof.promises
    proof = replace(start, round=1, commitments=commitments, promises=promises)
    view = replace(thrown, proof=proof)
    model.apply(m.View(view=replace(view, rev=50)), 0.0)
    (answer,) = model.proving.outgoing
    model.apply(replace(welcome, resumed=True), 1.0)
    model.apply(m.View(view=replace(view, rev=51)), 1.0)
    assert model.proving.outgoing == [answer]


@pytest.mark.parametrize("resumed", [True, False])
def test_being_left_out_after_a_lost_line_is_no_fault(resumed: bool) -> None:
    model = Model(lambda: b"x" * fairness.SIZE)
    welcome = m.Welcome(version=1, server="s", name="n", person=11, you="João", now=0)
    model.apply(welcome, 0.0)
    proof = Proof(game=GAME, chain=fairness.first_link(GAME))
    before = replace(drawing(b""), phase=Phase.THROW, round=0, proof=proof)
    model.apply(m.View(view=before), 0.0)
    (promise,) = model.proving.outgoing
    assert isinstance(promise, m.Promise)
    commitments = (*(b"c" * 32,) * 4, b"", b"c" * 32)
    first = Committed(1, 0, commitments, drawing(promise.promise).proof.promises)
    model.apply(m.Update(rev=before.rev + 1, events=(first,)), 0.0)
    assert isinstance(model.proving.outgoing[0], m.Entropy)
    assert model.view is not None
    if resumed:
        model.apply(replace(welcome, resumed=True), 1.0)
        model.apply(m.View(view=model.view), 1.0)
        assert len(model.proving.outgoing) == 1
    anew = Committed(1, 1, (*(b"d" * 32,) * 4, b"", b"d" * 32), (b"",) * 6, (SEAT,))
    happened = model.apply(m.Update(rev=model.view.rev + 1, events=(anew,)), 2.0)
    found = [getattr(each, "finding", None) for each in happened]
    assert any(isinstance(each, Excused) for each in found) is resumed, found
    assert any(isinstance(each, Fault) for each in found) is not resumed, found
