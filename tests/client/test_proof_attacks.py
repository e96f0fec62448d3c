"""Servers that try to choose the dice, or to draw again: each is found out, and where."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from perudo_client.faults import Fault, FaultKind
from perudo_client.findings import Gap, Without
from perudo_client.proving import Mark
from perudo_protocol import messages as m
from perudo_protocol import story as ev
from perudo_protocol.fairness import Draw
from perudo_protocol.views import Proof
from perudo_protocol.vocabulary import Phase, Player
from tests.support.liar import ANA, BEN, NONE, Liar

K = FaultKind


def started() -> Liar:
    liar = Liar()
    liar.start()
    return liar


def start_twice() -> Liar:
    """So that the share is out for the whole game."""
    liar = started()
    liar.start()
    return liar


def start_again_with_another_id() -> Liar:
    liar = started()
    liar.start(2, "beef")
    return liar


def start_after_fishing() -> Liar:
    liar = started()
    liar.fished()
    liar.start()
    return liar


def old_game_again() -> Liar:
    """The id of a game that is over comes twice."""
    liar = started()
    liar.tell(ev.Won(BEN, (), liar.view.proof.chain))
    liar.start(2)
    return liar


def another_game_in_a_view() -> Liar:
    liar = started()
    liar.played()
    draw, seeds = Draw("beef", 2, 0), liar.draw()[1]
    liar.show(game=2, **liar.pictured(draw, seeds, NONE))
    return liar


def no_proof_any_more() -> Liar:
    liar = started()
    liar.show(game=2, proof=Proof())
    return liar


def a_lobby_in_between() -> Liar:
    liar = started()
    liar.fished()
    liar.show(phase=Phase.LOBBY)
    return liar


def on_after_over() -> Liar:
    liar = started()
    liar.tell(ev.Won(BEN, (), liar.view.proof.chain))
    draw, seeds = liar.draw()
    liar.tell(liar.commit(draw, seeds, (liar.promise, b"")))
    return liar


def unseated_for_the_deal() -> Liar:
    """Out before the commitment and back after the deal, all in one update."""
    liar = started()
    seats = liar.view.seats
    away = (replace(seats[ANA], person=0), seats[BEN])
    draw, seeds = liar.draw()
    commit = liar.commit(draw, seeds, NONE)
    dealt = liar.deal(draw, seeds, NONE)
    liar.tell(ev.People(2, away, ()), commit, *dealt, ev.People(2, seats, ()))
    return liar


def stood_in_for_the_deal() -> Liar:
    """The same with a bot that stands in: nobody but a view gives a seat back."""
    liar = started()
    seats = liar.view.seats
    away = (replace(seats[ANA], person=7, player=Player.STAND_IN), seats[BEN])
    liar.tell(ev.People(2, away, ()))
    liar.tell(ev.People(2, seats, ()))
    return liar


def another_seat() -> Liar:
    liar = started()
    one, other = liar.view.seats
    liar.show(seats=(replace(one, person=2), replace(other, person=1)))
    return liar


def rolled_again_by_a_view() -> Liar:
    """Another attempt with our next promise, and nobody named."""
    liar = started()
    liar.fished()
    draw, seeds = liar.draw(1)
    proof = replace(liar.view.proof, attempt=1, commitments=liar.commitments(draw, seeds))
    liar.show(proof=replace(proof, promises=(liar.promise, b"")))
    return liar


def passed_over_by_a_view() -> Liar:
    liar = started()
    liar.fished()
    draw, seeds = liar.draw(1)
    hashes = liar.commitments(draw, seeds)
    liar.show(proof=replace(liar.view.proof, attempt=1, commitments=hashes, promises=NONE))
    return liar


def attempts_later_by_a_view() -> Liar:
    liar = started()
    liar.fished()
    draw, seeds = liar.draw(3)
    liar.show(**liar.pictured(draw, seeds, NONE, left_out=(BEN,)))
    return liar


def foreign_promise_in_a_view() -> Liar:
    liar = started()
    draw, seeds = liar.draw()
    hashes = liar.commitments(draw, seeds)
    promises = (b"\1" * 32, b"")
    liar.show(proof=replace(liar.view.proof, round=1, commitments=hashes, promises=promises))
    return liar


def left_out_at_once() -> Liar:
    liar = started()
    draw, seeds = liar.draw()
    liar.tell(liar.commit(draw, seeds, (liar.promise, b""), (BEN,)))
    return liar


def puppet_that_never_promised() -> Liar:
    liar = started()
    liar.fished()
    draw, seeds = liar.draw(1)
    liar.tell(liar.commit(draw, seeds, (liar.promise, b""), (BEN,)))
    return liar


def puppet_left_out_twice() -> Liar:
    liar = started()
    draw, seeds = liar.draw()
    liar.tell(liar.commit(draw, seeds, (liar.promise, b"p" * 32)))
    for attempt in (1, 2):
        draw, seeds = liar.draw(attempt)
        liar.tell(liar.commit(draw, seeds, (liar.promise, b""), (BEN,)))
    return liar


def puppet_back_in_its_round() -> Liar:
    liar = started()
    draw, seeds = liar.draw()
    liar.tell(liar.commit(draw, seeds, (liar.promise, b"p" * 32)))
    draw, seeds = liar.draw(1)
    liar.tell(liar.commit(draw, seeds, (liar.promise, b""), (BEN,)))
    draw, seeds = liar.draw(2)
    liar.tell(liar.commit(draw, seeds, (liar.promise, b"q" * 32), (ANA,)))
    return liar


def cups_cut_in_a_view() -> Liar:
    liar = started()
    told = liar.dealt()
    liar.bid()
    shown, chain = liar.called(*told), liar.chain(*told)
    shown = replace(shown, cups=(shown.cups[ANA], shown.cups[BEN][:2]))
    number = sum(die in (1, 6) for cup in shown.cups for die in cup)
    shown = replace(shown, count=number, right=number < 3)
    proof = replace(liar.view.proof, chain=chain)
    liar.show(phase=Phase.REVEAL, turn=None, reveal=shown, proof=proof)
    return liar


def dice_changed_in_a_round() -> Liar:
    liar = started()
    liar.dealt()
    one, other = liar.view.seats
    liar.tell(ev.People(2, (one, replace(other, dice=6)), ()))
    return liar


def dice_changed_by_a_view() -> Liar:
    liar = started()
    liar.dealt()
    one, other = liar.view.seats
    liar.show(seats=(one, replace(other, dice=4)))
    return liar


def reveal_altered() -> Liar:
    """A view after the call has other cups, counted right."""
    liar = started()
    liar.played()
    assert liar.view.reveal is not None
    cups = ((6,) * 5, (6,) * 5)
    liar.show(reveal=replace(liar.view.reveal, cups=cups, count=10, right=False))
    return liar


def reveal_altered_in_the_next_draw() -> Liar:
    liar = started()
    liar.played()
    liar.fished()
    assert liar.view.reveal is not None
    cups = ((6,) * 5, (6,) * 5)
    liar.show(reveal=replace(liar.view.reveal, cups=cups, count=10, right=False))
    return liar


def hand_for_a_watcher() -> Liar:
    liar = Liar(seated=False)
    liar.tell(ev.Started(1, 5, "8f3a"), ev.NextSet(BEN, False, 0))
    draw, seeds = liar.draw()
    liar.tell(liar.commit(draw, seeds, NONE), *liar.deal(draw, seeds, NONE))
    liar.hand(draw, seeds, NONE)
    return liar


def excused_without_reason() -> Liar:
    """The client had stood still before it was asked; it answered at once, and is passed over."""
    liar = started()
    liar.now += 5.0
    liar.tell(ev.Paused(0))
    for _ in range(60):
        liar.now += 0.5
        liar.model.proving.beat(liar.now)
    liar.fished()
    liar.now += 1.0
    draw, seeds = liar.draw(1)
    liar.tell(liar.commit(draw, seeds, NONE, (ANA,)))
    return liar


ATTACKS: list[tuple[Callable[[], Liar], FaultKind, int, int]] = [
    (start_twice, K.TWO_STORIES, 0, -1),
    (start_again_with_another_id, K.TWO_STORIES, 0, -1),
    (start_after_fishing, K.TWO_STORIES, 0, -1),
    (old_game_again, K.TWO_STORIES, 0, -1),
    (another_game_in_a_view, K.TWO_STORIES, 2, -1),
    (no_proof_any_more, K.MISSING, 0, -1),
    (a_lobby_in_between, K.TWO_STORIES, 0, -1),
    (on_after_over, K.TWO_STORIES, 0, -1),
    (unseated_for_the_deal, K.TWO_STORIES, 0, ANA),
    (stood_in_for_the_deal, K.TWO_STORIES, 0, ANA),
    (another_seat, K.TWO_STORIES, 0, BEN),
    (rolled_again_by_a_view, K.ABSENCE, 1, -1),
    (passed_over_by_a_view, K.LEFT_OUT, 1, ANA),
    (attempts_later_by_a_view, K.ABSENCE, 1, ANA),
    (foreign_promise_in_a_view, K.CHANGED, 1, ANA),
    (left_out_at_once, K.REDRAWN, 1, BEN),
    (puppet_that_never_promised, K.REDRAWN, 1, BEN),
    (puppet_left_out_twice, K.REDRAWN, 1, BEN),
    (puppet_back_in_its_round, K.ABSENCE, 1, ANA),
    (cups_cut_in_a_view, K.OTHER_DICE, 1, BEN),
    (dice_changed_in_a_round, K.TWO_STORIES, 1, BEN),
    (dice_changed_by_a_view, K.TWO_STORIES, 1, -1),
    (reveal_altered, K.TWO_STORIES, 1, -1),
    (reveal_altered_in_the_next_draw, K.TWO_STORIES, 1, -1),
    (hand_for_a_watcher, K.TWO_STORIES, 1, -1),
    (excused_without_reason, K.ABSENCE, 1, ANA),
]


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack[0].__name__)
def test_an_attack_is_found(attack: tuple[Callable[[], Liar], FaultKind, int, int]) -> None:
    play, kind, number, seat = attack
    liar = play()
    assert list(liar.faults()) == [Fault(kind, number, seat)]
    assert liar.model.mark is Mark.FAILED
    assert liar.model.proving.halted
    assert len(set(liar.opened())) == len(liar.opened())
    told = len(liar.said)
    liar.tell(liar.commit(*liar.draw(), (liar.said[-1].promise if liar.said else b"", b"")))
    assert len(liar.said) == told, "nothing more is opened in a game that is found wrong"


def test_honest_rounds_of_the_liar_are_right() -> None:
    liar = started()
    liar.played()
    liar.tell(ev.Ready(ANA, True))
    liar.played()
    assert not list(liar.faults())
    assert liar.model.mark is Mark.CHECKED


def test_a_fork_that_is_healed_by_a_view_leaves_its_mark() -> None:
    """The others were told another story; later the digits agree again, but not with a full ✓."""
    liar = started()
    liar.played()
    draw, seeds = liar.draw(number=4)
    hashes = liar.commitments(draw, seeds)
    proof = Proof("8f3a", b"B" * 32, 4, 0, hashes, (liar.promise, b""))
    liar.show(round=3, reveal=None, proof=proof)
    assert Gap(4) in liar.found
    assert not liar.model.proving.checker.rounds.whole
    entropies = (liar.entropy, b"") if isinstance(liar.said[-1], m.Entropy) else NONE
    liar.tell(*liar.deal(draw, seeds, entropies))
    liar.hand(draw, seeds, entropies)
    assert not list(liar.faults())
    assert liar.model.mark is Mark.GAPPED


def test_a_share_that_is_never_in_is_marked() -> None:
    """Where the server never hears of us as ready, it need not have our promise."""
    liar = Liar()
    liar.tell(ev.Started(1, 5, "8f3a"), ev.NextSet(BEN, False, 0))
    draw, seeds = liar.draw()
    liar.tell(liar.commit(draw, seeds, NONE), *liar.deal(draw, seeds, NONE))
    liar.hand(draw, seeds, NONE)
    assert liar.found == [Without(1)]
    assert liar.model.mark is Mark.UNSHARED
