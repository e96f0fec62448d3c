"""However a client ends, the terminal is left as it was, and nothing stays behind."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.servers import environment, server
from tests.support.terminals import Terminal

HUNG_UP = 128 + signal.SIGHUP
TERMINATED = 128 + signal.SIGTERM


def client(home: Path, *arguments: str) -> Terminal:
    return Terminal(["perudo_client", *arguments], environment(home))


def children(pid: int) -> list[int]:
    """Give the processes that another one has started and that still run."""
    listed = Path(f"/proc/{pid}/task/{pid}/children")
    if listed.exists():
        return [int(number) for number in listed.read_text().split()]
    command = ["ps", "-o", "pid=", "--ppid", str(pid)]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    return [int(number) for number in found.stdout.split()]


def gone(pid: int) -> bool:
    """Say whether a process has ended."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.mark.parametrize(
    ("end", "code"),
    [("\x03", 0), ("q", 0), (signal.SIGTERM, TERMINATED), (signal.SIGHUP, HUNG_UP)],
)
def test_the_start_screen_gives_the_terminal_back(
    tmp_path: Path, end: str | signal.Signals, code: int
) -> None:
    """By key and by signal."""
    with client(tmp_path) as terminal:
        terminal.see("Play now against bots")
        if isinstance(end, str):
            terminal.press(end)
        else:
            terminal.process.send_signal(end)
        assert terminal.ended() == code
        terminal.as_it_was()


@pytest.mark.parametrize(
    ("end", "code"),
    [("\x03", 0), (signal.SIGTERM, TERMINATED), (signal.SIGHUP, HUNG_UP), (signal.SIGKILL, -9)],
)
def test_the_embedded_server_ends_with_its_client(
    tmp_path: Path, end: str | signal.Signals, code: int
) -> None:
    """Even when the client is killed: no orphan stays."""
    with client(tmp_path) as terminal:
        terminal.see("Play now against bots")
        terminal.press("\r")
        terminal.see("Who begins")
        (child,) = children(terminal.process.pid)
        if isinstance(end, str):
            terminal.press(end)
        else:
            terminal.process.send_signal(end)
        assert terminal.ended() == code
        if code != -signal.SIGKILL:
            terminal.as_it_was()
        terminal.wait(lambda: gone(child), "the end of the server", 10)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_a_server_that_goes_away_is_told_in_a_sentence(tmp_path: Path, how: signal.Signals) -> None:
    """The screen stays usable, and the terminal is given back afterwards."""
    with server(tmp_path) as running, client(tmp_path, running.places[0]) as terminal:
        terminal.see("Perudo on")
        running.process.send_signal(how)
        terminal.wait(lambda: any(w in terminal.text for w in ("The server stops", "lost")), "it")
        terminal.press("\x03")
        assert terminal.ended() == 0
        terminal.as_it_was()


def test_quitting_while_connecting_takes_no_time(tmp_path: Path) -> None:
    """Nobody answers at the address; one key ends it."""
    with client(tmp_path, "192.0.2.1:9") as terminal:
        terminal.see("192.0.2.1")
        terminal.press("\x03")
        assert terminal.ended(3) == 0
        terminal.as_it_was()


def test_the_plain_client_ends_with_its_input(tmp_path: Path) -> None:
    """End of input leaves the game cleanly, and the others are told."""
    with server(tmp_path) as running:
        guest = running.guest("Ana")
        done = subprocess.run(
            [sys.executable, "-m", "perudo_client", running.places[0], "--name", "Pat"],
            env=environment(tmp_path),
            input="make Evening\n",
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert "Evening" in done.stdout
        assert done.stderr == ""
        assert running.end() == 0
        assert guest is not None
        assert re.search(r" left .*person=2", running.log())


def test_a_demo_in_plain_text_plays_a_whole_game_without_a_terminal(tmp_path: Path) -> None:
    """Bots alone, to the winner, and the end."""
    done = subprocess.run(
        [sys.executable, "-m", "perudo_client", "--demo", "--plain", "--bot-seconds", "0.02"],
        env=environment(tmp_path),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("wins the game") == 1
    assert done.stderr == ""
    assert "\x1b" not in done.stdout


def test_a_demo_on_a_terminal_plays_a_whole_game(tmp_path: Path) -> None:
    """Quick bots, quick reveals; it ends at a key."""
    with client(tmp_path, "--demo", "--bot-seconds", "0", "--no-motion") as terminal:
        terminal.see("The game is over", "wins the game", bound=90)
        terminal.press("\x03")
        assert terminal.ended() == 0
        terminal.as_it_was()
