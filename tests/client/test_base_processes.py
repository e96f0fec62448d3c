"""The plain client as a process: against the real server, from any standard input, to its end."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from perudo_client import plain_run
from perudo_client.config import ClientOptions, Settings
from perudo_protocol import messages as m
from perudo_protocol.codec import encode
from perudo_protocol.story import People
from tests.support.one_client_server import serving
from tests.support.plain_desk import LOBBY, WELCOME
from tests.support.servers import RunningServer, environment, server

BOUND = 60.0
AT_ONCE = ("--bot-seconds", "0", "--reveal-seconds", "0")
FAST = {"PERUDO_THROW_SECONDS": "0", "PERUDO_ACT_BURST": "100000"}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[RunningServer]:
    """A server whose bots take no time."""
    with server(tmp_path, *AT_ONCE, **FAST) as running:
        yield running


def play(
    home: Path, *options: str, typed: str | int = subprocess.DEVNULL, **extra: str
) -> subprocess.CompletedProcess[bytes]:
    """Run the client to its end; `typed` is text for a pipe, or a descriptor."""
    with subprocess.Popen(
        [sys.executable, "-m", "perudo_client", *options],
        env=environment(home, **extra),
        stdin=subprocess.PIPE if isinstance(typed, str) else typed,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        try:
            text = typed.encode() if isinstance(typed, str) else None
            out, complaints = process.communicate(text, timeout=BOUND)
        finally:
            process.kill()
    return subprocess.CompletedProcess(process.args, process.returncode, out, complaints)


class Playing:
    """A client that runs, and whose lines can be waited for."""

    def __init__(self, home: Path, *options: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "perudo_client", *options],
            env=environment(home),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )

    def type(self, *lines: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.writelines(f"{line}\n" for line in lines)
        self.process.stdin.flush()

    def until(self, wanted: str) -> str:
        """Read lines until one has this in it, and give it."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if wanted in line:
                return line.rstrip("\n")
        raise AssertionError(f"it ended without saying {wanted!r}")

    def end(self) -> tuple[int, str]:
        """Wait for its end; gives the exit code and what it complained of."""
        code = self.process.wait(BOUND)
        assert self.process.stderr is not None
        return code, self.process.stderr.read()


@contextmanager
def playing(home: Path, *options: str) -> Iterator[Playing]:
    client = Playing(home, *options)
    timer = threading.Timer(BOUND, client.process.kill)  # a test that waits in vain ends so
    timer.start()
    try:
        yield client
    finally:
        timer.cancel()
        client.process.kill()
        with client.process:
            pass


# Whole games -------------------------------------------------------------------------------------


def test_a_script_plays_a_whole_game_against_bots(house: RunningServer, tmp_path: Path) -> None:
    turns = "wait\ndudo\n1 2\n" * 120
    script = f"make Friday night\nbot\nbot\nstart\n{turns}table\nleave\n"
    done = play(tmp_path, house.places[0], "--name", "Zoë", typed=script)
    lines = done.stdout.decode().splitlines()
    assert done.returncode == 0
    assert done.stderr == b""
    assert lines[0].endswith("You are Zoë.")
    assert any(re.fullmatch(r"(You win|\w+ wins) the game\.", line) for line in lines)
    assert "It is your turn." in lines
    assert any(line.startswith("You had ") for line in lines)
    assert lines[-1] == "You have left the table."
    assert "{" not in done.stdout.decode()


