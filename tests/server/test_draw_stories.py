"""Whatever players do in the middle of a draw, it ends, is right, and meets no entropy twice."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from perudo_protocol import messages as m
from perudo_protocol import story as ev
from perudo_server import view
from tests.support.fair_table import FairDice, FairPeer, checked
from tests.support.table_stories import Story

WAIT = 3.0


class Drawing(Story):
    """A story in which everybody holds their entropy back until a number lets them send it."""

    def __init__(self, rules: dict[str, Any], players: int) -> None:
        super().__init__(rules, players, FairDice([6, *range(1, players)]), holds=True)
        self.sent: dict[bytes, set[bytes]] = {}
        """With which commitments each entropy has met, as the server saw it."""

    @property
    def drawing(self) -> bool:
        play = self.house.the_table().play
        return play is not None and play.drawing is not None

    def step(self, number: int) -> None:
        if not self.drawing or not self.here:
            super().step(0 if self.watcher.at.ladder else 12)  # doubt, or open
            return
        waiting = [peer for peer in self.here if peer.held]
        kind, rest = number % 8, number // 8
        peer = self.here[rest % len(self.here)]
        if kind < 3 and waiting:
            self.open(waiting[rest % len(waiting)])
        elif kind == 3:
            peer.held = [lie(answer) for answer in peer.held]
            self.open(peer)
        elif kind == 4 and rest % 3 == 0 and len(self.here) > 1:
            self.house.ask(peer, m.Leave)
        elif kind == 5 and rest % 3 == 0 and len(self.here) > 1:
            self.house.drop(peer)
            self.peers.remove(peer)
        elif kind == 6:
            peer.send(m.Promise(game=peer.at.game, promise=peer.promise()))
            self.house.clock.settle()
        else:
            self.house.clock.advance(WAIT)

    def open(self, peer: FairPeer) -> None:
        """Send what a peer has held back, and note what it met."""
        proof = self.watcher.at.proof
        for answer in peer.held:
            if (answer.round, answer.attempt) == (proof.round, proof.attempt):
                self.sent.setdefault(answer.entropy, set()).add(b"".join(proof.commitments))
        peer.release()
        self.house.clock.settle()


def lie(answer: m.Entropy) -> m.Entropy:
    return m.Entropy(
        game=answer.game,
        round=answer.round,
        attempt=answer.attempt,
        entropy=bytes([*answer.entropy[:-1], answer.entropy[-1] ^ 1]),
        promise=answer.promise,
    )


@settings(max_examples=80, deadline=None)
@given(
    st.sampled_from(["bot", "ghost"]),
    st.integers(2, 5),
    st.integers(1, 3),
    st.lists(st.integers(0, 10_000), min_size=5, max_size=50),
)
def test_any_story_of_draws(on_leave: str, players: int, dice: int, numbers: list[int]) -> None:
    """At every step each folded view is the fresh one; what was opened is never drawn with again;
    each seat holds a round up twice at most, by failing and by leaving."""
    rules = {"on_leave": on_leave, "start_dice": dice, "turn_seconds": 60}
    story = Drawing(rules, players)
    table = story.house.the_table()
    people = {person.number: person for person in table.roster.everybody()}
    for number in numbers:
        story.step(number)
        for peer in [*story.here, story.watcher]:
            assert peer.at == view.build(table, people[peer.at.you])
    for peer in story.peers:
        peer.holds = False
        story.open(peer)
    story.house.clock.until(lambda: not story.drawing, WAIT)
    assert all(len(met) == 1 for met in story.sent.values())
    for peer in story.peers:
        checked(peer.heard)
    attempts = [e.attempt for e in story.watcher.events() if isinstance(e, ev.Committed)]
    assert max(attempts, default=0) <= 2 * players
    told = b"".join(story.watcher.frames)
    assert all(peer.entropies[-1] not in told for peer in story.here)
