"""What `--verify` says of files beside the dice: other stories, other games, nothing to check."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from perudo_client.comparing import Story, compare, span
from perudo_client.verifying import examine, verify
from perudo_protocol import messages as m
from tests.client.test_proof_files import (
    everybody,
    lines_of,
    resealed,
    short_game,
    stranger_agrees,
    with_a_rematch,
    with_leavers,
    written,
)
from tests.support.fair_house import FairHouse

Values = list[Any]
SAME = "Files of the same game tell the same story: rounds "


def said(tmp_path: Path, *files: bytes) -> tuple[int, list[str]]:
    """Verify files of these bytes; give the exit code and the lines."""
    paths = []
    for number, data in enumerate(files):
        paths.append(tmp_path / f"file {number}")
        paths[-1].write_bytes(data)
    told: list[str] = []
    return verify(paths, told.append), told


def place(values: Values, word: str, which: int = -1) -> int:
    """Find a line by its word."""
    return [n for n, value in enumerate(values) if isinstance(value, list) and value[0] == word][
        which
    ]


def last(word: str, change: Callable[[Any], object]) -> Callable[[Values], None]:
    def tamper(values: Values) -> None:
        change(values[place(values, word)])

    return tamper


def other_winner(values: Values) -> None:
    """The last two lines tell that the other one has won."""
    winner = values[place(values, "over")]
    winner[1] = 1 - winner[1]
    lost = values[place(values, "lose")]
    lost[1] = 1 - lost[1]


def without(word: str) -> Callable[[Values], None]:
    def tamper(values: Values) -> None:
        del values[place(values, word)]

    return tamper


def added(word: str, line: Values) -> Callable[[Values], None]:
    def tamper(values: Values) -> None:
        values.insert(place(values, word), line)

    return tamper


def swap(index: int, value: object) -> Callable[[Any], object]:
    return lambda line: line.__setitem__(index, value)


TAMPERED: dict[str, Callable[[Values], None]] = {
    "another winner": other_winner,
    "other tallies": last("over", lambda line: line[2][0].__setitem__(0, 99)),
    "another place": last("out", lambda line: line.__setitem__(2, 9)),
    "no place": without("out"),
    "a time-out": added("call", ["timeout", 0]),
    "another opener": last("deal", lambda line: line.__setitem__(2, 1 - line[2])),
    "palifico or not": last("deal", lambda line: line.__setitem__(3, not line[3])),
    "a bid that was not": lambda values: values.insert(
        place(values, "bid") + 1, ["bid", 0, [40, 6]]
    ),
    "another face and number": last("bid", swap(2, [5, 5])),
    "another bidder": last("bid", lambda line: line.__setitem__(1, 1 - line[1])),
    "another caller": last("call", lambda line: line.__setitem__(1, 1 - line[1])),
    "another who threw": last("throw", lambda line: line[1][0].__setitem__(1, 6)),
}


@pytest.mark.parametrize("how", TAMPERED)
def test_whatever_all_were_told_is_compared(how: str, tmp_path: Path) -> None:
    """One file was changed and sealed anew: the other tells another story."""
    ana, ben = (written(client.steps, tmp_path)[0] for client in everybody(2, start_dice=2)[:2])
    assert said(tmp_path, ana, ben)[0] == 0
    values = lines_of(ben)
    TAMPERED[how](values)
    code, told = said(tmp_path, ana, resealed(values))
    assert code == 1
    assert any("different stories from " in line for line in told) or any(
        "line " in line for line in told
    )
    assert not any(line.startswith(SAME) for line in told)


IN_ITSELF: dict[str, tuple[Callable[[Values], None], str]] = {
    "another count": (last("call", lambda v: v.__setitem__(3, v[3] + 1)), "does not fit the dice"),
    "another verdict": (last("call", lambda v: v.__setitem__(4, not v[4])), "does not fit"),
    "over twice": (lambda v: v.append(v[-1]), "the game was over before this line"),
    "more after it": (lambda v: v.append(["timeout", 0]), "the game was over before this line"),
    "another loser": (last("lose", lambda v: v.__setitem__(1, 1 - v[1])), "the winner is not"),
    "none lost": (without("lose"), "the winner is not"),
    "lost twice": (lambda v: v.insert(-1, v[place(v, "lose")]), "a seat without dice loses one"),
}


@pytest.mark.parametrize("how", IN_ITSELF)
def test_a_file_by_itself_has_to_add_up(how: str, tmp_path: Path) -> None:
    values = lines_of(short_game(tmp_path))
    tamper, words = IN_ITSELF[how]
    tamper(values)
    report = examine(resealed(values))
    assert words in report.problem
    assert not stranger_agrees(resealed(values))


def test_the_compared_rounds_are_named(tmp_path: Path) -> None:
    """A late watcher's file has fewer rounds than the others."""
    files = [written(client.steps, tmp_path)[0] for client in everybody(3, rounds=4)]
    code, told = said(tmp_path, files[0], files[-1])
    assert (code, told[-1]) == (0, SAME + "2-6 were compared.")
    assert "The file begins in round 2: what came before is taken on trust." in told
    code, told = said(tmp_path, *files)
    assert (code, told[-1]) == (0, SAME + "1-6 were compared.")


