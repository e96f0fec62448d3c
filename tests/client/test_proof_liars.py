"""A server that lies about dice, in each possible way, is caught, each way with its own words.

The real lobby plays an honest game; between it and Ana's client stands a liar who changes messages.
Ben's and Cleo's clients hear the truth and must find nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable

import pytest
from msgspec.structs import replace

from perudo_client.faults import Fault, FaultKind, fault_lines
from perudo_client.proving import Mark
from perudo_protocol import fairness
from perudo_protocol import messages as m
from perudo_protocol import story as ev
from perudo_protocol.fairness import Draw
from perudo_protocol.story import AnyEvent
from perudo_protocol.views import TableView
from tests.support.fair_house import Client, FairHouse

ANA, BEN = 0, 1
OTHER = hashlib.sha256(b"another").digest()
Lie = Callable[[Client, m.ServerMessage], Iterable[m.ServerMessage]]


def game(lie: Lie, rounds: int = 2) -> list[Client]:
    """Play some rounds of three; Ana's client hears the lie."""
    house = FairHouse()
    clients = house.clients("Ana", "Ben", "Cleo", turn_seconds=0)
    ana = clients[ANA]
    ana.twist = lambda message: lie(ana, message)
    house.begin(clients)
    house.play_out(clients, rounds)
    assert not any(client.faults() for client in clients[1:])
    assert all(client.model.mark is Mark.CHECKED for client in clients[1:])
    return clients


def events(change: Callable[[Client, AnyEvent], Iterable[AnyEvent]]) -> Lie:
    """Lie in the events of updates, one by one."""

    def lie(client: Client, message: m.ServerMessage) -> Iterable[m.ServerMessage]:
        if isinstance(message, m.Update):
            changed = [new for event in message.events for new in change(client, event)]
            message = replace(message, events=tuple(changed))
        return (message,)

    return lie


