"""A server of one's own, for a game alone: a child process on a loopback port.

The child ends when its standard input does. Its other end is held by this process alone, so it
ends with us however we end, `kill -9` included. Nothing that it writes reaches the terminal.
"""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from contextlib import suppress

from . import address
from .address import Address
from .i18n import _

START_SECONDS = 15.0
"""A slow machine may take this long to start the child."""
END_SECONDS = 2.0
"""So long the child has to end by itself."""
_JOIN_LINE = re.compile(rb"\s*perudo-client (\S+)\s*")


class CannotStart(Exception):
    """The child did not start; the text is a sentence."""


class EmbeddedServer:
    """A running child; made by `start`, ended by `stop`."""

    def __init__(self, process: asyncio.subprocess.Process, where: Address) -> None:
        """Hold a child that listens there."""
        self._process = process
        self.address = where

    @classmethod
    async def start(
        cls, *, bot_seconds: float = 1.5, reveal_seconds: float = 12.0, throw_seconds: float = 5.0
    ) -> EmbeddedServer:
        """Start a server and wait until it listens; raises `CannotStart`."""
        process = await _spawn(
            "--bot-seconds",
            f"{bot_seconds:g}",
            "--reveal-seconds",
            f"{reveal_seconds:g}",
            extra={"PERUDO_THROW_SECONDS": f"{throw_seconds:g}"},
        )
        try:
            async with asyncio.timeout(START_SECONDS):
                return cls(process, await _join_line(process))
        except TimeoutError:
            await _end(process)
            text = _("The server for this game did not start in {seconds} seconds.")
            raise CannotStart(text.format(seconds=int(START_SECONDS))) from None
        except BaseException:
            await _end(process)
            raise

    @property
    def process_id(self) -> int:
        """The child's number."""
        return self._process.pid

    async def stop(self) -> None:
        """Let the child end by itself, or end it."""
        await _end(self._process)


async def _spawn(*arguments: str, extra: dict[str, str]) -> asyncio.subprocess.Process:
    # Settings of a server that the user runs for others are not meant for this one.
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PERUDO_")}
    try:
        return await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "perudo_server",
            "--host=127.0.0.1",
            "--port=0",
            "--until-eof",
            "--no-journal",
            "--log-level=error",
            f"--config={os.devnull}",
            *arguments,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=kept | extra,
            start_new_session=True,  # Ctrl-C in the terminal is for us alone
        )
    except OSError as wrong:
        text = _("The server for this game did not start: {problem}")
        raise CannotStart(text.format(problem=wrong)) from None


async def _join_line(process: asyncio.subprocess.Process) -> Address:
    assert process.stdout is not None
    while line := await process.stdout.readline():
        found = _JOIN_LINE.fullmatch(line.rstrip(b"\r\n"))
        if found is not None:
            return address.parse(found[1].decode("ascii", "replace"))
    code = await process.wait()
    text = _("The server for this game did not start; perudo-server ended with {code}.")
    raise CannotStart(text.format(code=code))


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.stdin is not None:
        process.stdin.close()
    try:
        async with asyncio.timeout(END_SECONDS):
            await process.wait()
    except TimeoutError:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
