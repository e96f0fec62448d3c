"""Saved games of all kinds: `--verify` finds them right, and every tampered copy wrong.

A second checker, written from the document alone, agrees on all of them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perudo_client.cli import main
from perudo_client.game_file import Damaged, Writer, canonical, read, seal
from perudo_client.keeping import Keeper
from perudo_client.proving import Step
from perudo_client.verifying import examine, verify
from perudo_protocol import messages as m
from perudo_protocol.vocabulary import Phase
from tests.client.test_proof_liars import LIES, game
from tests.support.fair_house import Client, FairHouse
from tests.support.stranger_check import check


def written(steps: Sequence[Step], folder: Path) -> list[bytes]:
    """Give the files that a client makes of these steps."""
    keeper = Keeper(folder, pytest.fail, stamp=lambda: "game")
    before = set(folder.glob("*"))
    keeper.take(steps, "Home")
    keeper.rest()
    return [path.read_bytes() for path in sorted(set(folder.glob("*")) - before)]


def stranger_agrees(data: bytes) -> bool:
    """Say whether the second checker finds a file right."""
    try:
        check(data)
    except Exception:
        return False
    return True


def everybody(count: int, bots: int = 0, rounds: int = 400, **options: Any) -> list[Client]:
    """Play a game of so many, with a watcher, and one who watches from round 2 on."""
    house = FairHouse()
    names = [f"Player {number}" for number in range(count)]
    most = max(count + bots, 2)
    clients = house.clients(*names, bots=bots, turn_seconds=0, max_players=most, **options)
    watcher = house.watcher(clients[0].at.table)
    house.begin(clients)
    house.play_out(clients, 1)
    late = house.watcher(clients[0].at.table, "Lara")
    house.play_out(clients, rounds)
    return [*clients, watcher, late]


def with_leavers() -> list[Client]:
    house = FairHouse()
    clients = house.clients("Ana", "Ben", "Cleo", "Duda", turn_seconds=0, on_leave="ghost")
    house.begin(clients)
    house.play_out(clients, 1)
    house.ask(clients[3], m.Leave)
    house.play_out(clients[:3], 1)
    house.ask(clients[2], m.Leave)
    house.play_out(clients[:2], 1)
    house.ask(clients[1], m.Leave)
    assert clients[0].at.phase is Phase.OVER
    return clients


def with_a_new_attempt() -> list[Client]:
    house = FairHouse()
    clients = house.clients("Ana", "Ben", "Cleo", turn_seconds=0)
    house.ask(clients[0], m.Start)
    clients[2].mute = True
    house.go_on(clients)
    house.play_out(clients, 2)
    return clients[:2]  # to Cleo's own client the server looks like a liar


def with_a_rematch() -> list[Client]:
    house = FairHouse()
    clients = house.clients("Ana", "Ben", turn_seconds=0, start_dice=2)
    house.begin(clients)
    house.play_out(clients)
    house.ask(clients[0], m.Rematch)
    house.go_on(clients)
    house.play_out(clients)
    return clients


def in_the_throw() -> list[Client]:
    house = FairHouse()
    clients = house.clients("Ana", "Ben", turn_seconds=0)
    house.ask(clients[0], m.Start)
    late = house.watcher(clients[0].at.table)
    house.go_on(clients)
    house.play_out(clients, 2)
    return [*clients, late]


KINDS: dict[str, Callable[[], list[Client]]] = {
    "two": lambda: everybody(2, start_dice=2),
    "six": lambda: everybody(6, rounds=6),
    "ten": lambda: everybody(10, rounds=2),
    "bots": lambda: everybody(1, 3, rounds=4),
    "one die each": lambda: everybody(3, start_dice=1),
    "palifico": lambda: everybody(2, start_dice=3),
    "leavers": with_leavers,
    "a new attempt": with_a_new_attempt,
    "a rematch": with_a_rematch,
    "from the throw on": in_the_throw,
}


@pytest.mark.parametrize("kind", KINDS)
def test_games_of_all_kinds_are_found_right(kind: str, tmp_path: Path) -> None:
    clients = KINDS[kind]()
    for client in clients:
        files = written(client.steps, tmp_path)
        assert files
        for data in files:
            report = examine(data)
            assert report.problem == ""
            assert report.lines
            assert stranger_agrees(data)
    told: list[str] = []
    assert verify(sorted(tmp_path.glob("*")), told.append) == 0
    assert told[-1].startswith("Files of the same game tell the same story: rounds 1-")


@pytest.mark.parametrize("number", range(len(LIES)))
def test_the_file_is_the_evidence(number: int, tmp_path: Path) -> None:
    """What is found live is found again in the saved game."""
    lie, kind, when, _seat = LIES[number]
    ana = game(lie)[0]
    (data,) = written(ana.steps, tmp_path)
    problem = examine(data).problem
    assert f"Round {when}:" in problem or kind.value == "two_stories"
    assert problem.startswith("line ")
    assert "If this file is as your client wrote it: " in problem


def lines_of(data: bytes) -> list[Any]:
    return [json.loads(line.rpartition(b" ")[0]) for line in data.splitlines()]


def resealed(values: Sequence[Any]) -> bytes:
    writer = Writer()
    return b"".join(writer.line(value) for value in values)


def short_game(tmp_path: Path) -> bytes:
    """A game of two with two dice each, to its end."""
    (data,) = written(everybody(2, start_dice=2)[0].steps, tmp_path)
    return data


def test_every_changed_byte_is_noticed(tmp_path: Path) -> None:
    (data,) = written(everybody(2, start_dice=1)[0].steps, tmp_path)
    for place in range(len(data)):
        for change in (0x01, 0x80) if place % 5 == 0 else (0x01,):
            twisted = bytearray(data)
            twisted[place] ^= change
            with pytest.raises(Damaged):
                for _line in read(bytes(twisted))[1]:
                    pass
    assert examine(data).problem == ""


def test_every_changed_digit_of_a_proof_is_noticed_though_the_seals_are_made_anew(
    tmp_path: Path,
) -> None:
    """Every value of bytes in every event, each half byte of some of them, and all dice."""
    values = lines_of(short_game(tmp_path))
    assert examine(resealed(values)).problem == ""
    tried = 0
    for number, value in enumerate(values):
        if isinstance(value, list) and value[0] in ("commit", "open", "hand", "call", "over"):
            for twisted in _twisted(value):
                tampered = resealed([*values[:number], twisted, *values[number + 1 :]])
                assert examine(tampered).problem, (value[0], twisted)
                assert not stranger_agrees(tampered), (value[0], twisted)
                tried += 1
    assert tried > 150


def _twisted(value: Any) -> list[Any]:
    """Give an event with one digit of one hash, or one die, changed, in many ways."""
    found: list[Any] = []

    def walk(part: Any, put: Callable[[Any], Any], is_die: bool) -> None:
        if isinstance(part, str) and part.startswith("0x") and len(part) > 2:
            for place in range(2, len(part), 9):
                other = "0" if part[place] != "0" else "1"
                found.append(put(part[:place] + other + part[place + 1 :]))
            found.append(put("0x"))
        elif isinstance(part, int) and is_die:
            found.append(put(part % 6 + 1))
        elif isinstance(part, list):
            for place, each in enumerate(part):
                dice = is_die or (value[0], place) in (("hand", 2), ("call", 5))
                walk(each, _putter(part, place, put), dice)

    walk(value, lambda new: new, False)
    return found


def _putter(part: list[Any], place: int, put: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda new: put([*part[:place], new, *part[place + 1 :]])


def test_a_step_left_out_is_noticed(tmp_path: Path) -> None:
    values = lines_of(short_game(tmp_path))
    for number, value in enumerate(values[:-1]):
        if isinstance(value, list) and value[0] in ("commit", "open", "deal", "hand", "start"):
            tampered = resealed([*values[:number], *values[number + 1 :]])
            assert examine(tampered).problem, value[0]


def test_two_stories_are_found_by_comparing(tmp_path: Path) -> None:
    """Two files, each right by itself, of one game in which the server told two stories."""
    for _time in range(2):
        house = FairHouse()
        clients = house.clients("Ana", "Ben", turn_seconds=0)
        house.begin(clients)
        house.play_out(clients, 2)
        written(clients[0].steps, tmp_path)
    told: list[str] = []
    assert verify(sorted(tmp_path.glob("*")), told.append) == 1
    assert "different stories from round 1 on" in told[-1]


def test_the_command_says_a_line_a_round(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    everyone = everybody(2, rounds=1, start_dice=3)
    written(everyone[0].steps, tmp_path)
    (path,) = tmp_path.glob("*")
    assert main(["--verify", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("round 1: 2 seats, 6 dice, checked, chain ")
    verdict = "all right, 2 rounds checked, if this file is as your client wrote it"
    assert lines[-1] == f"{path}: {verdict}"


def test_the_command_says_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game"
    data = short_game(tmp_path)
    path.write_bytes(data[:-30] + b"x" + data[-29:])
    assert main(["--verify", str(path)]) == 1
    assert "the line does not fit its seal" in capsys.readouterr().out
    assert main(["--verify", str(tmp_path / "none")]) == 66
    assert "cannot be read" in capsys.readouterr().out


def test_a_game_without_proof_is_not_all_right(tmp_path: Path) -> None:
    values = lines_of(short_game(tmp_path))
    plain = [v for v in values if not isinstance(v, list) or v[0] not in ("commit", "open", "hand")]
    start = next(v for v in plain if isinstance(v, list) and v[0] == "start")
    start[3] = ""
    for value in plain:
        if isinstance(value, list) and value[0] == "call":
            value[6:] = [[], "0x"]
    report = examine(resealed(plain))
    assert report.problem == "no round was checked: the server offered no proof"


@given(st.binary(max_size=300))
def test_any_bytes_are_judged_and_raise_nothing(data: bytes) -> None:
    assert examine(data).problem


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=8,
)
WORDS = st.sampled_from(["commit", "open", "hand", "call", "over", "deal", "promise", "bid"])


@given(st.lists(st.tuples(WORDS, st.lists(JSON, max_size=7)), min_size=1, max_size=3))
def test_any_lines_are_judged_and_raise_nothing(values: list[tuple[str, list[Any]]]) -> None:
    try:
        data = resealed([HEADER, *([word, *rest] for word, rest in values)])
    except UnicodeEncodeError:
        return
    report = examine(data)
    assert report.problem or report.lines


HEADER = json.loads(Writer().header("Home", everybody(2, rounds=1)[0].at).rpartition(b" ")[0])


@given(JSON)
def test_a_line_has_one_way_of_writing(value: Any) -> None:
    try:
        text = canonical(value)
    except UnicodeEncodeError:
        return
    assert canonical(json.loads(text)) == text
    assert len(seal("", text)) == 16


def test_deep_and_endless_lines_are_judged() -> None:
    deep = b"[" * 100_000
    assert examine(deep + b" " + seal("", deep).encode() + b"\n").problem
    assert examine(b"x" * 20_000_000).problem
    number = b"1" * 10_000
    assert examine(number + b" " + seal("", number).encode() + b"\n").problem
