"""Our share in the dice: promised in time, opened once, and no alarm where nobody lied."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from perudo_client.findings import Anew, Checked, Excused, Gap, Unshown, Without
from perudo_client.model import Model
from perudo_client.proving import Mark, Share, fresh
from perudo_protocol import fairness
from perudo_protocol import messages as m
from perudo_protocol import story as ev
from perudo_protocol.vocabulary import Phase
from tests.support.fair_house import Client, FairHouse, as_client
from tests.support.model_table import dealt, seated


def played(names: str = "Ana Ben", rounds: int = 2, **options: Any) -> list[Client]:
    house = FairHouse()
    clients = house.clients(*names.split(), turn_seconds=0, **options)
    house.begin(clients)
    house.play_out(clients, rounds)
    return clients


def test_a_share_is_promised_at_the_start_and_is_in_every_deal() -> None:
    ana = played()[0]
    said = [step for step in ana.steps if isinstance(step, m.Promise | m.Entropy)]
    assert isinstance(said[0], m.Promise)
    assert [e.round for e in said if isinstance(e, m.Entropy)] == [1, 2, 3]
    opened = [e for e in ana.events() if isinstance(e, ev.Opened)]
    assert [e.entropies[0] for e in opened] == ana.opened_entropies
    assert ana.opened_entropies == ana.drawn[:-1]  # the last one drawn is promised, and kept


def test_the_deal_waits_for_no_more_than_the_shares() -> None:
    """Opening is done when the commitment is heard, before anything is painted."""
    ana = played(rounds=1)[0]
    first = next(
        n for n, u in enumerate(ana.all(m.Update)) if isinstance(u.events[0], ev.Committed)
    )
    assert isinstance(ana.all(m.Update)[first + 1].events[0], ev.Opened)


def test_each_round_is_found_right_with_its_digits() -> None:
    ana = played(rounds=2)[0]
    checked = [f for f in ana.found() if isinstance(f, Checked)]
    assert [(f.round, f.seats, f.dice) for f in checked] == [(1, 2, 10), (2, 2, 9)]
    assert checked[-1].chain == ana.at.proof.chain
    assert ana.model.mark is Mark.CHECKED


def test_before_anything_is_checked_there_is_no_mark() -> None:
    house = FairHouse()
    clients = house.clients("Ana", "Ben")
    house.ask(clients[0], m.Start)
    marks = [clients[0].model.mark]
    house.ready(clients)
    marks.append(clients[0].model.mark)  # its own dice are checked
    assert marks == [Mark.NOTHING, Mark.CHECKED]


def test_a_server_without_proof_is_no_liar() -> None:
    model = seated()
    dealt(model)
    assert model.mark is Mark.NONE
    assert model.proving.fault is None
    assert not model.proving.halted
    assert model.proving.outgoing == []


def test_somebody_without_a_share_is_no_alarm() -> None:
    house = FairHouse()
    clients = house.clients("Ana", "Ben", turn_seconds=0)
    clients[1].mute = True
    house.begin(clients)
    house.play_out(clients, 2)
    assert not clients[0].faults()
    assert [type(f) for f in clients[0].found()] == [Checked, Checked]


def test_somebody_who_does_not_answer_is_told_and_no_alarm() -> None:
    house = FairHouse()
    clients = house.clients("Ana", "Ben", turn_seconds=0)
    ana, ben = clients
    assert house.ask(ana, m.Start) == "done"
    ben.mute = True  # after the promise
    house.go_on(clients)
    assert ana.found() == [Anew(1, 1, (1,))]
    assert not ana.faults()
    assert [(e.round, e.attempt) for e in ana.steps if isinstance(e, m.Entropy)] == [(1, 0), (1, 1)]


def late(asleep: bool) -> Client:
    """Ana's answer stays on the line until the server has drawn again without her."""
    house = FairHouse()
    clients = house.clients("Ana", "Ben", turn_seconds=0)
    ana = clients[0]
    assert house.ask(ana, m.Start) == "done"
    waiting: list[m.ServerMessage] = []

    def hold(message: m.ServerMessage) -> list[m.ServerMessage]:
        waiting.append(message)
        return []

    house.ready([clients[1]])
    ana.twist = hold
    ana.model.proving.beat(ana.now)
    house.ready([ana])
    house.clock.advance(4)
    ana.now += 6.0 if asleep else 0.5
    for message in waiting:
        ana.happened += ana.model.apply(message, ana.now)
        for said in ana.model.proving.outgoing:
            ana.send(said)
    ana.twist = lambda message: (message,)
    house.clock.settle()
    house.play_out(clients, 2)
    return ana


