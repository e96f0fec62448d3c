"""Compares what two files of one game tell: of the rounds that both have, all that all were told.

A `Story` is fed as the checker is. What one file has not, since it begins later, ends earlier or
has a picture in the place of what was missed, is not held against the other.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from msgspec.structs import replace

from perudo_protocol import story as ev
from perudo_protocol.story import AnyEvent
from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import Phase

Key = tuple[int, str]
"""A stage of the story: its round, 0 before the first, and what it begins with."""

_PRIVATE = (ev.People, ev.Ready, ev.TurnSet, ev.NextSet, ev.TimeGiven, ev.Paused)
"""Who is there and what clocks show is no matter of the game's story."""
_END: Key = (0, "end")


class Compared(NamedTuple):
    """What came of comparing two stories."""

    rounds: tuple[int, ...]
    """The rounds of which both have something."""
    differs: int | None
    """The first round in which they differ, 0 before the first; `None` if they agree."""


@dataclass
class Story:
    """What everybody was told of a game, as far as one file has it."""

    facts: dict[int, dict[str, object]] = field(default_factory=dict)
    """Of each round, what the table showed."""
    spans: dict[Key, list[AnyEvent]] = field(default_factory=dict)
    """Of each stage, what was told in it, its first event first."""
    after: dict[Key, Key] = field(default_factory=dict)
    """The stage that followed, where it was seen to follow: such a stage is whole."""
    _at: Key | None = None

    def picture(self, view: TableView) -> None:
        """Take a whole picture in; what was told before it may have been missed."""
        self._at = None
        self._show(view)

    def event(self, event: AnyEvent, view: TableView) -> None:
        """Take an event in; `view` is the table after it."""
        if isinstance(event, _PRIVATE):
            return
        key = _opens(event, view)
        if key is not None:
            self._move(key)
        if self._at is not None:
            self.spans.setdefault(self._at, []).append(event)
        self._show(view)
        if isinstance(event, ev.Won):
            self._move(_END)

    def _move(self, key: Key) -> None:
        if self._at is not None:
            self.after[self._at] = key
        self._at = key

    def _show(self, view: TableView) -> None:
        proof = view.proof
        if proof.round:
            facts = self.facts.setdefault(proof.round, {})
            facts[f"commit {proof.attempt}"] = proof.commitments, proof.promises, proof.left_out
            if proof.entropies:
                facts[f"open {proof.attempt}"] = proof.entropies
            if proof.round == view.round and view.phase in (Phase.REVEAL, Phase.OVER):
                facts["chain"] = proof.chain
        if view.round and view.phase in (Phase.BIDDING, Phase.REVEAL):
            facts = self.facts.setdefault(view.round, {})
            facts["deal"] = view.opener, view.palifico
            facts |= {f"bid {number}": placed for number, placed in enumerate(view.ladder)}
            if view.reveal is not None:
                facts["call"] = replace(view.reveal, lost=(), gained=())


def _opens(event: AnyEvent, view: TableView) -> Key | None:
    """Name the stage that an event begins, if it begins one."""
    match event:
        case ev.Started():
            return 0, "start"
        case ev.Committed(number, attempt):
            return number, f"commit {attempt}"
        case ev.Opened():
            return view.proof.round, f"open {view.proof.attempt}"
        case ev.Dealt(number):
            return number, "deal"
        case ev.BidPlaced():
            return view.round, f"bid {len(view.ladder)}"
        case ev.Called():
            return view.round, "call"
        case ev.Won():
            return view.round, "over"
        case _:
            return None


def compare(one: Story, other: Story) -> Compared:
    """Compare all that two stories of one game both tell."""
    rounds, wrong = set[int](), set[int]()
    for number in set(one.facts) & set(other.facts):
        facts, others = one.facts[number], other.facts[number]
        common = set(facts) & set(others)
        rounds |= {number} if common else set()
        wrong |= {number} if any(facts[what] != others[what] for what in common) else set()
    for key in set(one.spans) & set(other.spans):
        rounds.add(key[0])
        wrong |= set() if _same(one, other, key) else {key[0]}
    return Compared(tuple(sorted(rounds - {0})), min(wrong, default=None))


def _same(one: Story, other: Story, key: Key) -> bool:
    """Say whether two tell the same of a stage, as far as both go."""
    told, others = one.spans[key], other.spans[key]
    least = min(len(told), len(others))
    if told[:least] != others[:least]:
        return False
    follows = one.after.get(key), other.after.get(key)
    if None not in follows and follows[0] != follows[1]:
        return False
    if len(told) == len(others):
        return True
    shorter = follows[0] if len(told) < len(others) else follows[1]
    return shorter is None  # it may go on unseen


def span(rounds: tuple[int, ...]) -> str:
    """Write numbers in short: `1-4, 6`."""
    parts: list[list[int]] = []
    for number in rounds:
        if parts and parts[-1][-1] == number - 1:
            parts[-1][1:] = [number]
        else:
            parts.append([number])
    return ", ".join("-".join(map(str, part)) for part in parts)
