"""Real clients and a real server, of which one or the other is killed in the middle of a game."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.servers import BOUND, RunningServer, environment, server
from tests.support.terminals import Terminal

RETURN_SECONDS = 2.0
"""A seat is taken again within so many seconds after the server can be reached."""
HAND = re.compile(r"Your dice: [1-6, ]+\.")


@contextmanager
def house(home: Path, port: int = 0, *options: str) -> Iterator[RunningServer]:
    """A server that keeps its journal in this home, and whose bots take no time."""
    here = ("--host", "127.0.0.1", "--port", str(port))
    with server(home, *here, "--bot-seconds", "0", *options, PERUDO_THROW_SECONDS="0") as running:
        yield running


class Lines:
    """The plain client with a pipe at either end."""

    def __init__(self, home: Path, *options: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "perudo_client", "--plain", *options],
            env=environment(home),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        self.seen: list[str] = []

    def __enter__(self) -> Lines:
        return self

    def __exit__(self, *_error: object) -> None:
        self.process.kill()
        with self.process:
            pass

    def type(self, *lines: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.writelines(f"{line}\n" for line in lines)
        self.process.stdin.flush()

    def until(self, *wanted: str) -> str:
        """Read lines until one has one of these in it, and give it."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.seen.append(line.rstrip("\n"))
            if any(word in line for word in wanted):
                return self.seen[-1]
        raise AssertionError(f"it ended without saying {wanted}: {self.seen}")

    def begin(self) -> str:
        """Make a table, play with a bot, and give the first hand."""
        self.type("make Friday turn_seconds=600", "bot", "start")
        return self.until("Your dice: ")

    def hand(self) -> str:
        self.type("dice")
        return self.until("Your dice: ")


def test_a_server_that_is_killed_and_started_again_has_every_hand(tmp_path: Path) -> None:
    """The client comes back by itself, soon after the server can be reached."""
    with house(tmp_path) as first:
        port = first.port
        with Lines(tmp_path, first.places[0], "--name", "Ana") as ana:
            hand = ana.begin()
            first.process.kill()
            ana.until("The connection is lost.")
            with house(tmp_path, port):
                began = time.monotonic()
                ana.until("you are back")
                assert time.monotonic() - began < RETURN_SECONDS
                assert ana.hand() == hand
                ana.type("leave", "quit")
                assert ana.process.wait(BOUND) == 0


def test_a_server_that_is_stopped_and_started_again_has_every_hand(tmp_path: Path) -> None:
    """It says goodbye, and is back within the minute for which it is waited."""
    with house(tmp_path) as first:
        port = first.port
        with Lines(tmp_path, first.places[0], "--name", "Ana") as ana:
            hand = ana.begin()
            first.end()
            ana.until("The server has stopped.")
            with house(tmp_path, port):
                ana.until("you are back")
                assert ana.hand() == hand


def test_a_client_that_is_killed_comes_back_as_a_new_program(tmp_path: Path) -> None:
    """The address is enough: it finds the key that the old one has left."""
    with house(tmp_path) as running:
        with Lines(tmp_path, running.places[0], "--name", "Ana") as ana:
            hand = ana.begin()
            ana.process.kill()
        with Lines(tmp_path, running.places[0], "--name", "Ana") as again:
            again.until("You are at table 1, Friday")
            assert again.hand() == hand
            with Lines(tmp_path, running.places[0], "--name", "Ana") as other:
                other.until("Ana 2")  # the seat is held: nobody else is Ana
                other.type("quit")
                assert other.process.wait(BOUND) == 0
            again.type("leave", "quit")
            assert again.process.wait(BOUND) == 0
        with Lines(tmp_path, running.places[0], "--name", "Ana") as later:
            later.until("There are no tables yet")


def test_whoever_was_killed_finds_the_table_on_the_start_screen(tmp_path: Path) -> None:
    """And sees the same dice under the same cup."""
    with house(tmp_path) as running:
        with Lines(tmp_path, running.places[0], "--name", "Ana") as ana:
            hand = ana.begin()
            ana.process.kill()
        with Terminal(["perudo_client", "--name", "Ana"], environment(tmp_path)) as terminal:
            terminal.see("Go back to your seat at Friday")
            terminal.press("\r")
            terminal.see("Your cup", *(f" {face} " for face in re.findall(r"[1-6]", hand)))
            terminal.press("\x11\x11")
            assert terminal.ended() == 0
            terminal.as_it_was()


def test_a_bot_comes_back_too(tmp_path: Path) -> None:
    """To a server that was killed, and as a new program."""
    command = [sys.executable, "-m", "perudo_client", "--bot", "--bot-seconds", "0"]
    with house(tmp_path) as first:
        port = first.port
        with Lines(tmp_path, first.places[0], "--name", "Ana") as ana:
            ana.type("make Friday turn_seconds=600")
            ana.until("You are at table 1")
            address = first.places[0]
            with bot([*command, address, "--table", "1"], tmp_path) as lines:
                assert next(lines) == "joined table 1"
                ana.until("takes a seat")
                first.process.kill()
                assert "lost" in next(lines)
                with house(tmp_path, port):
                    assert next(lines) == "back at table 1"
                    ana.until("you are back")
                    ana.type("start")
                    ana.until("Your dice: ")


@contextmanager
def bot(command: list[str], home: Path) -> Iterator[Iterator[str]]:
    with subprocess.Popen(
        command, env=environment(home), stdout=subprocess.PIPE, encoding="utf-8"
    ) as process:
        assert process.stdout is not None
        try:
            yield (line.rstrip("\n") for line in process.stdout)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(BOUND)


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT])
def test_others_are_told_who_is_away_and_who_has_left(tmp_path: Path, end: signal.Signals) -> None:
    """A killed client is away; one that is asked to end has left."""
    with house(tmp_path) as running, Lines(tmp_path, running.places[0], "--name", "Ana") as ana:
        ana.type("make Friday turn_seconds=600 away_seconds=600")
        ana.until("You are at table 1")
        bo = Lines(tmp_path, running.places[0], "--name", "Bo", "--table", "1")
        with bo:
            bo.until("You are at table 1")
            ana.type("start")
            hand = bo.until("Your dice: ")
            bo.process.kill()
            ana.until("Bo is away for now.")
        with Lines(tmp_path, running.places[0], "--name", "Bo") as again:
            again.until("You are at table 1")
            ana.until("Bo is back.")
            assert again.hand() == hand
            again.process.send_signal(end)
            assert again.process.wait(BOUND) == 128 + end
            ana.until("Bo has left")
