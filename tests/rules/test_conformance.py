"""Every row of the conformance file, and that no row can pass by being misunderstood."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.rows import DEFAULT, VARIABLE, Row, RowError, check_row, load_rows, rows_path

ROWS = load_rows(rows_path())


@pytest.mark.parametrize("row", ROWS, ids=[str(row.get("id")) for row in ROWS])
def test_row(row: Row) -> None:
    """The rules agree with the row."""
    check_row(row)


GOOD: dict[str, Any] = {
    "id": "X1",
    "kind": "bid",
    "rules": "standard",
    "dice": {"A": 5, "B": 5},
    "current_bid": [2, 3],
    "bidder": "A",
    "turn": "B",
    "who": "B",
    "new_bid": [3, 3],
    "expect": {"legal": True, "reason": "ok"},
}


def row(**changes: Any) -> dict[str, Any]:
    """Give the good row with some keys put in."""
    return {**GOOD, **changes}


@pytest.mark.parametrize(
    "bad",
    [
        row(kind="bids"),
        row(kind=None),
        row(colour="red"),
        row(rolls={"A": 1}),
        row(mode="calm"),
        row(phase="supper"),
        row(turn="Z"),
        row(bidder="Z"),
        row(left=["Z"]),
        row(expect={}),
        row(expect={"legal": True, "colour": "red"}),
        row(dice={}),
        row(hands={"A": [1], "B": [2]}),
        {key: value for key, value in GOOD.items() if key != "new_bid"},
        {key: value for key, value in GOOD.items() if key != "expect"},
    ],
    ids=str,
)
def test_a_row_that_is_not_understood_fails(bad: Row) -> None:
    """An unknown kind, key, word or expectation is an error, never a pass."""
    with pytest.raises(RowError):
        check_row(bad)


@pytest.mark.parametrize(
    "bad", [row(rules="stanard"), row(rules={"raising": "up"}), row(rules={"max_players": 12})]
)
def test_unknown_rules_fail(bad: Row) -> None:
    """Rules that do not exist are refused on every kind of row that needs a board."""
    with pytest.raises(ValueError, match=r"preset|raising|max_players"):
        check_row(bad)


@pytest.mark.parametrize(
    "expect",
    [
        {"legal": False},
        {"reason": "stale"},
        {"turn": "B"},
        {"current_bid": [2, 3]},
        {"dice_after": {"A": 5, "B": 4}},
        {"winner": "A"},
        {"count": 3},
        {"sees": {"A": 5, "B": 5}},
    ],
    ids=str,
)
def test_a_wrong_expectation_fails(expect: dict[str, Any]) -> None:
    """The runner compares: it does not merely run."""
    check_row(GOOD)
    with pytest.raises(AssertionError):
        check_row(row(expect=expect))


@pytest.mark.parametrize("raw", [[True, 3], [2.5, 3], ["3", 3], [3, 3, 4], [3], [], "3x3", None, 3])
def test_raw_bids_are_judged(raw: Any) -> None:
    """What a wire could carry in place of a bid is out of range, not a crash (D5)."""
    check_row(row(new_bid=raw, expect={"legal": False, "reason": "out_of_range", "turn": "B"}))


@pytest.mark.parametrize(
    ("kind", "facts", "expect"),
    [
        ("bid", {"names_bid": [2, 3]}, {"legal": True}),
        ("bid", {"names_bid": [2, 2]}, {"reason": "stale"}),
        ("bid", {"names_bid": None}, {"reason": "stale"}),
        ("bid", {"left": ["B"]}, {"reason": "not_playing"}),
        ("bid", {"phase": "reveal"}, {"reason": "not_playing"}),
        ("bid", {"who": "Z"}, {"reason": "not_playing"}),
        ("bid", {"new_bid": [3, 4], "mode": "palifico"}, {"reason": "face_locked"}),
    ],
)
def test_facts_combine_on_a_bid(kind: str, facts: dict[str, Any], expect: dict[str, Any]) -> None:
    """A fact known from one kind of row has its effect on another."""
    check_row(row(kind=kind, **facts, expect=expect))


THREE: dict[str, Any] = {"id": "X2", "rules": "standard", "dice": {"A": 1, "B": 5, "C": 5}}


@pytest.mark.parametrize(
    "combined",
    [
        # time out of an opener; the fallback has its limits nowhere
        {"kind": "timeout", "turn": "A", "expect": {"action": "bid", "bid": [1, 2], "turn": "B"}},
        # without a word on who acts it is the one in turn
        {
            "kind": "call",
            "turn": "C",
            "current_bid": [2, 2],
            "bidder": "B",
            "call": "dudo",
            "expect": {"legal": True, "lost": ["C"]},
        },
        # out of turn nobody's time is up
        {"kind": "timeout", "turn": "A", "who": "B", "expect": {"reason": "not_your_turn"}},
        # a time out calls dudo, and 2x2 of eleven twos is true
        {
            "kind": "timeout",
            "turn": "C",
            "current_bid": [2, 2],
            "bidder": "B",
            "expect": {"action": "dudo", "bid": None, "count": 11, "lost": ["C"], "starter": "C"},
        },
        # the palifico opener leaves before bidding
        {
            "kind": "leave",
            "mode": "palifico",
            "turn": "A",
            "who": "A",
            "expect": {"turn": "B", "current_bid": None, "mode": "palifico", "game_over": False},
        },
        # a second leaver ends a palifico round
        {
            "kind": "leave",
            "mode": "palifico",
            "turn": "B",
            "who": "B",
            "left": ["A"],
            "expect": {"turn": None, "mode": "palifico", "game_over": True, "winner": "C"},
        },
        # one who has gone cannot go again
        {"kind": "leave", "turn": "B", "who": "A", "left": ["A"], "expect": {"legal": False}},
        # leaving between rounds: the next clockwise opens
        {
            "kind": "leave",
            "phase": "reveal",
            "mode": "palifico",
            "turn": "A",
            "who": "A",
            "expect": {
                "starter": "B",
                "next_mode": "normal",
                "dice_after": {"A": 0, "B": 5, "C": 5},
            },
        },
        # minimum for one out of turn: nothing
        {
            "kind": "minimum",
            "turn": "A",
            "who": "B",
            "expect": {"minimum": dict.fromkeys("123456")},
        },
        # with a ghost, two players are left though three have dice
        {
            "kind": "call",
            "rules": {"spot_on_heads_up": False},
            "current_bid": [2, 2],
            "bidder": "B",
            "turn": "C",
            "who": "C",
            "left": ["A"],
            "call": "spot_on",
            "expect": {"legal": False, "reason": "not_heads_up"},
        },
    ],
    ids=lambda made: f"{made['kind']}-{'-'.join(made['expect'])}",
)
def test_facts_combine_on_a_board(combined: Row) -> None:
    """Rows that mix the facts of several kinds are run, and judged."""
    check_row({**THREE, **combined})


HANDS = {"A": [1, 3, 5], "B": [], "C": [6]}


@pytest.mark.parametrize(
    ("phase", "who", "sees"),
    [
        ("bidding", "Z", {"A": 3, "B": 0, "C": 1}),
        ("bidding", None, {"A": 3, "B": 0, "C": 1}),
        ("bidding", "C", {"A": 3, "B": 0, "C": [6]}),
        ("reveal", "Z", HANDS),
        ("over", "B", HANDS),
    ],
)
def test_views_of_watchers_and_after_the_game(
    phase: str, who: str | None, sees: dict[str, Any]
) -> None:
    """Whoever has no dice sees none before the call, and all after it (D36)."""
    look = {"kind": "view", "hands": HANDS, "phase": phase, "who": who, "expect": {"sees": sees}}
    check_row(look)


def test_the_file_is_named_by_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`PERUDO_CONFORMANCE` names the file; without it the copy kept here is run."""
    monkeypatch.delenv(VARIABLE, raising=False)
    assert rows_path() == DEFAULT
    monkeypatch.setenv(VARIABLE, str(tmp_path / "other.yaml"))
    assert rows_path() == tmp_path / "other.yaml"


@pytest.mark.parametrize("text", ["", "[]", "{}", "- 3", "rows"])
def test_a_file_without_rows_fails(tmp_path: Path, text: str) -> None:
    """An empty or misread file is an error, or nothing would be tested and all would pass."""
    path = tmp_path / "rows.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RowError):
        load_rows(path)
