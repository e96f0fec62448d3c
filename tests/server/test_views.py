"""What leaves the server: nothing hidden, nothing lost, and little of it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perudo_protocol import messages as m
from perudo_protocol.codec import encode
from perudo_protocol.story import TurnSet
from perudo_protocol.vocabulary import Phase
from perudo_server import view
from tests.support.house import ChosenDice, HouseOfTests
from tests.support.table_stories import Story, options


@settings(max_examples=60, deadline=None)
@given(
    options(),
    st.integers(2, 5),
    st.lists(st.integers(0, 10_000), min_size=5, max_size=60),
    st.integers(0, 2**32),
)
def test_folding_the_updates_gives_exactly_the_view(
    rules: dict[str, Any], players: int, numbers: list[int], seed: int
) -> None:
    """A full view comes on joining; after every step the folded one equals a fresh one."""
    chance = random.Random(seed)
    dice = ChosenDice([chance.randint(1, 6) for _ in range(2000)])
    story = Story(rules, players, dice)
    table = story.house.the_table()
    people = {person.number: person for person in table.roster.everybody()}
    for number in numbers:
        story.step(number)
        for peer in [*story.here, story.watcher]:
            assert peer.at == view.build(table, people[peer.at.you])


class TwinDice(ChosenDice):
    """Dice alike in both games, but for cups hidden from the viewer in one round."""

    def __init__(self, hidden_in: int, viewer: int | None, players: int, seed: int) -> None:
        super().__init__()
        self._hidden_in, self._viewer, self._players = hidden_in, viewer, players
        self._alike, self._other = random.Random(players), random.Random(seed)
        self._throws = -1

    def throw(self, number: int) -> tuple[int, ...]:
        """Throw for the start first, the first seat highest; then for each seat, round by round."""
        self._throws += 1
        if not self._throws:
            return (6, *range(1, number))
        before, seat = divmod(self._throws - 1, self._players)
        hidden = before + 1 == self._hidden_in and seat != self._viewer
        chance = self._other if hidden else self._alike
        return tuple(chance.randint(1, 6) for _ in range(number))


def told_until_the_call(
    story: Story, viewer: int | None, hidden_in: int, numbers: Sequence[int]
) -> tuple[list[bytes], list[bytes], list[str]]:
    """Play up to a round and on in it; give what viewer and watcher got, and the log.

    What the call that ends this round brings is left out: then the cups are lifted.
    """
    seat = story.watcher if viewer is None else story.peers[viewer]
    while story.watcher.at.round < hidden_in and story.watcher.at.phase is not Phase.OVER:
        story.step(12 if not story.watcher.at.ladder else 0)
    told = (list(seat.frames), list(story.watcher.frames), story.log.getvalue())
    story.house.drop(story.house.peer("Passer-by"))
    for number in [12, *numbers]:
        told = (list(seat.frames), list(story.watcher.frames), story.log.getvalue())
        story.step(number)
        if story.watcher.at.turn is None:
            break
    else:
        told = (seat.frames, story.watcher.frames, story.log.getvalue())
    return told[0], told[1], without_times(told[2])


@settings(max_examples=100, deadline=None)
@given(
    options(),
    st.integers(2, 4),
    st.integers(1, 5),
    st.lists(st.integers(0, 10_000), max_size=12),
    st.data(),
)
def test_a_viewer_cannot_tell_two_games_apart_that_differ_in_hidden_cups(
    rules: dict[str, Any], players: int, hidden_in: int, numbers: list[int], data: st.DataObject
) -> None:
    """Non-interference: same public history, other hidden cups, the same bytes.

    The cups differ in one round, the first or a later one: so palifico rounds and viewers who are
    out come too.
    """
    rules = {**rules, "first_player": "roll", "on_leave": "ghost"}
    viewer = data.draw(st.sampled_from([None, *range(players)]), label="viewer")
    told = []
    for seed in (1, 2):  # one after the other, since the log is one
        story = Story(rules, players, TwinDice(hidden_in, viewer, players, seed))
        told.append(told_until_the_call(story, viewer, hidden_in, numbers))
    assert told[0] == told[1]


def without_times(log: str) -> list[str]:
    return [line.partition(" ")[2] for line in log.splitlines()]


@pytest.mark.parametrize("who", ["watcher", "other", "eliminated"])
def test_nobody_is_sent_the_dice_of_others_before_the_call(who: str) -> None:
    """A canary: dice that fall as sixes only appear in no message to anybody else (P1, D36)."""
    start = [6, 1] if who != "eliminated" else [6, 1, 2]
    names = ["Ana", "Bia"] if who != "eliminated" else ["Ana", "Bia", "Caio"]
    house = HouseOfTests([*start, *[6] * 5 * len(names)])
    peers = house.table(*names, first_player="roll")
    watcher = house.peer("Eva")
    house.ask(watcher, m.Watch, table=1)
    house.ask(peers[0], m.Start)
    house.ready(peers)
    assert peers[0].at.hand == (6, 6, 6, 6, 6)
    viewer = watcher if who == "watcher" else peers[1]
    seen = [h.dice for h in viewer.all(m.OwnHand)]
    assert seen == ([] if who == "watcher" else [(6,) * 5])
    late = house.peer("Late")
    house.ask(late, m.Join, table=1)
    assert late.at.hand == ()
    assert late.at.reveal is None
    assert [s.dice for s in late.at.seats] == [5] * len(names)


def test_the_eliminated_see_no_hidden_dice() -> None:
    """One who is out gets no dice and no hand of others in later rounds (D36)."""
    house = HouseOfTests([6, 1, 1, 2, 3, 4])
    ana, bia, caio = house.game("Ana", "Bia", "Caio", start_dice=1)
    assert house.bid(ana, 3, 6) == "done"
    assert house.act(bia, m.Dudo) == "done"
    assert ana.mine.dice == 0
    house.ready([bia, caio])
    assert ana.at.phase is Phase.BIDDING
    assert ana.at.hand == ()
    assert ana.at.reveal is None
    assert bia.at.hand != ()
    assert len(ana.all(m.OwnHand)) == 1


def test_a_hand_has_one_length_for_each_number_of_dice() -> None:
    """Neither size nor type of a frame tells what lies under a cup."""
    for dice in range(1, 6):
        lengths = {
            len(encode(m.OwnHand(round=3, dice=hand)))
            for hand in [(1,) * dice, (6,) * dice, tuple(range(1, dice + 1))]
        }
        assert len(lengths) == 1


def test_a_bid_weighs_at_most_a_hundred_bytes_to_each_player() -> None:
    """With ten players and calls open to all, deep in a long game."""
    house = HouseOfTests()
    names = [f"Player {n}" for n in range(10)]
    peers = house.game(*names, max_players=10, dudo_by="any", spot_on_by="any", start_dice=6)
    for peer in peers:
        peer.frames.clear()
    turn = peers[0].at.turn
    assert turn is not None
    house.the_table().rev = 100_000
    for peer in peers:
        assert peer.view is not None
        peer.view = view.build(house.the_table(), house.the_table().roster.find(peer.at.you))
    who = next(p for p in peers if p.seat == turn.seat)
    assert house.bid(who, 19, 5) == "done"
    told = [sum(map(len, peer.frames)) for peer in peers if peer is not who]
    assert max(told) <= 100
    assert any(isinstance(event, TurnSet) for event in peers[1].events())


def test_what_is_alike_for_all_is_encoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bid to six players costs one encoding of the story, and one answer."""
    house = HouseOfTests()
    peers = house.game(*"ABCDEF")
    made: list[str] = []

    def counting(message: m.FromServer) -> bytes:
        made.append(type(message).__name__)
        return encode(message)

    monkeypatch.setattr("perudo_server.table.encode", counting)
    turn = peers[0].at.turn
    assert turn is not None
    house.bid(next(p for p in peers if p.seat == turn.seat), 1, 2)
    assert made == ["Update"]
