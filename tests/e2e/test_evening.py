"""A whole evening between real programs: a server, two screens, lines of text, a bot."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.support.servers import RunningServer, environment, server
from tests.support.terminals import XTERM, Terminal


@pytest.fixture
def running(tmp_path: Path) -> Iterator[RunningServer]:
    """A server whose bots and pauses are quick."""
    quick = ["--bot-seconds", "0.05", "--reveal-seconds", "20"]
    with server(tmp_path, *quick, PERUDO_THROW_SECONDS="20") as it:
        yield it


def client(home: Path, *arguments: str, term: str = XTERM) -> Terminal:
    """Start a client in a terminal of its own, with no settings of this machine."""
    return Terminal(["perudo_client", *arguments], environment(home), term=term)


class Evening:
    """Everybody at one table of one-die games, each played by what stands on the screen."""

    def __init__(self, home: Path, place: str, stack: ExitStack) -> None:
        self.pat = stack.enter_context(client(home, place, "--name", "Pat", term="dumb"))
        self.read = 0
        self.pat.see("Connected to")
        self.pat.press("make Evening start_dice=1 turn_seconds=0\n")
        self.pat.see("You are at table 1")
        self.screens = [
            stack.enter_context(client(home, place, "--name", name, "--table", "1", "--no-motion"))
            for name in ("Ana", "Bia")
        ]
        self.bot = stack.enter_context(
            client(home, place, "--bot", "--bot-seconds", "0.05", "--name", "Robo", "--table", "1")
        )
        for screen in self.screens:
            screen.see("Evening", "Pat", "Ana", "Bia", "Robo")
        self.pat.see("Robo")

    @property
    def all(self) -> list[Terminal]:
        return [self.pat, *self.screens, self.bot]

    def play(self) -> None:
        """Play until everybody has seen the winner."""
        end = time.monotonic() + 60
        while not all("The game is over" in screen.text for screen in self.screens):
            if time.monotonic() > end:
                raise AssertionError("\n".join([self.heard, *(s.text for s in self.screens)]))
            for terminal in self.all:
                terminal.take_in(0.02)
            for screen in self.screens:
                self._move(screen)
            self._answer()

    @property
    def heard(self) -> str:
        """All that the plain client has written."""
        return self.pat.raw.decode()

    def _move(self, screen: Terminal) -> None:
        """Open with what is offered, doubt whatever stands, and wave every reveal through."""
        text = screen.text
        if "Your turn: open" in text:
            screen.press("\r")
        elif "Your turn" in text:
            screen.press("d")
        elif any(words in text for words in ("Who begins", "opens the next", "open the next")):
            screen.press(" ")

    def _answer(self) -> None:
        """Answer what the plain client has asked since the last time, in whole lines."""
        asked, self.read = self.heard[self.read :], len(self.heard)
        whole, newline, rest = asked.rpartition("\n")
        self.read -= len(rest) if newline else len(asked)
        for line in whole.splitlines():
            if "You may doubt" in line:
                self.pat.press("dudo\n")
            elif "There is no bid yet" in line:
                self.pat.press("1 2\n")
            elif "Press Enter to go on" in line:
                self.pat.press("\n")


def test_a_whole_game_a_rematch_and_goodbye(running: RunningServer, tmp_path: Path) -> None:
    """Everybody plays to the end, plays again, and leaves each in their own way."""
    with ExitStack() as stack:
        evening = Evening(tmp_path, running.places[0], stack)
        evening.pat.press("start\n")
        evening.play()
        # Who wins is chance; plain text says "you" to Pat.
        won = ("wins the game", "You win the game")
        evening.pat.wait(lambda: any(w in evening.heard for w in won), "the winner in plain text")
        evening.pat.press("rematch\n")
        for screen in evening.screens:
            screen.see("Who begins")
        evening.play()
        ana, bia = evening.screens
        ana.press("\x1b")
        ana.see("Perudo on", "1 table", "Evening")
        ana.press("\x03")
        assert ana.ended() == 0
        ana.as_it_was()
        bia.press("\x03")
        assert bia.ended() == 0
        bia.as_it_was()
        evening.bot.process.send_signal(signal.SIGINT)
        assert evening.bot.ended() == 130
        evening.pat.press("leave\n")
        evening.pat.press("quit\n")
        assert evening.pat.ended() == 0
        evening.pat.as_it_was()
    assert running.end() == 0
    assert "Traceback" not in running.log()
    assert running.log().count(" over ") == 2