def test_a_computer_that_slept_raises_no_alarm() -> None:
    ana = late(asleep=True)
    assert not ana.faults()
    assert [type(f) for f in ana.found()][:3] == [Anew, Excused, Without]
    assert ana.model.mark is Mark.CHECKED


def test_a_line_that_stood_still_raises_it() -> None:
    ana = late(asleep=False)
    assert [fault.kind.value for fault in ana.faults()] == ["absence"]


def test_the_share_is_in_the_dice_again_after_being_late() -> None:
    ana = late(asleep=True)
    assert [f.round for f in ana.found() if isinstance(f, Without)] == [1]


def test_a_promise_that_came_too_late_is_no_alarm() -> None:
    """The throw was over before the promise was there: nobody can be blamed for that."""
    house = FairHouse(throw_seconds=1)
    clients = house.clients("Ana", "Ben", turn_seconds=0)
    ana = clients[0]
    ana.mute = True  # what it says stays on the line
    assert house.ask(ana, m.Start) == "done"
    house.clock.advance(1.5)
    ana.mute = False
    assert ana.at.phase is Phase.BIDDING
    assert [type(f) for f in ana.found()] == [Without]
    ana.send(next(step for step in ana.steps if isinstance(step, m.Promise)))
    house.play_out(clients, 1)
    assert not ana.faults()


def test_who_leaves_while_the_dice_are_drawn_is_no_alarm() -> None:
    for on_leave in ("bot", "ghost"):
        house = FairHouse()
        clients = house.clients("Ana", "Ben", "Cleo", turn_seconds=0, on_leave=on_leave)
        assert house.ask(clients[0], m.Start) == "done"
        clients[2].mute = True
        house.ready(clients)
        house.ask(clients[2], m.Leave)
        house.go_on(clients[:2])
        house.play_out(clients[:2], 3)
        assert not clients[0].faults() + clients[1].faults()
        assert Anew(1, 1, (2,)) in clients[0].found()


def test_a_round_that_ends_without_a_call_is_in_the_chain() -> None:
    house = FairHouse()
    clients = house.clients("Ana", "Ben", turn_seconds=0, on_leave="ghost")
    house.begin(clients)
    house.ask(clients[1], m.Leave)
    ana = clients[0]
    assert ana.at.phase is Phase.OVER
    assert [type(f) for f in ana.found()] == [Unshown]


def test_who_comes_late_takes_the_chain_on_trust_and_checks_from_there() -> None:
    house = FairHouse()
    clients = house.clients("Ana", "Ben", turn_seconds=0)
    house.begin(clients)
    house.play_out(clients, 2)
    late_one = house.watcher(clients[0].at.table)
    house.play_out(clients, 2)
    assert [f.round for f in late_one.found() if isinstance(f, Checked)] == [3, 4]
    assert not late_one.faults()


def test_a_fresh_view_agrees_at_every_moment() -> None:
    """A slow reader gets a view in the place of what it missed: at any moment it fits."""
    house = FairHouse()
    clients = house.clients("Ana", "Ben", turn_seconds=0)
    ana = clients[0]

    def repeat(message: m.ServerMessage) -> list[m.ServerMessage]:
        return [message, m.View(view=ana.at)] if ana.view is not None else [message]

    ana.twist = repeat
    house.begin(clients)
    house.play_out(clients)
    assert not ana.faults()
    assert len(ana.opened_entropies) == len(set(ana.opened_entropies)) == ana.at.round


