"""Saving games: one file a game, for this user alone, and never more than a disk can bear."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from perudo_client import config, keeping
from perudo_client.cli import main
from perudo_client.keeping import Keeper
from perudo_client.proving import Told
from perudo_protocol import story as ev
from tests.support.fair_house import Client, FairHouse
from tests.support.model_table import lobby
from tests.support.servers import environment


def one_game() -> list[Client]:
    house = FairHouse()
    clients = house.clients("Ana", "Ben", turn_seconds=0, start_dice=1)
    house.begin(clients)
    house.play_out(clients)
    return clients


def test_a_game_is_for_its_player_alone(tmp_path: Path) -> None:
    folder = tmp_path / "perudo" / "games"
    keeper = Keeper(folder, pytest.fail)
    keeper.take(one_game()[0].steps, "Home")
    assert keeper.path is not None
    assert folder.stat().st_mode & 0o777 == 0o700
    assert keeper.path.stat().st_mode & 0o777 == 0o600


def test_two_games_of_one_second_have_a_file_each(tmp_path: Path) -> None:
    for client in one_game():
        Keeper(tmp_path, pytest.fail, stamp=lambda: "now").take(client.steps, "Home")
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["now-8f3a01-2.perudo", "now-8f3a01.perudo"]


def test_no_text_of_a_server_gets_into_a_name(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path, pytest.fail, stamp=lambda: "now")
    keeper.take([Told(lobby(), ev.Started(7, 5, "../../etc/passwd"))], "../x")
    assert [path.name for path in tmp_path.iterdir()] == ["now-7.perudo"]


def test_each_step_is_on_the_disk_at_once(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path, pytest.fail)
    steps = one_game()[0].steps
    for step in steps[:-1]:
        before = keeper.path.stat().st_size if keeper.path else 0
        keeper.take([step], "Home")
        assert keeper.path is None or keeper.path.stat().st_size >= before
    assert keeper.path is not None
    assert keeper.path.read_bytes().endswith(b"\n")


def test_nothing_is_saved_where_nothing_shall_be(tmp_path: Path) -> None:
    assert config.games_folder("off") is None
    assert config.games_folder(str(tmp_path)) == tmp_path
    own = config.games_folder("")
    assert own is not None
    assert own.parts[-2:] == ("perudo", "games")
    keeper = Keeper(None, pytest.fail)
    keeper.take(one_game()[0].steps, "Home")
    assert keeper.path is None


def test_a_full_disk_is_said_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    def full(_file: int, _data: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "write", full)
    keeper = Keeper(tmp_path, told.append)
    for client in one_game():
        for step in client.steps:
            keeper.take([step], "Home")
    assert told == ["This game cannot be saved: No space left on device. It goes on all the same."]
    assert keeper.path is None


def test_a_server_cannot_fill_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "MOST_WRITTEN", 100_000)
    told: list[str] = []
    keeper = Keeper(tmp_path, told.append)
    for number in range(1, 200):
        keeper.take([Told(lobby(), ev.Started(number, 5, f"{number:x}"))], "Home")
    assert told == [
        "This game cannot be saved: the server tells too much. It goes on all the same."
    ]
    assert len(list(tmp_path.iterdir())) < 25


def test_a_real_program_saves_its_game_and_verifies_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    games = tmp_path / "games"
    command = [sys.executable, "-m", "perudo_client", "--plain", "--bot-seconds", "0"]
    with subprocess.Popen(
        [*command, "--games", str(games)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(tmp_path),
        text=True,
        bufsize=1,
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        bound = threading.Timer(60, program.kill)
        bound.start()
        for line in program.stdout:
            if "Press Enter" in line:
                program.stdin.write("\n")
            elif "your turn" in line:
                program.stdin.write("dudo\n1 6\n")  # whichever of the two may be done
            elif "The dice are checked" in line:
                program.stdin.write("quit\n")
                program.stdin.close()
                break
        program.stdout.read()
        assert program.wait() == 0
        bound.cancel()
    (path,) = games.iterdir()
    assert main(["--verify", str(path)]) == 0
    assert "all right" in capsys.readouterr().out
