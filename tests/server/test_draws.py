"""The draw of the dice at a table: one round trip, nothing too early, and nobody who can stop it.

`protocol/README.md`, "Dice that can be checked".
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from perudo_protocol import messages as m
from perudo_protocol import story as ev
from perudo_protocol.vocabulary import Phase
from perudo_server import view
from tests.support.fair_table import FairHouse, FairPeer, checked
from tests.support.house import phase

WAIT = 3.0
"""So long is promised entropy waited for."""


def commits(peer: FairPeer) -> list[ev.Committed]:
    """Give all attempts that a peer was told of."""
    return [event for event in peer.events() if isinstance(event, ev.Committed)]


def words(messages: Sequence[m.ServerMessage]) -> list[str]:
    """Give messages by their kind, updates by what happened in them."""
    found = []
    for message in messages:
        events = message.events if isinstance(message, m.Update) else (message,)
        found.append(" ".join(type(event).__name__ for event in events))
    return found


def to_draw(
    house: FairHouse, *names: str, holding: str = "", bots: int = 0, **options: object
) -> list[FairPeer]:
    """Start a game and be ready for the first round; those named hold their entropy back."""
    peers = house.fair_table(*names, bots=bots, **options)
    for peer, name in zip(peers, names, strict=True):
        peer.holds = name in holding.split()
    assert house.ask(peers[0], m.Start) == "done"
    house.ready(peers)
    return peers


def play_to_the_end(house: FairHouse, peers: Sequence[FairPeer], bound: int = 400) -> None:
    """Open with the lowest bid, doubt everything, until somebody has won."""
    for _ in range(bound):
        here = [peer for peer in peers if peer.view is not None and not peer.is_lost]
        at = here[0].at
        if at.phase is Phase.OVER:
            return
        if at.turn is None:
            house.ready(here)
            house.clock.advance(WAIT)
            continue
        who = next((peer for peer in here if peer.seat == at.turn.seat), None)
        if who is None:
            house.clock.advance(1)
        elif at.ladder:
            assert house.act(who, m.Dudo) == "done"
        else:
            assert house.bid(who, 1, 2) == "done"
    raise AssertionError("the game does not end")


# Together, in one round trip ------------------------------------------------------------------


def test_a_deal_costs_one_round_trip_after_the_last_ready() -> None:
    house = FairHouse()
    ana, bia, caio = peers = house.fair_table("Ana", "Bia", "Caio")
    house.ask(ana, m.Start)
    house.ready([ana, bia])
    for peer in peers:
        peer.heard.clear()
    before = house.clock.now()
    house.ready([caio])
    for peer in peers:
        done = ["Done"] if peer is caio else []
        assert words(peer.heard)[:2] == ["Ready", "Committed"]
        assert sorted(words(peer.heard)[2:]) == sorted([*done, "Opened Dealt TurnSet", "OwnHand"])
        assert len(peer.entropies) == 2  # one opened, one promised with it: nothing else was said
    assert house.clock.now() == before


@pytest.mark.parametrize("bots", [0, 2])
def test_a_whole_game_can_be_checked_by_everybody(bots: int) -> None:
    house = FairHouse()
    peers = house.fair_game("Ana", "Bia", "Caio", bots=bots)
    watcher = house.peer("Eva")
    house.ask(watcher, m.Watch, table=1)
    play_to_the_end(house, peers)
    stories = [checked(peer.heard) for peer in peers]
    assert stories[0] == stories[1] == stories[2]
    assert len(stories[0]) > 3
    assert all(round_.draw.attempt == 0 for round_ in stories[0])
    assert peers[0].at.proof.chain == stories[0][-1].chain
    assert isinstance(watcher, FairPeer)
    assert watcher.at.proof == peers[0].at.proof


def test_who_takes_no_part_plays_all_the_same() -> None:
    house = FairHouse()
    ana, bia = peers = house.fair_table("Ana", "Bia", bots=1)
    bia.takes_part = False
    house.ask(ana, m.Start)
    house.ready(peers)
    house.clock.advance(0)  # the bot is ready too
    [commit] = commits(ana)
    assert [bool(promise) for promise in commit.promises] == [True, False, False]
    assert all(commit.commitments)
    assert bia.at.hand
    play_to_the_end(house, peers)
    assert checked(bia.heard) == checked(ana.heard)


def test_where_nobody_takes_part_nothing_is_waited_for() -> None:
    house = FairHouse()
    ana, bia = peers = house.fair_table("Ana", "Bia", bots=2)
    ana.takes_part = bia.takes_part = False
    house.ask(ana, m.Start)
    house.ready(peers)
    house.clock.advance(0)  # the bots are ready too
    assert phase(ana) is Phase.BIDDING
    assert not any(ana.at.proof.entropies)
    assert checked(ana.heard) == []


def test_entropy_is_waited_for_at_a_table_without_a_clock_too() -> None:
    house = FairHouse()
    peers = to_draw(house, "Ana", "Bia", holding="Bia", turn_seconds=0)
    assert phase(peers[0]) is Phase.THROW
    house.clock.advance(WAIT)
    assert phase(peers[0]) is Phase.BIDDING
    house.clock.advance(1000)
    assert peers[0].at.round == 1
    play_to_the_end(house, peers)


def test_a_rematch_has_an_id_and_a_chain_of_its_own() -> None:
    house = FairHouse()
    peers = house.fair_game("Ana", "Bia", start_dice=2)
    play_to_the_end(house, peers)
    first = peers[0].at.proof
    assert house.ask(peers[0], m.Rematch) == "done"
    begun = peers[0].at.proof
    assert (begun.round, begun.commitments) == (0, ())
    assert begun.game != first.game
    assert begun.chain != first.chain
    house.ready(peers)
    play_to_the_end(house, peers)
    assert {round_.draw.game for round_ in checked(peers[1].heard)} == {first.game, begun.game}


# Nothing before its time ----------------------------------------------------------------------


def test_no_seed_and_no_entropy_is_told_before_its_time() -> None:
    house = FairHouse()
    peers = to_draw(house, "Ana", "Bia", "Caio", holding="Ana Bia Caio")
    seeds = house.fair.seeds
    assert len(seeds) == 3

    def told(peer: FairPeer) -> bytes:
        return b"".join(peer.frames)

    for opening in peers:
        for peer in peers:
            for other in peers:
                assert all(entropy not in told(peer) for entropy in other.entropies)
            assert all(seed not in told(peer) for seed in seeds)
        opening.holds = False
        opening.release()
        house.clock.settle()
    for peer in peers:
        assert all(other.entropies[0] in told(peer) for other in peers)
        assert all(other.entropies[1] not in told(peer) for other in peers)
        assert [seed in told(peer) for seed in seeds] == [peer is other for other in peers]
    turn = peers[0].at.turn
    assert turn is not None
    bidder, caller = peers[turn.seat], peers[(turn.seat + 1) % 3]
    house.bid(bidder, 1, 2)
    house.act(caller, m.Dudo)
    for peer in peers:
        assert all(seed in told(peer) for seed in seeds)
    assert caller.at.reveal is not None
    assert caller.at.reveal.seeds == tuple(seeds)


def test_a_seat_that_is_out_has_no_seed_and_none_is_shown() -> None:
    house = FairHouse()
    peers = house.fair_game("Ana", "Bia", "Caio", start_dice=1)
    play_to_the_end(house, peers)
    ends = [event for event in peers[0].events() if isinstance(event, ev.Called)]
    assert [len(list(filter(None, end.seeds))) for end in ends] == [3, 2]
    assert [len(list(filter(None, c.commitments))) for c in commits(peers[0])] == [3, 2]
    assert [len(list(filter(None, c.promises))) for c in commits(peers[0])] == [3, 2]


def test_entropy_that_comes_before_the_commitment_counts_for_nothing() -> None:
    house = FairHouse()
    ana, bia = house.fair_table("Ana", "Bia")
    bia.holds = True
    house.ask(ana, m.Start)
    opened, promised = bia.entropies[0], bia.promised()
    bia.send(m.Entropy(game=ana.at.game, round=1, attempt=0, entropy=opened, promise=promised))
    house.ready([ana, bia])
    [commit] = commits(ana)
    assert commit.promises[bia.seat] == promised
    assert phase(ana) is Phase.THROW
    bia.release()
    house.clock.settle()
    assert phase(ana) is Phase.BIDDING
    assert checked(ana.heard) == []


@pytest.mark.parametrize(
    ("game", "number", "attempt"), [(7, 1, 0), (1, 0, 0), (1, 2, 0), (1, 1, 1)]
)
def test_entropy_for_another_draw_counts_for_nothing(game: int, number: int, attempt: int) -> None:
    house = FairHouse()
    ana, bia = to_draw(house, "Ana", "Bia", holding="Bia")
    [answer] = bia.held
    other = m.Entropy(
        game=game, round=number, attempt=attempt, entropy=answer.entropy, promise=answer.promise
    )
    bia.send(other)
    house.clock.settle()
    assert phase(ana) is Phase.THROW
    bia.release()
    house.clock.settle()
    assert phase(ana) is Phase.BIDDING


def test_somebody_who_watches_adds_nothing() -> None:
    house = FairHouse()
    ana, bia = to_draw(house, "Ana", "Bia", holding="Bia")
    eva = house.peer("Eva")
    house.ask(eva, m.Watch, table=1)
    assert isinstance(eva, FairPeer)
    eva.send(m.Promise(game=1, promise=bytes(32)))
    eva.send(bia.held[0])
    house.clock.settle()
    assert phase(ana) is Phase.THROW


# Another attempt ------------------------------------------------------------------------------


def test_missing_entropy_makes_another_attempt_after_three_seconds() -> None:
    house = FairHouse()
    ana, bia, caio = to_draw(house, "Ana", "Bia", "Caio", holding="Bia")
    house.clock.advance(WAIT - 0.01)
    assert len(commits(ana)) == 1
    assert phase(ana) is Phase.THROW
    house.clock.advance(0.01)
    first, second = commits(ana)
    assert phase(ana) is Phase.BIDDING
    assert (second.round, second.attempt, second.left_out) == (1, 1, (bia.seat,))
    assert [bool(p) for p in second.promises] == [True, False, True]
    assert not {*first.promises} & {*filter(None, second.promises)}
    assert not {*first.commitments} & {*second.commitments}
    assert len({*house.fair.seeds}) == 6
    assert bia.at.hand
    # What was opened for the first attempt is told to nobody, and is in no mix.
    assert all(ana.entropies[0] not in frame for frame in caio.frames)
    assert ana.at.proof.entropies == (ana.entropies[1], b"", caio.entropies[1])


def test_entropy_that_was_not_promised_makes_another_attempt_at_once() -> None:
    house = FairHouse()
    ana, bia, caio = peers = house.fair_table("Ana", "Bia", "Caio")
    bia.lies = True
    house.ask(ana, m.Start)
    before = house.clock.now()
    house.ready(peers)
    first, second = commits(ana)
    assert house.clock.now() == before
    assert second.left_out == (bia.seat,)
    assert not {*first.promises} & {*filter(None, second.promises)}
    assert phase(ana) is Phase.BIDDING
    assert ana.at.proof.entropies == (ana.entropies[1], b"", caio.entropies[1])


def test_late_entropy_is_passed_over_but_its_promise_holds_for_the_next_round() -> None:
    house = FairHouse()
    ana, bia = peers = to_draw(house, "Ana", "Bia", holding="Bia")
    house.clock.advance(WAIT)
    proof = ana.at.proof
    assert proof.entropies == (ana.entropies[1], b"")
    bia.holds = False
    bia.release()
    house.clock.settle()
    assert ana.at.proof == proof
    turn = ana.at.turn
    assert turn is not None
    house.bid(peers[turn.seat], 1, 2)
    house.act(peers[1 - turn.seat], m.Dudo)
    house.ready(peers)
    assert ana.at.round == 2
    assert commits(ana)[-1].attempt == 0
    assert ana.at.proof.entropies == (ana.entropies[2], bia.entropies[1])
    play_to_the_end(house, peers)
    assert checked(ana.heard) == checked(bia.heard)


def test_nobody_is_left_out_because_somebody_else_failed() -> None:
    """Bia's entropy is on its way when Caio's turns out to be wrong."""
    house = FairHouse()
    ana, bia, caio = peers = house.fair_table("Ana", "Bia", "Caio")
    bia.holds = caio.lies = True
    house.ask(ana, m.Start)
    house.ready(peers)
    assert len(commits(ana)) == 1
    bia.holds = False
    bia.release()
    house.clock.settle()
    assert [commit.left_out for commit in commits(ana)] == [(), (caio.seat,)]
    assert ana.at.proof.entropies == (ana.entropies[1], bia.entropies[1], b"")


def test_two_who_take_turns_at_failing_hold_up_nobody() -> None:
    """Who fails is out of this round's draws, whatever is promised in the meantime."""
    house = FairHouse()
    ana, bia, caio = to_draw(house, "Ana", "Bia", "Caio", holding="Bia")
    caio.holds = True  # from the second attempt on
    house.clock.advance(WAIT)
    assert phase(ana) is Phase.THROW
    for _ in range(10):
        bia.send(m.Promise(game=ana.at.game, promise=bia.promise()))
        caio.send(m.Promise(game=ana.at.game, promise=caio.promise()))
        house.clock.settle()
        house.clock.advance(WAIT)
    assert phase(ana) is Phase.BIDDING
    assert [commit.left_out for commit in commits(ana)] == [(), (bia.seat,), (caio.seat,)]