def test_views_alone_are_checked_too() -> None:
    """All updates are lost, and only pictures come."""
    house = FairHouse()
    clients = house.clients("Ana", "Ben", turn_seconds=0)
    ana = clients[0]

    def only_views(message: m.ServerMessage) -> list[m.ServerMessage]:
        return [m.View(view=ana.at)] if isinstance(message, m.Update | m.OwnHand) else [message]

    ana.twist = only_views
    house.begin(clients)
    house.play_out(clients, 3)
    assert not ana.faults()
    assert [f.round for f in ana.found() if isinstance(f, Checked)] == [1, 2, 3]
    assert not [f for f in ana.found() if isinstance(f, Gap)]


def test_rounds_that_were_not_seen_are_said_to_be() -> None:
    house = FairHouse()
    clients = house.clients("Ana", "Ben", turn_seconds=0)
    ana = clients[0]
    house.begin(clients)
    blind = m.View(view=ana.at)
    ana.twist = lambda message: ()
    house.play_out(clients, 2)
    ana.twist = lambda message: (message,)
    ana.hear(m.View(view=ana.at))
    assert blind.view.round == 1
    assert [f.round for f in ana.found() if isinstance(f, Gap)] == [3]
    assert not ana.faults()


def test_somebody_who_comes_into_a_running_game_promises_afresh() -> None:
    house = FairHouse()
    clients = house.clients("Ana", "Ben", turn_seconds=0)
    house.begin(clients)
    ana = clients[0]
    again = Model(fresh)
    again.apply(m.View(view=ana.at), 0.0)
    (promise,) = again.proving.outgoing
    assert isinstance(promise, m.Promise)
    assert promise.game == ana.at.game
    again.apply(m.View(view=ana.at), 0.0)
    assert again.proving.outgoing == []


def test_a_rematch_begins_with_a_new_share() -> None:
    house = FairHouse()
    clients = house.clients("Ana", "Ben", turn_seconds=0, start_dice=1)
    house.begin(clients)
    house.play_out(clients)
    assert house.ask(clients[0], m.Rematch) == "done"
    house.go_on(clients)
    house.play_out(clients)
    assert not clients[0].faults()
    assert [type(step) for step in clients[0].steps].count(m.Promise) == 2


def test_watchers_promise_nothing() -> None:
    house = FairHouse()
    clients = house.clients("Ana", bots=2, turn_seconds=0)
    watcher = house.watcher(clients[0].at.table)
    house.begin(clients)
    house.play_out(clients, 2)
    assert watcher.drawn == []
    assert [type(f) for f in watcher.found()] == [Checked, Checked]


def test_a_share_says_nothing_of_its_secret() -> None:
    share = Share(lambda: b"\xca" * fairness.SIZE)
    house = FairHouse()
    clients = house.clients("Ana", "Ben")
    house.begin(clients)
    assert share.begin(as_client(clients[0]).at) is not None
    assert "ca" * 8 not in repr(share).lower()
    assert "\\xca" not in repr(share)


def test_a_share_is_for_its_own_game_alone() -> None:
    house = FairHouse()
    clients = house.clients("Ana", "Ben")
    house.ask(clients[0], m.Start)
    view = clients[0].at
    share = Share(lambda: b"\xca" * fairness.SIZE)
    promise = share.begin(view)
    assert promise is not None
    listed = replace(view.proof, round=1, promises=(promise.promise, b""))
    assert share.answer(replace(view, proof=replace(listed, game="beef"))) is None
    assert share.answer(replace(view, game=99, proof=listed)) is None
    assert share.answer(replace(view, proof=replace(listed, round=2))) is None
    assert share.answer(replace(view, proof=replace(listed, entropies=(b"", b"")))) is None
    assert share.answer(replace(view, proof=listed)) is not None
    assert share.answer(replace(view, proof=listed)) is None
