"""Ctrl-Z in a real terminal, and `fg`: the shell has the terminal, then we have it again."""

from __future__ import annotations

import os
import signal
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