def test_a_picture_in_the_place_of_events_is_compared_as_far_as_it_goes(tmp_path: Path) -> None:
    house = FairHouse()
    clients = house.clients("Ana", "Ben", turn_seconds=0)
    ana, ben = clients
    ben.twist = lambda message: (
        [m.View(view=ben.at)] if isinstance(message, m.Update | m.OwnHand) else [message]
    )
    house.begin(clients)
    house.play_out(clients, 3)
    files = [written(client.steps, tmp_path)[0] for client in (ana, ben)]
    assert said(tmp_path, *files)[0] == 0
    values = lines_of(files[0])
    values[place(values, "bid", 0)][2] = [9, 6]
    code, told = said(tmp_path, resealed(values), files[1])
    assert code == 1
    assert "different stories from round 1 on" in told[-1]


def test_two_files_without_a_common_round_are_not_compared(tmp_path: Path) -> None:
    first, *_others, late = everybody(2, rounds=1)
    values = lines_of(written(first.steps, tmp_path)[0])
    early = resealed(values[: place(values, "call", 0) + 1])
    code, told = said(tmp_path, early, written(late.steps, tmp_path)[0])
    assert code == 1
    assert told[-1].endswith(": no round is in both, not compared")
    assert compare(Story(), Story()) == ((), None)
    assert span((1, 2, 3, 5, 7, 8)) == "1-3, 5, 7-8"


def test_files_of_different_games_are_said_to_be(tmp_path: Path) -> None:
    ana, ben = with_a_rematch()
    files = [data for client in (ana, ben) for data in written(client.steps, tmp_path)]
    code, told = said(tmp_path, files[0], files[1])
    assert code == 1
    assert told[-1] == "These are files of different games: there is nothing to compare."
    code, told = said(tmp_path, *files)
    assert code == 0
    assert [line.startswith(SAME) for line in told[-2:]] == [True, True]
    code, told = said(tmp_path, *files[:3])
    assert code == 1
    assert told[-1].endswith(": of no other file's game, not compared")


def test_a_file_is_not_compared_with_itself(tmp_path: Path) -> None:
    data = short_game(tmp_path)
    code, told = said(tmp_path, data, data)
    assert code == 1
    assert told[-1].endswith(": one and the same file, not compared")


def test_where_nothing_was_checked_nothing_is_all_right(tmp_path: Path) -> None:
    values = lines_of(short_game(tmp_path))
    assert examine(resealed(values[:1])).problem == (
        "no round was checked: no game begins in this file"
    )
    no_start = [value for value in values if not (isinstance(value, list) and value[0] == "start")]
    assert examine(resealed(no_start)).problem
    assert "server" not in examine(resealed(no_start)).problem
    for end in range(place(values, "start", 0) + 1, place(values, "call", 0) + 1):
        problem = examine(resealed(values[:end])).problem
        assert problem == "no round was checked: no dice were shown before the file ends"
        assert not stranger_agrees(resealed(values[:end]))
    assert examine(resealed(values[: place(values, "call", 0) + 1])).problem == ""
    assert said(tmp_path, resealed(values[:4]))[0] == 1


def test_rounds_without_our_share_are_said_to_be(tmp_path: Path) -> None:
    house = FairHouse(throw_seconds=1)
    clients = house.clients("Ana", "Ben", turn_seconds=0)
    watcher = house.watcher(clients[0].at.table)
    clients[1].mute = True  # what it says stays on the line until the throw is over
    house.ready(clients[:1])
    assert house.ask(clients[0], m.Start) == "done"
    house.clock.advance(1.5)
    clients[1].mute = False
    clients[1].send(next(step for step in clients[1].steps if isinstance(step, m.Promise)))
    house.play_out(clients, 2)
    ana, ben, watched = (
        examine(written(client.steps, tmp_path)[0]).lines for client in (*clients, watcher)
    )
    assert "share" not in ana[0] + ben[1]
    assert ben[0].endswith("; your own share is not in them")
    assert watched[0].endswith("; not played by you, so your share is not in them")


def test_what_stands_before_a_cut_holds(tmp_path: Path) -> None:
    data = short_game(tmp_path)
    code, told = said(tmp_path, data[:-1])
    assert code == 0
    assert "The last line is cut off; what stands before it was checked." in told
    assert "rounds checked, if this file is as your client wrote it" in told[-1]
    at = data.index(b'["call"')
    code, told = said(tmp_path, data[: at + 40])
    assert code == 1
    assert told[-1].endswith("no round was checked: no dice were shown before the file ends")
    code, told = said(tmp_path, data[:60])
    assert code == 1
    assert told[-1].endswith("the file is cut off in its first line: nothing is left of it")


@pytest.mark.parametrize("data", [b"hello\n", b"\x7fELF\x00\x01\n\n", b"{}\n", b"[1] 2", b"\n"])
def test_rubbish_is_no_saved_game(data: bytes) -> None:
    assert examine(data).problem == "this is no saved game of Perudo"


def test_an_empty_file_is_said_to_be_empty() -> None:
    assert examine(b"").problem == "the file is empty"


def test_a_game_with_leavers_adds_up(tmp_path: Path) -> None:
    files = [written(client.steps, tmp_path)[0] for client in with_leavers()]
    assert said(tmp_path, *files[:2])[0] == 0
    values = lines_of(files[0])
    values[place(values, "left", 0)][1] = 2
    assert said(tmp_path, resealed(values), files[1])[0] == 1
