"""What the app does to the terminal around it."""

from __future__ import annotations

import asyncio
import fcntl
import os
import signal
import struct
import subprocess
import sys
import termios

import pytest

from perudo_client.terminal import WindowTitle, end_at_signals, speaks_unicode


def test_the_old_title_is_kept_once_and_given_back() -> None:
    title = WindowTitle()
    assert title.show("") == ""
    assert title.show("Your turn") == "\x1b[22;0t\x1b]0;Your turn\x07"
    assert title.show("Perudo") == "\x1b]0;Perudo\x07"
    assert title.show("") == "\x1b]0;\x07\x1b[23;0t"
    assert title.show("") == ""


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
async def test_signals_end_with_their_code(name: str) -> None:
    codes: asyncio.Queue[int] = asyncio.Queue()
    number = getattr(signal, name)
    end_at_signals(codes.put_nowait)
    try:
        os.kill(os.getpid(), number)
        async with asyncio.timeout(5):
            assert await codes.get() == 128 + number
    finally:
        for each in (signal.SIGTERM, signal.SIGHUP):
            asyncio.get_running_loop().remove_signal_handler(each)


@pytest.mark.parametrize(
    ("encoding", "yes"),
    [
        ("utf-8", True),
        ("UTF8", True),
        ("utf_8", True),
        ("cp65001", True),  # what Windows calls it
        (None, True),
        ("ascii", False),
        ("ANSI_X3.4-1968", False),
        ("latin-1", False),
        ("iso8859-15", False),
        ("koi8-r", False),
        ("cp437", False),
        ("cp850", False),
        ("cp1252", False),
        ("cp932", False),
        ("gbk", False),
        ("utf-16", False),
        ("utf-7", False),
        ("from the future", False),
    ],
)
def test_what_the_terminal_can_write(
    encoding: str | None, yes: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Out:
        def __init__(self) -> None:
            self.encoding = encoding

    monkeypatch.setattr("sys.__stdout__", Out())
    assert speaks_unicode() is yes


def test_a_terminal_that_is_gone_ends_the_program() -> None:
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    program = subprocess.Popen(
        [sys.executable, "-m", "perudo_client"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm-256color"},
        start_new_session=True,
    )
    os.close(theirs)
    try:
        seen = b""
        while "│ U │".encode() not in seen:
            seen += os.read(ours, 65536)
        os.write(ours, b"\r")
        os.close(ours)
        assert program.wait(timeout=20) != 0
    finally:
        program.kill()
        program.wait()