# Leaving in the middle of it ------------------------------------------------------------------


@pytest.mark.parametrize("on_leave", ["bot", "ghost"])
@pytest.mark.parametrize("way", ["leave", "drop"])
@pytest.mark.parametrize("leaver", [0, 1, 2])
@pytest.mark.parametrize("holding", ["Ana", "Bia", "Caio", "Ana Bia", "Bia Caio", "Ana Bia Caio"])
@pytest.mark.parametrize("stage", ["first round", "later"])
def test_somebody_leaves_in_the_middle_of_a_draw(
    on_leave: str, way: str, leaver: int, holding: str, stage: str
) -> None:
    """Whoever it is, opener or not, having answered or not: the round is dealt, by all rules."""
    house = FairHouse([6, 3, 2])  # Ana opens
    names = ["Ana", "Bia", "Caio"]
    peers = house.fair_table(*names, on_leave=on_leave)
    house.ask(peers[0], m.Start)
    if stage == "later":
        house.ready(peers)
        house.bid(peers[0], 1, 2)
        house.act(peers[1], m.Dudo)
    for peer, name in zip(peers, names, strict=True):
        peer.holds = name in holding.split()
    house.ready(peers)
    gone = peers.pop(leaver)
    if way == "leave":
        house.ask(gone, m.Leave)
    else:
        house.drop(gone)
    table = house.the_table()
    for peer in peers:
        assert peer.at == view.build(table, table.roster.find(peer.at.you))
    house.clock.advance(2 * WAIT)
    assert peers[0].at.phase is Phase.BIDDING
    assert peers[0].at.resume == 0
    for peer in peers:
        assert peer.at == view.build(table, table.roster.find(peer.at.you))
        assert peer.at.hand
        peer.holds = False
    play_to_the_end(house, peers)
    assert checked(peers[0].heard) == checked(peers[1].heard)
    assert all(round_.draw.attempt <= 2 for round_ in checked(peers[0].heard))


