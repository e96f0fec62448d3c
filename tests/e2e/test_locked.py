"""A locked server and a locked table between real programs."""

from __future__ import annotations

import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

from tests.support.servers import BOUND, RunningServer, environment, server
from tests.support.terminals import Terminal


def words_of(running: RunningServer) -> str:
    """Read the words that the server has made from its opening lines."""
    assert running._line() == "Join words, for your friends alone:"
    return running._line().strip()


def client(home: Path, *options: str, term: str = "dumb", **extra: str) -> Terminal:
    return Terminal(["perudo_client", *options], environment(home, **extra), term=term)


def piped(home: Path, *options: str, **extra: str) -> subprocess.CompletedProcess[str]:
    """Run a client that nobody can be asked at."""
    return subprocess.run(
        [sys.executable, "-m", "perudo_client", *options],
        env=environment(home, **extra),
        input="tables\n",
        capture_output=True,
        text=True,
        timeout=BOUND,
        check=False,
    )


def test_friends_come_in_by_the_words_and_nobody_else(tmp_path: Path) -> None:
    with server(tmp_path, "--secret", "--log-level", "debug") as running, ExitStack() as stack:
        words = words_of(running)
        assert words.count("-") == 3
        place = running.places[0]

        stranger = piped(tmp_path, place)
        assert stranger.returncode == 77
        assert stranger.stderr == (
            "perudo-client: This server is locked: give its join words with --secret or"
            " PERUDO_SECRET.\n"
        )
        bot = piped(tmp_path, place, "--bot")
        assert bot.returncode == 77
        assert "this server is locked" in bot.stderr
        guesser = piped(tmp_path, place, "--secret", "no such words")
        assert guesser.returncode == 77
        friend = piped(tmp_path, place, PERUDO_SECRET=words)
        assert (friend.returncode, friend.stderr) == (0, "")
        assert "There are no tables yet." in friend.stdout

        pat = stack.enter_context(client(tmp_path, place, "--name", "Pat"))
        pat.see("Type its join words")
        pat.press("wrong words\n")
        pat.see("These are not the join words.")
        pat.press(words.replace("-", " ").upper() + "\n")
        pat.see("Connected to")
        pat.press("yes\n")
        pat.see("Remembered.")
        pat.press("make Ours start_dice=1 words=owls-at-night\n")
        pat.see("You are at table 1")

        ana = stack.enter_context(
            client(tmp_path, place, "--name", "Ana", "--table", "1", term="xterm-256color")
        )
        ana.see("This table is locked.")  # the server's words are remembered
        ana.press("owls at night\r")
        ana.see("Ours", "Pat", "Ana", "owls at night")
        robo = stack.enter_context(
            client(tmp_path, place, "--bot", "--table", "1", PERUDO_SECRET="owls at night")
        )
        assert robo.ended() == 77, "these are the table's words, not the server's"
        pat.see("Ana")
        for player in (ana, pat):
            player.press("\x11" if player is ana else "quit\n")
            assert player.ended() == 0
        assert running.end() == 0
        log = running.log()
        assert "unlock" in log
        for hidden in ("owls", "night", words, words.replace("-", " ")):
            assert hidden not in log


def test_words_are_taken_from_the_command_line_and_too_short_ones_refused(tmp_path: Path) -> None:
    with server(tmp_path, "--secret", "owls", "at", "night") as running:
        assert running._line() == "Locked: friends need the join words that you gave."
        friend = piped(tmp_path, running.places[0], "--secret", "Owls-at-Night")
        assert friend.returncode == 0
    for words in (["abc"], [""], ["a", "b"]):
        refused = subprocess.run(
            [sys.executable, "-m", "perudo_server", "--secret", *words],
            env=environment(tmp_path),
            capture_output=True,
            text=True,
            timeout=BOUND,
            check=False,
        )
        assert refused.returncode == 64
        assert refused.stderr == (
            "perudo-server: --secret is no good;"
            " it must be 6 to 64 letters, or new for words made at start.\n"
        )
