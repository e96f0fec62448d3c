"""What is said to be needed of a journal folds to the same past as all of it, at every moment."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from perudo_protocol.vocabulary import Player
from perudo_server import entries as n
from perudo_server.journal_entry import Entry
from perudo_server.needed import Needed
from perudo_server.past import CannotRestore, Past
from tests.server.test_shadow import Walk
from tests.support.arbitrary import instances, kinds
from tests.support.long_journal import recorded


def needed_of(entries: list[Entry], needs: Needed) -> list[Entry]:
    """Give what is needed, and after it what all have counted."""
    numbers = set(needs.numbers(1, entries[-1].seq + 1))
    counted = Entry(entries[-1].seq, n.HOUSE, needs.at, needs.counted)
    return [*(entry for entry in entries if entry.seq in numbers), counted]


def facts(entries: list[Entry]) -> dict[str, Any]:
    """Give all that a past comes to."""
    return vars(Past().take(entries))


@pytest.mark.parametrize("seed", [1, 3, 5])
def test_of_a_walk_the_needed_entries_are_enough(seed: int) -> None:
    walk, needs, taken, least = Walk(seed), Needed(), 0, 1.0
    for number in range(150):
        walk.step()
        walk.house.clock.settle()
        durable = walk.house.kept.durable
        needs.take(durable[taken:])
        taken = len(durable)
        kept = needed_of(durable, needs)
        assert facts(kept) == facts(durable), f"after step {number}"
        least = min(least, len(kept) / len(durable))
    assert least < 0.8
    walk.finish()
    walk.all_go()
    needs.take(walk.house.kept.durable[taken:])
    assert needs.numbers(1, 1 << 60) == []


WORDS = [kind for kind in kinds(n.AnyEntry) if kind is not n.Leased]
NUMBERS = st.integers(0, 2)
SEATS = st.just((n.SeatKept("Ana", Player.PERSON, 1, 0, 0.0, 0, False, True),))
ROSTER = st.builds(n.Roster, NUMBERS, SEATS, st.just(()), st.just(()))
LIKELY = st.one_of(
    st.builds(n.Came, NUMBERS, *[st.just("Ana")] * 2, *[st.booleans()] * 2, st.just(b"")),
    st.builds(n.Gone, NUMBERS),
    *[st.builds(n.Answered, NUMBERS, st.integers(0, 5), st.just(""), st.just(""))] * 2,
    st.builds(n.Opened, st.just("Test"), st.just({}), st.just(""), st.just(b""), st.just(b"")),
    *[st.sampled_from([n.Closed(), n.Over()])] * 2,
    st.builds(n.Began, NUMBERS, st.just("id"), NUMBERS),
    st.builds(n.Ready, NUMBERS, st.booleans()),
    ROSTER,
    *[st.builds(n.Ruled, st.sampled_from(["dealt", "won", "bid"]), st.just((1,)))] * 2,
)
ANY = st.one_of(*[LIKELY] * 4, st.one_of(*map(instances, WORDS)))
ROWS = st.lists(st.tuples(st.integers(0, 2), st.floats(0, 99), ANY), min_size=10, max_size=40)


@pytest.fixture(autouse=True)
def few_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(n, "MOST_ANSWERS", 3)


@given(ROWS, st.data())
@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_of_any_entries_the_needed_ones_are_enough(
    rows: list[tuple[int, float, n.AnyEntry]], data: st.DataObject
) -> None:
    """Also with a mark that moves on meanwhile: what is dropped of entries before it is told."""
    entries = [
        Entry(seq, stream, at, n.encode(happened))
        for seq, (stream, at, happened) in enumerate(rows, 1)
    ]
    needs = Needed()
    held: set[int] = set()
    for count, entry in enumerate(entries, 1):
        needs.take([entry])
        if data.draw(st.integers(0, 4)) == 0:
            mark = data.draw(st.integers(needs.mark, count + 1))
            held -= set(needs.dropped)
            held |= set(needs.numbers(needs.mark, mark))
            needs.mark = mark
            needs.dropped.clear()
            assert facts(needed_of(entries[:count], needs)) == facts(entries[:count])
        assert held - set(needs.dropped) == set(needs.numbers(1, needs.mark))
    assert facts(needed_of(entries, needs)) == facts(entries)


def test_games_that_are_over_are_told_with_who_played_and_who_won() -> None:
    evening = recorded(3, 1, 2)
    parts = [evening.opening, *evening.games]
    entries = [entry for part in parts for entry, _ in part]
    needs = Needed()
    needs.take(entries)
    assert len(needs.finished) == 2
    for number, (game, part) in enumerate(zip(needs.finished, evening.games, strict=True), 1):
        won = next(h for _, h in part if isinstance(h, n.Ruled) and h.event == "won")
        dealt = [h for _, h in part if isinstance(h, n.Ruled) and h.event == "dealt"]
        assert entries[game.first - 1] == part[0][0]
        assert n.decode(entries[game.seq - 1].body) == won
        seats = tuple(n.SeatPlayed(name, Player.PERSON) for name in ("Ana", "Bo", "Cy"))
        result = n.Result(1, "Test", number, len(dealt), won.values[0], seats)
        assert n.decode_result(game.body) == result
    assert needs.oldest_game(77) == 77


def test_the_oldest_game_that_goes_on_is_known() -> None:
    evening = recorded(3, 1, 2)
    entries = [entry for part in (evening.opening, evening.games[0]) for entry, _ in part]
    needs = Needed()
    needs.take(entries[: len(evening.opening) + 5])
    assert needs.oldest_game(77) == evening.games[0][0][0].seq
    needs.take(entries[len(evening.opening) + 5 :])
    assert needs.oldest_game(77) == 77


def test_answers_to_numbers_that_are_used_again_are_the_newest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As `Person.remember` has it, so that a restart forgets no other answer than the server."""
    monkeypatch.setattr(n, "MOST_ANSWERS", 3)
    happened: list[n.AnyEntry] = [n.Came(1, "Ana", "::1", False, False, b"k")]
    happened += [n.Answered(1, number, "", "") for number in (1, 2, 3, 1, 4, 4, 1)]
    entries = [Entry(seq, n.HOUSE, 0.0, n.encode(each)) for seq, each in enumerate(happened, 1)]
    needs = Needed()
    needs.take(entries)
    assert list(Past().take(entries).answers[1]) == [3, 4, 1]
    assert facts(needed_of(entries, needs)) == facts(entries)
    assert needs.numbers(1, 100) == [1, 4, 7, 8]


@pytest.mark.parametrize("stream", [n.HOUSE, 1])
def test_a_fencing_number_only_grows(stream: int) -> None:
    """A server whose lease was over has written among the entries of another."""
    opened = n.Opened("Test", {}, "::1", b"", b"")

    def leased(*numbers: int) -> list[Entry]:
        happened: list[n.AnyEntry] = [opened, *map(n.Leased, numbers)]
        return [Entry(seq, stream, 0.0, n.encode(each)) for seq, each in enumerate(happened, 1)]

    needs, good = Needed(), leased(1, 2, 5)
    needs.take(good)
    assert facts(needed_of(good, needs)) == facts(good)
    for numbers in ((2, 1), (1, 1), (0,)):
        with pytest.raises(CannotRestore, match="under lease"):
            Past().take(leased(*numbers))