def test_entropy_that_is_in_stays_in_when_a_bot_takes_the_seat() -> None:
    house = FairHouse()
    ana, bia, caio = to_draw(house, "Ana", "Bia", "Caio", holding="Caio")
    house.ask(bia, m.Leave)
    assert len(commits(ana)) == 1
    caio.release()
    house.clock.settle()
    assert len(commits(ana)) == 1
    assert all(ana.at.proof.entropies)
    assert phase(ana) is Phase.BIDDING


def test_when_the_last_but_one_leaves_the_draw_is_over_with_the_game() -> None:
    house = FairHouse()
    ana, bia = to_draw(house, "Ana", "Bia", holding="Ana", on_leave="ghost")
    house.ask(bia, m.Leave)
    assert phase(ana) is Phase.OVER
    assert ana.at.winner == ana.seat
    ana.holds = False
    ana.release()
    house.clock.advance(2 * WAIT)
    assert phase(ana) is Phase.OVER
    assert len(commits(ana)) == 1
    assert checked(ana.heard) == []


def test_when_everybody_leaves_nothing_more_happens() -> None:
    house = FairHouse()
    peers = to_draw(house, "Ana", "Bia", holding="Ana Bia")
    for peer in peers:
        house.ask(peer, m.Leave)
    assert not house.lobby.tables
    seeds = len(house.fair.seeds)
    house.clock.advance(10 * WAIT)
    assert len(house.fair.seeds) == seeds


