"""However a client ends, the terminal is left as it was, and nothing stays behind."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.support.servers import environment, server
from tests.support.terminals import Terminal

HUNG_UP = 128 + signal.SIGHUP
TERMINATED = 128 + signal.SIGTERM
QUIT_SECONDS = 0.5
"""So soon the program has ended when one quits, whatever it was waiting for."""


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


@pytest.mark.parametrize("cooked", [False, True])
def test_who_was_stopped_goes_on_and_gives_the_terminal_back(tmp_path: Path, cooked: bool) -> None:
    """Whether or not a shell has taken the terminal meanwhile: screen, keys and end are as ever."""
    with client(tmp_path) as terminal:
        terminal.see("Play now against bots")
        for _time in range(2):
            terminal.stop()
            if cooked:
                terminal.cook()
            terminal.screen.reset()
            assert "Play now" not in terminal.text
            terminal.process.send_signal(signal.SIGCONT)
            terminal.see("Play now against bots")
        terminal.press("?")
        terminal.see("aces")
        terminal.press("\x11")
        assert terminal.ended() == 0
        terminal.as_it_was()
        assert b"Warning" not in terminal.raw


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
            terminal.see("Quit Perudo?")
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
        terminal.wait(lambda: any(w in terminal.text for w in ("has stopped", "is lost")), "it")
        terminal.press("\x03")
        assert terminal.ended() == 0
        terminal.as_it_was()


@contextmanager
def black_hole() -> Iterator[int]:
    """Give a port that answers nothing: its queue is full, so what is sent to it is dropped."""
    with ExitStack() as sockets:
        hole = sockets.enter_context(socket.socket())
        hole.bind(("127.0.0.1", 0))
        hole.listen(0)
        for _ in range(8):
            caller = sockets.enter_context(socket.socket())
            caller.setblocking(False)
            caller.connect_ex(hole.getsockname())
        yield hole.getsockname()[1]


def quickest(end: Callable[[], float]) -> float:
    """Give the shortest of a few times: a busy machine makes some of them longer."""
    times: list[float] = []
    while len(times) < 4 and min(times, default=QUIT_SECONDS) >= QUIT_SECONDS:
        times.append(end())
    return min(times)


@pytest.mark.parametrize(("end", "code"), [("\x03", 0), ("\x11", 0), (signal.SIGTERM, TERMINATED)])
def test_quitting_while_connecting_takes_no_time(
    tmp_path: Path, end: str | signal.Signals, code: int
) -> None:
    """Nobody answers at the address; one key or signal ends it."""

    def once() -> float:
        with black_hole() as port, client(tmp_path, f"127.0.0.1:{port}") as terminal:
            terminal.see("Connecting to")
            began = time.monotonic()
            if isinstance(end, str):
                terminal.press(end)
            else:
                terminal.process.send_signal(end)
            assert terminal.ended(5) == code
            took = time.monotonic() - began
            terminal.as_it_was()
            return took

    assert quickest(once) < QUIT_SECONDS


@pytest.mark.parametrize("shown", [False, True])
def test_a_terminal_that_is_gone_ends_it_without_any_signal(tmp_path: Path, shown: bool) -> None:
    """Before the first picture, or after it; it never goes on unseen."""
    ours, theirs = os.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "perudo_client"],
        env=environment(tmp_path, TERM="xterm-256color"),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,  # the terminal does not control it: no SIGHUP comes
    ) as process:
        os.close(theirs)
        if shown:
            assert os.read(ours, 100)
        os.close(ours)
        assert process.wait(20) == (HUNG_UP if shown else 0)  # it finds no terminal, and no line


@pytest.mark.parametrize("kind", ["--plain", "--bot"])
def test_lines_of_text_and_bots_end_at_once_too(tmp_path: Path, kind: str) -> None:
    """While they connect to an address at which nobody answers."""

    def once() -> float:
        with (
            black_hole() as port,
            subprocess.Popen(
                [sys.executable, "-m", "tests.support.telling_when", kind, f"127.0.0.1:{port}"],
                env=environment(tmp_path),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            ) as process,
        ):
            assert process.stdout is not None
            assert process.stdout.readline() == b"connecting\n"
            began = time.monotonic()
            process.send_signal(signal.SIGTERM)
            assert process.wait(5) == TERMINATED
            return time.monotonic() - began

    assert quickest(once) < QUIT_SECONDS


def test_a_crash_gives_the_terminal_back_and_is_one_sentence(tmp_path: Path) -> None:
    """No values are shown, for our dice may be among them."""
    with Terminal(["tests.support.crashing"], environment(tmp_path)) as terminal:
        terminal.see("Play now against bots")
        terminal.press("?")
        assert terminal.ended() == 70
        terminal.as_it_was()
        terminal.see("perudo-client: An error in this program ended it (ZeroDivisionError).")
        assert b"Traceback" not in terminal.raw


@pytest.mark.parametrize("end", ["\x03", "\x11", signal.SIGTERM])
def test_whoever_ends_the_program_at_a_table_has_left_it(
    tmp_path: Path, end: str | signal.Signals
) -> None:
    """By key, and by the signal that asks a program to end."""
    with server(tmp_path) as running, client(tmp_path, running.places[0]) as terminal:
        terminal.see("Perudo on")
        terminal.press("mo")
        terminal.see("You are the host")
        began = time.monotonic()
        if isinstance(end, str):
            terminal.press(end)
        else:
            terminal.process.send_signal(end)
        assert terminal.ended() == (0 if isinstance(end, str) else TERMINATED)
        assert time.monotonic() - began < 5
        terminal.as_it_was()
        terminal.wait(lambda: " left " in running.log(), "the end of the seat")
        assert " away " not in running.log()


def test_a_lost_server_is_tried_again_and_can_be_given_up(tmp_path: Path) -> None:
    """The table stays in sight; the seat is offered at the next start, and Esc gives it up."""
    with server(tmp_path) as running, client(tmp_path, running.places[0]) as terminal:
        terminal.see("Perudo on")
        terminal.press("mo")
        terminal.see("You are the host")
        running.process.kill()
        terminal.see("The connection is lost", "Your seat is kept", "You are the host")
        terminal.press("\x03")
        assert terminal.ended() == 0
        terminal.as_it_was()
    with client(tmp_path) as terminal:
        terminal.see("Go back to your seat at")
        terminal.press("\r")
        terminal.see("No server listens")
        terminal.press("\x03")
        assert terminal.ended() == 0
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
