"""Ctrl-Z in a real terminal, and `fg`: the shell has the terminal, then we have it again."""

from __future__ import annotations

import os
import signal
import sys
import termios
from pathlib import Path

import pytest

from tests.support.servers import environment, server
from tests.support.terminals import Terminal

HERE = ("--host", "127.0.0.1", "--bot-seconds", "0")


def stop(terminal: Terminal, how: str) -> None:
    """Stop the program as a key or a signal does, and read all that it wrote before."""
    if how == "key":
        terminal.press("\x1a")
    else:
        terminal.process.send_signal(signal.SIGTSTP)
    terminal.wait(lambda: _has_stopped(terminal.process.pid), "the stop")
    while terminal.take_in(0):
        pass
    terminal.as_it_was()
    terminal.screen.reset()


def _has_stopped(pid: int) -> bool:
    return os.waitid(os.P_PID, pid, os.WSTOPPED | os.WNOHANG) is not None


@pytest.mark.parametrize("how", ["key", "signal"])
def test_a_stopped_client_gives_the_terminal_back_and_takes_it_again(
    tmp_path: Path, how: str
) -> None:
    with Terminal(["perudo_client"], environment(tmp_path)) as terminal:
        terminal.see("Play now against bots")
        ours = termios.tcgetattr(terminal._slave)
        for _time in range(2):
            stop(terminal, how)
            assert "Play now" not in terminal.text
            terminal.process.send_signal(signal.SIGCONT)
            terminal.see("Play now against bots")
            assert termios.tcgetattr(terminal._slave) == ours
        terminal.press("?")
        terminal.see("aces")
        terminal.press("\x11")
        assert terminal.ended() == 0
        terminal.as_it_was()


def test_a_shell_comes_also_where_another_program_has_started_the_client(tmp_path: Path) -> None:
    shell = "tests.support.job_shell"
    started = [sys.executable, "-m", shell, "--start", sys.executable, "-m", "perudo_client"]
    with Terminal([shell, *started], environment(tmp_path)) as terminal:
        terminal.see("Play now against bots")
        terminal.press("p")
        terminal.see("cup")
        for _time in range(2):
            terminal.press("\x1a")
            terminal.see("stopped")
            terminal.as_it_was()
            terminal.screen.reset()
            terminal.press("\r")
            terminal.see("cup")
        terminal.press("\x11")
        terminal.see("Quit Perudo?")
        terminal.press("\r")
        assert terminal.ended() == 0
        terminal.as_it_was()


def test_a_client_that_is_continued_in_the_background_waits_for_the_terminal(
    tmp_path: Path,
) -> None:
    shell = "tests.support.job_shell"
    program = [shell, sys.executable, "-m", "perudo_client"]
    with Terminal(program, environment(tmp_path)) as terminal:
        terminal.see("Play now against bots")
        for line in ("\x1a", "bg\r"):
            terminal.press(line)
            terminal.see("stopped")
            terminal.as_it_was()
            terminal.screen.reset()
        terminal.press("\r")
        terminal.see("Play now against bots")
        terminal.press("\x11")
        assert terminal.ended() == 0
        terminal.as_it_was()


def test_a_client_that_nobody_could_continue_goes_on_by_itself(tmp_path: Path) -> None:
    command = ["--alone", sys.executable, "-m", "perudo_client"]
    with Terminal(["tests.support.job_shell", *command], environment(tmp_path)) as terminal:
        terminal.see("Play now against bots")
        ours = termios.tcgetattr(terminal._slave)
        terminal.raw.clear()
        terminal.press("\x1a")
        drawn = b"Play now against bots"
        terminal.wait(lambda: drawn in terminal.raw.partition(b"\x1b[?1049l")[2], "a screen anew")
        assert termios.tcgetattr(terminal._slave) == ours
        terminal.press("\x11")
        assert terminal.ended() == 0
        terminal.as_it_was()


def test_a_client_whose_server_was_lost_meanwhile_comes_back(tmp_path: Path) -> None:
    with server(tmp_path, *HERE, "--port", "0") as first:
        place = f"127.0.0.1:{first.port}"
        with Terminal(["perudo_client", place, "--name", "Ana"], environment(tmp_path)) as terminal:
            terminal.see("no table yet")
            terminal.press("m")
            terminal.see("Make a table")
            terminal.press("\r")
            terminal.see("Ana", "add a bot")
            stop(terminal, "key")
            first.process.kill()
            first.wait()
            with server(tmp_path, *HERE, "--port", str(first.port)):
                terminal.process.send_signal(signal.SIGCONT)
                terminal.see("you are back", "add a bot")
                terminal.press("\x11")
                assert terminal.ended() == 0
                terminal.as_it_was()