def test_a_script_from_a_file_plays_too(house: RunningServer, tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("make\nbot\nstart\nwait\ndice\n")
    with script.open() as file:
        done = play(tmp_path, house.places[0], "--name", "Ana", typed=file.fileno())
    lines = done.stdout.decode().splitlines()
    assert done.returncode == 0
    assert lines[-1].startswith("Your dice: ")


def test_two_people_and_a_bot_meet_at_a_table(house: RunningServer, tmp_path: Path) -> None:
    with playing(tmp_path, house.places[0], "--name", "Ana") as ana:
        ana.type("make Friday")
        ana.until("You are at table 1, Friday")
        with playing(tmp_path, house.places[0], "--name", "Bo", "--table", "1") as bo:
            bo.until("You are at table 1, Friday")
            ana.until("Bo takes a seat.")
            bo.type("say olá, [b]Ana[/b]")
            ana.until("Bo: olá, [b]Ana[/b]")
            ana.type("bot", "start")
            bo.until("A game begins.")
            ana.until("Your dice: ")
            bo.type("quit")
            assert bo.end() == (0, "")
        ana.until("Bo has left. A bot plays on.")


def test_the_demo_shows_a_whole_game_and_ends(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In this process, to let the bots hurry."""
    pace = {"bot_seconds": 0.0, "reveal_seconds": 0.0, "throw_seconds": 0.0}
    monkeypatch.setattr(plain_run, "DEMO_PACE", pace)
    assert plain_run.run_plain(ClientOptions(settings=Settings(), demo=True)) == 0
    lines = capsys.readouterr().out.splitlines()
    (winner,) = [line for line in lines if line.endswith(" wins the game.")]
    assert lines.index(winner) < lines.index(f"Place 1: {winner.split()[0]}.")
    assert sum(line.startswith("Place ") for line in lines) == 4


# The end of input --------------------------------------------------------------------------------


def test_nothing_on_standard_input_leaves_the_game_alone_at_once(tmp_path: Path) -> None:
    done = play(tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"You are at table 1" in done.stdout


def test_the_end_of_input_leaves_the_table(house: RunningServer, tmp_path: Path) -> None:
    with playing(tmp_path, house.places[0], "--name", "Ana") as ana:
        ana.type("make Friday")
        ana.until("You are at table 1")
        guest = house.guest("Bo")
        guest.send(m.Join(id=1, table=1))
        assert ana.process.stdin is not None
        ana.until("Bo takes a seat.")
        ana.process.stdin.close()
        assert ana.end() == (0, "")
        while not (isinstance(heard := guest.hear(), m.Update) and _only_bo(heard)):
            assert heard is not None


def _only_bo(update: m.Update) -> bool:
    return any(
        isinstance(event, People) and [seat.name for seat in event.seats] == ["Bo"]
        for event in update.events
    )


def test_without_standard_streams_it_ends_well(house: RunningServer, tmp_path: Path) -> None:
    for closed in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
        command = f"{sys.executable} -m perudo_client {house.places[0]} --plain {closed}"
        done = subprocess.run(
            ["sh", "-c", command],
            env=environment(tmp_path),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=BOUND,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, b""), closed


def test_a_reader_that_stops_reading_ends_it_quietly(house: RunningServer, tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "perudo_client", house.places[0], "--name", "Ana"],
            env=environment(tmp_path),
            stdin=subprocess.DEVNULL,
            stdout=writing,
            stderr=subprocess.PIPE,
            timeout=BOUND,
            check=False,
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_terminal_that_holds_ascii_only_gets_ascii(house: RunningServer, tmp_path: Path) -> None:
    done = play(tmp_path, house.places[0], "--name", "Zoë", PYTHONIOENCODING="ascii", LC_ALL="C")
    assert done.returncode == 0
    assert b"You are Zo?." in done.stdout


# Signals -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_the_table_and_has_its_own_exit_code(
    house: RunningServer, tmp_path: Path, number: signal.Signals
) -> None:
    with playing(tmp_path, house.places[0], "--name", "Ana") as ana:
        ana.type("make Friday", "bot", "start")
        ana.until("Your dice: ")
        ana.process.send_signal(number)
        assert ana.end() == (128 + number, "")
    guest = house.guest("Ana")
    assert guest.hear() == m.Tables(tables=())


async def test_a_signal_says_that_we_leave(tmp_path: Path) -> None:
    """A connection that is merely lost may come to be waited for (D31)."""
    async with serving() as server:
        ana = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "perudo_client", f"127.0.0.1:{server.port}", "--name", "Ana"),
            env=environment(tmp_path),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert isinstance(await server.next(), m.Hello)
        server.say(WELCOME, m.View(view=LOBBY))
        assert ana.stdout is not None
        await asyncio.wait_for(ana.stdout.readuntil(b"You are at table"), BOUND)
        ana.send_signal(signal.SIGINT)
        assert isinstance(await server.next(), m.Leave)
        assert await server.next() is None
        await asyncio.wait_for(ana.communicate(), BOUND)
        assert ana.returncode == 130


def test_a_signal_ends_the_server_of_ones_own_too(tmp_path: Path) -> None:
    with playing(tmp_path, "--plain") as ana:
        ana.until("A game begins.")
        ana.process.send_signal(signal.SIGINT)
        assert ana.end() == (130, "")


def test_signals_one_upon_the_other_are_no_traceback(tmp_path: Path) -> None:
    """As `timeout` sends them, to the process and to its group; some come while it cleans up."""
    with playing(tmp_path, "--plain") as ana:
        ana.until("A game begins.")
        while ana.process.poll() is None:
            ana.process.send_signal(signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                ana.process.wait(0.01)
        code, complaint = ana.end()
    assert complaint == ""
    assert code in (128 + signal.SIGTERM, -signal.SIGTERM)


# A server that goes, or is none ------------------------------------------------------------------


def test_a_server_that_stops_is_said_in_one_sentence(house: RunningServer, tmp_path: Path) -> None:
    with playing(tmp_path, house.places[0], "--name", "Ana") as ana:
        ana.until("There are no tables yet.")
        assert house.end() == 0
        said = ana.until("The server has stopped.")
        assert said == "The server has stopped. Trying again... Type quit to give up."
        ana.type("quit")
        assert ana.end() == (0, "")


def test_a_server_that_dies_is_said_in_one_sentence(house: RunningServer, tmp_path: Path) -> None:
    with playing(tmp_path, house.places[0], "--name", "Ana") as ana:
        ana.until("There are no tables yet.")
        house.process.kill()
        said = ana.until("The connection is lost.")
        assert said == "The connection is lost. Trying again... Type quit to give up."
        ana.type("quit")
        assert ana.end() == (0, "")


def test_a_name_in_use_is_numbered_and_said(house: RunningServer, tmp_path: Path) -> None:
    house.guest("Ana")
    done = play(tmp_path, house.places[0], "--name", "ana")
    assert done.returncode == 0
    assert b"Somebody there is called ana already: you are ana 2." in done.stdout
    again = play(tmp_path, house.places[0], LOGNAME="ana")
    assert again.returncode == 0
    assert b"You are ana 2." in again.stdout


def test_a_server_of_another_version_is_said(tmp_path: Path) -> None:
    code, complaint = _against(encode(m.Error(error="version", detail="", versions=(9,))), tmp_path)
    assert code == 76
    assert complaint.count("\n") == 1
    assert "and the server 9" in complaint


def test_a_web_server_is_said_to_be_none(tmp_path: Path) -> None:
    code, complaint = _against(b"HTTP/1.1 400 Bad Request\r\n\r\n", tmp_path)
    assert code == 76
    assert complaint == "perudo-client: What answers there is no Perudo server, or it is broken.\n"


def _against(answer: bytes, home: Path) -> tuple[int, str]:
    """Run the client against a server that says this and hangs up."""

    def serve() -> None:
        peer, _ = listener.accept()
        with peer:
            peer.recv(4096)
            peer.sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(BOUND)
        thread = threading.Thread(target=serve)
        thread.start()
        done = play(home, f"127.0.0.1:{listener.getsockname()[1]}", "--name", "Ana")
        thread.join(BOUND)
    return done.returncode, done.stderr.decode()