def test_a_round_that_ends_without_a_call_is_in_the_chain_and_shows_no_seeds() -> None:
    house = FairHouse()
    ana, bia = house.fair_game("Ana", "Bia", on_leave="ghost")
    before = ana.at.proof.chain
    house.ask(bia, m.Leave)
    assert phase(ana) is Phase.OVER
    [last] = checked(ana.heard)
    assert not last.called
    assert ana.at.proof.chain == last.chain != before
    assert house.fair.seeds[1] not in b"".join(ana.frames)


# Coming in the middle of it -------------------------------------------------------------------


def test_who_comes_late_sees_the_proof_as_far_as_it_is_known() -> None:
    house = FairHouse()
    ana, bia = to_draw(house, "Ana", "Bia", holding="Bia")
    late = house.peer("Late")
    house.ask(late, m.Join, table=1)
    assert late.at.proof == ana.at.proof
    assert late.at.proof.commitments == commits(ana)[0].commitments
    assert late.at.proof.entropies == ()
    bia.release()
    house.clock.settle()
    later = house.peer("Later")
    house.ask(later, m.Watch, table=1)
    assert later.at.proof == late.at.proof == ana.at.proof
    assert all(later.at.proof.entropies)
    assert (later.at.hand, later.at.seed) == ((), b"")


def test_the_log_tells_each_draw_with_its_round_and_who_was_left_out(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO", "perudo.test")
    house = FairHouse()
    ana, bia = house.fair_table("Ana", "Bia")
    assert house.ask(ana, m.Start) == "done"
    bia.holds = True
    house.ready([ana, bia])
    house.clock.advance(3.1)
    told = [r.__dict__["fields"] for r in caplog.records if r.getMessage() == "commit"]
    assert [(t["round"], t["attempt"], t["left_out"]) for t in told] == [(1, 0, ""), (1, 1, "1")]
