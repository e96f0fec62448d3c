"""Real servers: processes of their own, which a test starts, talks to, and ends."""

from __future__ import annotations

import os
import queue
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from perudo_protocol.codec import decode_server, encode
from perudo_protocol.framing import TO_CLIENT, FrameReader
from perudo_protocol.messages import FromClient, Hello, ServerMessage, Welcome

BOUND = 20.0
"""Seconds after which what a test waits for is held not to come."""

_JOIN = re.compile(r"^  perudo-client (\S+)$")


def environment(home: Path, **extra: str) -> dict[str, str]:
    """Give an environment without this machine's own settings."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("PERUDO_")}
    return {
        **kept,
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_DATA_HOME": str(home / ".data"),
        **extra,
    }


def run(home: Path, *options: str, **extra: str) -> subprocess.CompletedProcess[str]:
    """Run `perudo-server` to its end."""
    return subprocess.run(
        [sys.executable, "-m", "perudo_server", *options],
        env=environment(home, **extra),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=BOUND,
        check=False,
    )


class RunningServer:
    """A server that has said how to join it."""

    def __init__(self, process: subprocess.Popen[str], log: Path) -> None:
        self.process = process
        self._log = log
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._callers: list[Caller] = []
        self.said: list[str] = []
        threading.Thread(target=self._read, daemon=True).start()
        self.title = self._line()
        self.places = [self._place()]

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.rstrip("\n"))
        self._lines.put(None)

    def _line(self) -> str:
        line = self._lines.get(timeout=BOUND)
        assert line is not None, f"the server ended: {self.log()}"
        return line

    def _place(self) -> str:
        found = _JOIN.match(self._line())
        assert found is not None
        return found[1]

    @property
    def port(self) -> int:
        return int(self.places[0].partition("#")[0].rpartition(":")[2])

    def call(self, host: str = "127.0.0.1") -> Caller:
        """Connect a client, which is closed with the server."""
        self._callers.append(Caller(self.port, host))
        return self._callers[-1]

    def guest(self, name: str, host: str = "127.0.0.1") -> Caller:
        """Connect a client and see it let in."""
        caller = self.call(host)
        assert isinstance(caller.greet(name), Welcome)
        return caller

    def close(self) -> None:
        """End it, whatever state it is in, and those connected by `call`."""
        for caller in self._callers:
            caller.socket.close()
        self.process.kill()

    def log(self) -> str:
        """Give what was logged so far; lines come some hundredths of a second late."""
        return self._log.read_text(encoding="utf-8")

    def log_with(self, word: str) -> str:
        """Wait until the log tells of something; gives all that was logged by then."""
        end = time.monotonic() + BOUND
        while word not in (log := self.log()):
            assert time.monotonic() < end, f"{word} never came: {log}"
            time.sleep(0.01)
        return log

    def end(self, number: int = signal.SIGTERM) -> int:
        """Send a signal and give the exit code."""
        self.process.send_signal(number)
        return self.wait()

    def wait(self) -> int:
        """Wait for the end; all that it said is in `places` and `said` afterwards."""
        code = self.process.wait(BOUND)
        while (line := self._lines.get(timeout=BOUND)) is not None:
            self.said.append(line)
            if found := _JOIN.match(line):
                self.places.append(found[1])
        return code


@contextmanager
def server(home: Path, *options: str, **extra: str) -> Iterator[RunningServer]:
    """Start a server on a free port of the loopback, unless the options say something else."""
    with server_behind((), home, *options, **extra) as running:
        yield running


@contextmanager
def server_behind(
    before: tuple[str, ...], home: Path, *options: str, **extra: str
) -> Iterator[RunningServer]:
    """Do the same behind a command that ends by becoming the one that follows it."""
    log = home / "server.log"
    where = [] if "--host" in options or "--port" in options else ["--host", "127.0.0.1"]
    port = [] if "--port" in options else ["--port", "0"]
    with log.open("w") as errors:
        process = subprocess.Popen(
            [*before, sys.executable, "-m", "perudo_server", *where, *port, *options],
            env=environment(home, **extra),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            encoding="utf-8",
        )
    try:
        running = RunningServer(process, log)
        try:
            yield running
        finally:
            running.close()
    finally:
        process.kill()
        with suppress(BrokenPipeError):  # closing the standard input of one that has ended
            process.__exit__(None, None, None)


class Caller:
    """A client over a plain, blocking socket."""

    def __init__(self, port: int, host: str = "127.0.0.1") -> None:
        self.socket = socket.create_connection((host, port), timeout=BOUND)
        self._reader = FrameReader(TO_CLIENT)

    def send(self, message: FromClient) -> None:
        self.socket.sendall(encode(message))

    def greet(self, name: str) -> ServerMessage:
        """Say hello and give the answer."""
        self.send(Hello(versions=(1,), client="test", name=name))
        heard = self.hear()
        assert heard is not None
        return heard

    def hear(self) -> ServerMessage | None:
        """Wait for the next message; `None` when the server has closed."""
        while (payload := self._reader.next()) is None:
            data = self.socket.recv(4096)
            if not data:
                return None
            self._reader.feed(data)
        return decode_server(payload)

    def rest(self) -> list[ServerMessage]:
        """Hear everything until the server closes."""
        heard = []
        while (message := self.hear()) is not None:
            heard.append(message)
        return heard
