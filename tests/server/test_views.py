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
from perudo_protocol.fairness import Draw
from perudo_protocol.story import TurnSet
from perudo_protocol.vocabulary import Phase
from perudo_server import view
from tests.support.fair_table import FairPeer
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
    """Dice alike in both games, but for cups hidden from the viewer in one round of one game."""

    def __init__(self, hidden_in: tuple[int, int], viewer: int | None, twin: int) -> None:
        super().__init__()
        self._hidden_in, self._viewer, self._twin = hidden_in, viewer, twin
        self._games = 0

    def new_id(self) -> str:
        self._games += 1
        return super().new_id()

    def throw(self, number: int) -> tuple[int, ...]:
        """Throw for the start, the first seat highest."""
        return (6, *range(1, number))

    def hand(self, draw: Draw, seat: int, seed: bytes, mixed: bytes, number: int) -> Any:
        hidden = (self._games, draw.round) == self._hidden_in and seat != self._viewer
        chance = random.Random(f"{self._games} {draw.round} {seat} {self._twin * hidden}")
        return tuple(chance.randint(1, 6) for _ in range(number))


def told_until_the_call(
    story: Story, viewer: int | None, hidden_in: tuple[int, int], numbers: Sequence[int]
) -> list[object]:
    """Play up to a round and on in it; give what viewer, watcher and late comers got, and the log.

    What the call that ends this round brings is left out: then the cups are lifted.
    """
    house, watcher = story.house, story.watcher
    game, round_ = hidden_in
    if game > 1:
        open_and_doubt(story, until=99)
        story.peers.append(late(story, "Late"))
        assert house.ask(story.peers[0], m.Rematch) == "done"
    open_and_doubt(story, until=round_)
    house.drop(house.peer("Passer-by"))
    seat = watcher if viewer is None else story.peers[viewer]
    viewers = [seat, watcher, late(story, "Later")]
    told: list[object] = []
    for number in [12, *numbers, 0]:
        if watcher.at.turn is None:
            break
        told = [list(peer.frames) for peer in viewers]
        told.append(without_times(story.log.getvalue()))
        story.step(number)
    return told


def open_and_doubt(story: Story, until: int) -> None:
    """Play on as fast as it goes, up to a round or the end of the game."""
    at = story.watcher.at
    while at.phase is not Phase.OVER and (at.round < until or at.turn is None):
        story.step(0 if at.ladder else 12)
        at = story.watcher.at


def late(story: Story, name: str) -> FairPeer:
    """Let somebody come who waits for a seat."""
    peer = story.house.peer(name)
    assert story.house.ask(peer, m.Join, table=1) == "done"
    assert isinstance(peer, FairPeer)
    return peer


@settings(max_examples=100, deadline=None)
@given(
    options(),
    st.integers(2, 4),
    st.sampled_from([1, 1, 1, 2]),
    st.integers(1, 5),
    st.lists(st.integers(0, 10_000), max_size=12),
    st.data(),
)
def test_a_viewer_cannot_tell_two_games_apart_that_differ_in_hidden_cups(
    rules: dict[str, Any],
    players: int,
    game: int,
    round_: int,
    numbers: list[int],
    data: st.DataObject,
) -> None:
    """Non-interference: same public history, other hidden cups, the same bytes.

    The cups differ in one round, the first or a later one, of the first game or of a rematch: so
    palifico rounds and viewers who are out, or who came late, come too. Everybody takes part in the
    draws; seeds and entropy are alike in both games.
    """
    rules = {**rules, "first_player": "roll", "on_leave": "ghost"}
    if game > 1:
        rules["start_dice"] = min(2, rules.get("start_dice", 2))
    viewer = data.draw(st.sampled_from([None, *range(players + game - 1)]), label="viewer")
    told = []
    for twin in (1, 2):  # one after the other, since the log is one
        story = Story(rules, players, TwinDice((game, round_), viewer, twin))
        told.append(told_until_the_call(story, viewer, (game, round_), numbers))
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
