"""The server of one's own: it starts, it is reached, and it never outlives its client."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from perudo_client import embedded
from perudo_client.dialing import dial
from perudo_client.embedded import CannotStart, EmbeddedServer
from perudo_client.endings import CannotConnect

BOUND = 30.0

CLIENT = """
import asyncio, sys
from perudo_client.embedded import EmbeddedServer

async def main():
    server = await EmbeddedServer.start()
    print(server.process_id, flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


def alive(process_id: int) -> bool:
    """Say whether a process runs; one that has ended and waits to be collected does not."""
    try:
        state = Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


async def test_it_listens_on_this_machine_alone_and_ends_when_told() -> None:
    server = await EmbeddedServer.start(bot_seconds=0)
    assert server.address.host == "127.0.0.1"
    sock = await dial(server.address.host, server.address.port)
    sock.close()
    await server.stop()
    assert not alive(server.process_id)
    with pytest.raises(CannotConnect):
        await dial(server.address.host, server.address.port)


async def test_it_ends_with_a_client_that_is_still_connected() -> None:
    server = await EmbeddedServer.start()
    sock = await dial(server.address.host, server.address.port)
    await server.stop()
    assert not alive(server.process_id)
    sock.close()


async def test_what_the_user_set_for_a_server_of_theirs_does_not_count(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PERUDO_PORT", "nonsense")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "perudo").mkdir()
    (tmp_path / "perudo" / "server.toml").write_text("nonsense")
    server = await EmbeddedServer.start()
    await server.stop()


async def test_a_server_that_does_not_start_is_said_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(CannotStart, match=r"did not start; perudo-server ended with 1\."):
        await EmbeddedServer.start()
    monkeypatch.setattr(sys, "executable", "/nonexistent/python")
    with pytest.raises(CannotStart, match="did not start: "):
        await EmbeddedServer.start()


async def test_a_server_that_says_nothing_is_not_waited_for_for_ever(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    silent = tmp_path / "silent"
    silent.write_text("#!/bin/sh\nexec sleep 600\n")
    silent.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(silent))
    monkeypatch.setattr(embedded, "START_SECONDS", 0.2)
    monkeypatch.setattr(embedded, "END_SECONDS", 0.2)
    with pytest.raises(CannotStart, match="did not start in"):
        await EmbeddedServer.start()


async def test_starting_can_be_broken_off() -> None:
    starting = asyncio.create_task(EmbeddedServer.start())
    await asyncio.sleep(0.05)
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(starting, BOUND)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_it_ends_however_the_client_ends(number: signal.Signals) -> None:
    with subprocess.Popen([sys.executable, "-c", CLIENT], stdout=subprocess.PIPE) as client:
        try:
            assert client.stdout is not None
            server = int(client.stdout.readline())
            assert alive(server)
            client.send_signal(number)
            client.wait(BOUND)
            ended_by = time.monotonic() + BOUND
            while alive(server) and time.monotonic() < ended_by:
                os.sched_yield()
            assert not alive(server)
        finally:
            client.kill()