def put(values: tuple[bytes, ...], seat: int, value: bytes) -> tuple[bytes, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


def seen(client: Client) -> TableView:
    """Give the view as the liar's victim has it."""
    assert client.model.view is not None
    return client.model.view


def draw_of(view: TableView) -> Draw:
    return Draw(view.proof.game, view.proof.round, view.proof.attempt)


def dice_from(view: TableView, seat: int, seed: bytes) -> tuple[int, ...]:
    mixed = fairness.mix(draw_of(view), fairness.given(view.proof.entropies))
    return fairness.dice(draw_of(view), seat, seed, mixed, view.seats[seat].dice)


# The lies ----------------------------------------------------------------------------------------


def own_seed_swapped(client: Client, message: m.ServerMessage) -> Iterable[m.ServerMessage]:
    """Dice that follow from a seed chosen after the shares were open."""
    if isinstance(message, m.OwnHand):
        message = replace(message, seed=OTHER, dice=dice_from(seen(client), ANA, OTHER))
    return (message,)


def swap_at_call(client: Client, event: AnyEvent) -> Iterable[AnyEvent]:
    """Ben's dice are exchanged at the call, with seed and chain that go with them."""
    if isinstance(event, ev.Called):
        view = seen(client)
        cups = list(event.cups)
        cups[BEN] = dice_from(view, BEN, OTHER)
        seeds = put(event.seeds, BEN, OTHER)
        chain = fairness.next_link(
            view.proof.chain,
            draw_of(view),
            fairness.given(view.proof.commitments).items(),
            fairness.mix(draw_of(view), fairness.given(view.proof.entropies)),
            fairness.given(seeds).items(),
        )
        event = replace(event, cups=tuple(cups), seeds=seeds, chain=chain)
    return (event,)


def own_dice_changed(client: Client, message: m.ServerMessage) -> Iterable[m.ServerMessage]:
    if isinstance(message, m.OwnHand):
        message = replace(message, dice=(message.dice[0] % 6 + 1, *message.dice[1:]))
    return (message,)


def a_die_too_few(client: Client, message: m.ServerMessage) -> Iterable[m.ServerMessage]:
    if isinstance(message, m.OwnHand):
        message = replace(message, dice=message.dice[:-1])
    return (message,)


def hand_without_seed(client: Client, message: m.ServerMessage) -> Iterable[m.ServerMessage]:
    return (replace(message, seed=b""),) if isinstance(message, m.OwnHand) else (message,)


def no_hand(client: Client, message: m.ServerMessage) -> Iterable[m.ServerMessage]:
    return () if isinstance(message, m.OwnHand) else (message,)


def dice_at_call(client: Client, event: AnyEvent) -> Iterable[AnyEvent]:
    if isinstance(event, ev.Called):
        cups = list(event.cups)
        cups[BEN] = (*cups[BEN][:-1], cups[BEN][-1] % 6 + 1)
        event = replace(event, cups=tuple(cups))
    return (event,)


def own_dice_at_call(client: Client, event: AnyEvent) -> Iterable[AnyEvent]:
    if isinstance(event, ev.Called):
        event = replace(
            event, cups=(tuple(face % 6 + 1 for face in event.cups[ANA]), *event.cups[1:])
        )
    return (event,)


def a_cup_empty(client: Client, event: AnyEvent) -> Iterable[AnyEvent]:
    if isinstance(event, ev.Called):
        event = replace(event, cups=(event.cups[0], (), *event.cups[2:]))
    return (event,)


def promise_not_listed(client: Client, event: AnyEvent) -> Iterable[AnyEvent]:
    if isinstance(event, ev.Committed):
        event = replace(event, promises=put(event.promises, ANA, b""))
    return (event,)


def share_not_opened(client: Client, event: AnyEvent) -> Iterable[AnyEvent]:
    if isinstance(event, ev.Opened):
        event = replace(event, entropies=put(event.entropies, ANA, b""))
    return (event,)


def share_of_ben_exchanged(client: Client, event: AnyEvent) -> Iterable[AnyEvent]:
    if isinstance(event, ev.Opened):
        event = replace(event, entropies=put(event.entropies, BEN, OTHER))
    return (event,)


def share_added(client: Client, event: AnyEvent) -> Iterable[AnyEvent]:
    if isinstance(event, ev.Committed):
        event = replace(event, promises=put(event.promises, BEN, b""))
    return (event,)


def promise_exchanged(client: Client, event: AnyEvent) -> Iterable[AnyEvent]:
    if isinstance(event, ev.Committed):
        event = replace(event, promises=put(event.promises, ANA, OTHER))
    return (event,)


def committed_twice(client: Client, event: AnyEvent) -> Iterable[AnyEvent]:
    """A second commitment for the same attempt, which lists Ana's next promise: it fishes."""
    if isinstance(event, ev.Opened):
        proof = seen(client).proof
        mine = fairness.promise(proof.game, ANA, client.drawn[-1])
        again = ev.Committed(
            proof.round,
            proof.attempt,
            put(proof.commitments, BEN, OTHER),
            put(proof.promises, ANA, mine),
        )
        return (again, event)
    return (event,)


def attempts_out_of_order(client: Client, event: AnyEvent) -> Iterable[AnyEvent]:
    return (replace(event, attempt=3),) if isinstance(event, ev.Committed) else (event,)


def commitment_in_a_round(client: Client, event: AnyEvent) -> Iterable[AnyEvent]:
    """In mid-round the server commits itself again, to seeds that it likes better."""
    if isinstance(event, ev.Called):
        proof = seen(client).proof
        again = ev.Committed(proof.round, proof.attempt, proof.commitments, proof.promises)
        return (again, event)
    return (event,)


def view_of_other_commitments(
    client: Client, message: m.ServerMessage
) -> Iterable[m.ServerMessage]:
    said: list[m.ServerMessage] = [message]
    if isinstance(message, m.Update) and any(isinstance(e, ev.Committed) for e in message.events):
        view = client.at
        changed = put(view.proof.commitments, BEN, OTHER)
        said.append(m.View(view=replace(view, proof=replace(view.proof, commitments=changed))))
    return said


def named_absent(client: Client, event: AnyEvent) -> Iterable[AnyEvent]:
    """Ana answers, and the server draws again as if she had not."""
    if isinstance(event, ev.Opened):
        proof = seen(client).proof
        again = ev.Committed(
            proof.round,
            proof.attempt + 1,
            proof.commitments,
            put(proof.promises, ANA, b""),
            (ANA,),
        )
        return (again, event)
    return (event,)


def drawn_anew_without_reason(client: Client, event: AnyEvent) -> Iterable[AnyEvent]:
    if isinstance(event, ev.Opened):
        proof = seen(client).proof
        mine = fairness.promise(proof.game, ANA, client.drawn[-1])
        promises = put(proof.promises, ANA, mine)
        again = ev.Committed(proof.round, proof.attempt + 1, proof.commitments, promises)
        return (again, event)
    return (event,)


def passed_over_in_silence(client: Client, event: AnyEvent) -> Iterable[AnyEvent]:
    """Another is named as late, and Ana, who answered, is not in the next attempt."""
    if isinstance(event, ev.Opened):
        proof = seen(client).proof
        promises = put(proof.promises, ANA, b"")
        again = ev.Committed(proof.round, proof.attempt + 1, proof.commitments, promises, (BEN,))
        return (again, event)
    return (event,)


def another_chain(client: Client, event: AnyEvent) -> Iterable[AnyEvent]:
    return (replace(event, chain=OTHER),) if isinstance(event, ev.Called) else (event,)


def view_with(change: Callable[[TableView], TableView]) -> Lie:
    """Send a changed view after the hand."""

    def lie(client: Client, message: m.ServerMessage) -> Iterable[m.ServerMessage]:
        if isinstance(message, m.OwnHand):
            return (message, m.View(view=change(client.at)))
        return (message,)

    return lie


def _proof(view: TableView, **changes: object) -> TableView:
    return replace(view, proof=replace(view.proof, **changes))


def deal_without_shares(client: Client, event: AnyEvent) -> Iterable[AnyEvent]:
    return () if isinstance(event, ev.Opened) else (event,)


def deal_without_draw(client: Client, event: AnyEvent) -> Iterable[AnyEvent]:
    return () if isinstance(event, ev.Opened | ev.Committed) else (event,)


def call_without_seeds(client: Client, event: AnyEvent) -> Iterable[AnyEvent]:
    return (replace(event, seeds=()),) if isinstance(event, ev.Called) else (event,)


def call_without_a_seed(client: Client, event: AnyEvent) -> Iterable[AnyEvent]:
    if isinstance(event, ev.Called):
        event = replace(event, seeds=put(event.seeds, BEN, b""))
    return (event,)


def no_commitment_for_ben(client: Client, event: AnyEvent) -> Iterable[AnyEvent]:
    if isinstance(event, ev.Committed):
        event = replace(event, commitments=put(event.commitments, BEN, b""))
    return (event,)


def reveal_only_in_a_view(client: Client, message: m.ServerMessage) -> Iterable[m.ServerMessage]:
    """The call is never told, only a picture of it without seeds."""
    if isinstance(message, m.Update) and any(isinstance(e, ev.Called) for e in message.events):
        view = client.at
        assert view.reveal is not None
        return (m.View(view=replace(view, reveal=replace(view.reveal, seeds=()))),)
    return (message,)


def miscounted(client: Client, event: AnyEvent) -> Iterable[AnyEvent]:
    return (replace(event, count=event.count + 1),) if isinstance(event, ev.Called) else (event,)


def misjudged(client: Client, event: AnyEvent) -> Iterable[AnyEvent]:
    return (replace(event, right=not event.right),) if isinstance(event, ev.Called) else (event,)


def miscounted_in_a_view(client: Client, message: m.ServerMessage) -> Iterable[m.ServerMessage]:
    """The call is never told, only a picture of it with another count."""
    if isinstance(message, m.Update) and any(isinstance(e, ev.Called) for e in message.events):
        view = client.at
        assert view.reveal is not None
        return (m.View(view=replace(view, reveal=replace(view.reveal, count=0, right=True))),)
    return (message,)


def another_reveal_in_a_view(client: Client, message: m.ServerMessage) -> Iterable[m.ServerMessage]:
    """The call is told, and then a picture with other dice of it."""
    if isinstance(message, m.Update) and any(isinstance(e, ev.Called) for e in message.events):
        view = client.at
        assert view.reveal is not None
        cups = ((6, 6, 6, 6, 6), *view.reveal.cups[1:])
        return (message, m.View(view=replace(view, reveal=replace(view.reveal, cups=cups))))
    return (message,)


K = FaultKind
LIES: list[tuple[Lie, FaultKind, int, int]] = [
    (own_seed_swapped, K.SWAPPED_SEED, 1, ANA),
    (events(swap_at_call), K.SWAPPED_SEED, 1, BEN),
    (view_with(lambda view: replace(view, seed=OTHER)), K.TWO_STORIES, 1, ANA),
    (own_dice_changed, K.OTHER_DICE, 1, ANA),
    (a_die_too_few, K.OTHER_DICE, 1, ANA),
    (events(dice_at_call), K.OTHER_DICE, 1, BEN),
    (events(own_dice_at_call), K.OTHER_DICE, 1, ANA),
    (events(a_cup_empty), K.OTHER_DICE, 1, BEN),
    (events(promise_not_listed), K.LEFT_OUT, 1, ANA),
    (events(share_not_opened), K.LEFT_OUT, 1, ANA),
    (events(share_of_ben_exchanged), K.LEFT_OUT, 1, BEN),
    (events(share_added), K.LEFT_OUT, 1, BEN),
    (events(passed_over_in_silence), K.LEFT_OUT, 1, ANA),
    (events(promise_exchanged), K.CHANGED, 1, ANA),
    (events(committed_twice), K.CHANGED, 1, -1),
    (events(attempts_out_of_order), K.CHANGED, 1, -1),
    (events(commitment_in_a_round), K.CHANGED, 1, -1),
    (view_of_other_commitments, K.CHANGED, 1, -1),
    (events(named_absent), K.ABSENCE, 1, ANA),
    (events(drawn_anew_without_reason), K.ABSENCE, 1, -1),
    (events(another_chain), K.TWO_STORIES, 1, -1),
    (view_with(lambda view: _proof(view, chain=OTHER)), K.TWO_STORIES, 1, -1),
    (view_with(lambda view: _proof(view, game="beef")), K.TWO_STORIES, 1, -1),
    (view_with(lambda view: _proof(view, entropies=())), K.TWO_STORIES, 1, -1),
    (view_with(lambda view: _proof(view, round=0, commitments=())), K.TWO_STORIES, 1, -1),
    (events(deal_without_shares), K.MISSING, 1, -1),
    (events(deal_without_draw), K.MISSING, 1, -1),
    (hand_without_seed, K.MISSING, 1, ANA),
    (no_hand, K.MISSING, 1, ANA),
    (events(call_without_seeds), K.MISSING, 1, 0),
    (events(call_without_a_seed), K.MISSING, 1, BEN),
    (events(no_commitment_for_ben), K.MISSING, 1, BEN),
    (reveal_only_in_a_view, K.MISSING, 1, 0),
    (events(miscounted), K.MISCOUNTED, 1, -1),
    (events(misjudged), K.MISCOUNTED, 1, -1),
    (miscounted_in_a_view, K.MISCOUNTED, 1, -1),
    (another_reveal_in_a_view, K.TWO_STORIES, 1, -1),
]


@pytest.mark.parametrize("number", range(len(LIES)))
def test_a_lie_is_caught(number: int) -> None:
    lie, kind, when, seat = LIES[number]
    ana = game(lie)[ANA]
    assert ana.faults() == [Fault(kind, when, seat)]
    assert ana.model.mark is Mark.FAILED
    assert ana.model.proving.halted
    assert len(set(ana.opened_entropies)) == len(ana.opened_entropies)


@pytest.mark.parametrize("number", range(len(LIES)))
def test_no_share_is_opened_for_a_lie(number: int) -> None:
    """Whatever is told, what was opened was promised to just that draw, and each once."""
    ana = game(LIES[number][0], rounds=1)[ANA]
    told = [step for step in ana.steps if isinstance(step, m.Entropy)]
    assert len(told) == len({(step.round, step.attempt) for step in told})
    assert len(told) == len({step.entropy for step in told})
    assert len([step for step in told if step.round == 1]) <= 1


def test_a_watcher_finds_what_is_told_to_all() -> None:
    house = FairHouse()
    clients = house.clients("Ana", "Ben", turn_seconds=0)
    watcher = house.watcher(clients[0].at.table)
    lie = events(dice_at_call)
    watcher.twist = lambda message: lie(watcher, message)
    house.begin(clients)
    house.play_out(clients, 1)
    assert watcher.faults() == [Fault(K.OTHER_DICE, 1, BEN)]


def test_the_chain_at_the_end_is_checked() -> None:
    house = FairHouse()
    clients = house.clients("Ana", "Ben", turn_seconds=0, start_dice=1)
    ana = clients[ANA]
    lie = events(lambda _c, e: (replace(e, chain=OTHER),) if isinstance(e, ev.Won) else (e,))
    ana.twist = lambda message: lie(ana, message)
    house.begin(clients)
    house.play_out(clients)
    assert [fault.kind for fault in ana.faults()] == [K.TWO_STORIES]
    assert not clients[BEN].faults()


def test_each_fault_has_its_own_words() -> None:
    view = game(lambda _client, message: (message,), rounds=1)[ANA].at
    told = [fault_lines(view, Fault(kind, 1, seat)) for kind in K for seat in (ANA, BEN, -1)]
    found = [lines[0] for lines in told]
    assert len({tuple(found[n : n + 3]) for n in range(0, len(found), 3)}) == len(K)
    proofs = {lines[1] for lines in told}
    assert len(proofs) == len(K)
    for lines in told:
        assert all(line.endswith(".") and "{" not in line for line in lines)
    absent = fault_lines(view, Fault(K.ABSENCE, 1, ANA))
    assert "3 seconds" in absent[1]
    assert "does not prove that the server cheats" in absent[2]
