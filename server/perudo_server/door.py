"""Takes connections off the listening sockets, and turns away who may not come in.

Turning away costs next to nothing and happens only so often: whoever is thrown out may come back at
once, thousands of times a second, and the tables must not feel it.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol

from .log import event

AT_ONCE = 8
"""Connections that are taken in one turn of the loop, so that many hold up nobody."""
REST = 0.001
"""Seconds of rest after each one that was turned away."""
TOLD = 1.0
"""Seconds between two lines of the log about them."""
NO_ROOM = 1.0
"""Seconds of rest when the system has no room for one more connection."""


class House(Protocol):
    """What is needed of the house behind the door."""

    def has_room(self, address: str) -> bool:
        """Say whether one more connection of this address may come in."""


class Door:
    """One listening socket; it owns the socket."""

    def __init__(
        self,
        sock: socket.socket,
        house: House,
        new: Callable[[], asyncio.BaseProtocol],
        refusal: bytes,
        log: logging.Logger,
    ) -> None:
        """Give each connection a protocol of its own; `refusal` is said to who is turned away.

        Call within a running loop.
        """
        self._sock = sock
        self._house = house
        self._new = new
        self._refusal = refusal
        self._log = log
        self._loop = asyncio.get_running_loop()
        self._coming: set[asyncio.Task[object]] = set()
        self._turned_away = 0
        sock.setblocking(False)
        self._task = self._loop.create_task(self._open())

    def close(self) -> None:
        """Let nobody in any more; who is in stays."""
        self._task.cancel()
        self._sock.close()
        self._tell()

    async def _open(self) -> None:
        while True:
            for _ in range(AT_ONCE):
                try:
                    sock, place = await self._next()
                except ConnectionError:
                    continue  # gone before it was taken
                except OSError as wrong:
                    event(self._log, "cannot_accept", logging.ERROR, why=wrong.strerror)
                    await asyncio.sleep(NO_ROOM)
                    continue
                if not self._house.has_room(str(place[0]) if place else ""):  # some tell none
                    self._turn_away(sock)
                    await asyncio.sleep(REST)
                    continue
                task = self._loop.create_task(self._loop.connect_accepted_socket(self._new, sock))
                self._coming.add(task)
                task.add_done_callback(self._come)
            await asyncio.sleep(0)

    async def _next(self) -> tuple[socket.socket, Any]:
        """Take a connection; when several came at once, the loop need not be asked for each."""
        try:
            return self._sock.accept()
        except BlockingIOError:
            return await self._loop.sock_accept(self._sock)

    def _come(self, task: asyncio.Task[object]) -> None:
        self._coming.discard(task)
        if not task.cancelled() and (wrong := task.exception()) is not None:
            event(self._log, "cannot_accept", logging.ERROR, why=type(wrong).__name__)

    def _turn_away(self, sock: socket.socket) -> None:
        """Say why, and close; what came is read, or else the answer could get lost."""
        with sock, suppress(OSError):
            sock.setblocking(False)
            if self._refusal:
                sock.send(self._refusal)
                sock.recv(4096)
        if not self._turned_away:
            self._loop.call_later(TOLD, self._tell)
        self._turned_away += 1

    def _tell(self) -> None:
        if self._turned_away:
            event(self._log, "turned_away", count=self._turned_away)
            self._turned_away = 0
