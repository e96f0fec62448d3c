"""Whatever a wall clock shows, no deadline moves: nothing but the log asks one."""

from __future__ import annotations

import ast
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import perudo_bot
import perudo_protocol
import perudo_server
from perudo_protocol import messages as m
from perudo_protocol.story import TurnSet
from tests.support.keyed_guests import KeyedGuest, bid, game_of_two
from tests.support.servers import RunningServer, server

CLOCKS = ("time", "datetime", "calendar")
YEAR = 365 * 24 * 3600
JUMPS = (YEAR, -2 * YEAR)
JUMPY = f"""\
import signal, time
time_, time_ns, shift, jumps = time.time, time.time_ns, [0], iter({JUMPS})
time.time = lambda: time_() + shift[0]
time.time_ns = lambda: time_ns() + shift[0] * 10**9
def jump(*_):
    shift[0] += next(jumps)
signal.signal(signal.SIGUSR1, jump)
"""
"""What Python runs before a program: the clock of the wall jumps at a signal."""


def sources() -> Iterator[Path]:
    for package in (perudo_server, perudo_protocol, perudo_bot):
        assert package.__file__ is not None
        yield from Path(package.__file__).parent.rglob("*.py")


def clocks_of(file: Path) -> set[str]:
    """Give what a module takes from the modules that know the time."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names if name.name in CLOCKS}
        elif isinstance(node, ast.ImportFrom) and node.module in CLOCKS:
            found |= {f"{node.module}.{name.name}" for name in node.names}
        elif isinstance(node, ast.Attribute) and node.attr in ("now", "today", "utcnow"):
            if isinstance(node.value, ast.Name) and node.value.id in ("datetime", "date"):
                found.add(f"{node.value.id}.{node.attr}()")
    return found


def test_only_the_log_certificates_and_old_games_know_a_calendar() -> None:
    """The log words the time of its lines; certificates have fixed years, and ask for no time; how
    long finished games are kept is counted in days, in which the server may not run."""
    found = {file.name: clocks_of(file) for file in sources()}
    assert len(found) > 50
    assert {name: clocks for name, clocks in found.items() if clocks} == {
        "log.py": {"datetime.datetime", "time"},
        "certificate.py": {"datetime.UTC", "datetime.datetime"},
        "journal_sweeper.py": {"time"},
    }


def last_deadline(guest: KeyedGuest) -> int:
    updates = [message for message in guest.heard if isinstance(message, m.Update)]
    events = [event for update in updates for event in update.events]
    return [event.deadline for event in events if isinstance(event, TurnSet)][-1]


def years(running: RunningServer) -> set[str]:
    """Give the years in which lines of the log were written."""
    return {line[:4] for line in running.log().splitlines()}


@pytest.mark.skipif(not hasattr(signal, "SIGUSR1"), reason="needs signals of POSIX to jump at")
def test_a_wall_clock_that_jumps_moves_no_deadline(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(JUMPY)
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    quick = {"PERUDO_PING_SECONDS": "0.3", "PERUDO_THROW_SECONDS": "0.1", "PYTHONPATH": path}
    with server(tmp_path, "--no-journal", **quick) as running:
        first, second = game_of_two(running)
        turn, began = last_deadline(first), time.monotonic()
        for number in range(1 + len(JUMPS)):
            if number:
                running.process.send_signal(signal.SIGUSR1)
                assert isinstance(running.call().greet(f"Guest {number}"), m.Welcome)  # logged
            for guest in (first, second):
                asked = guest.hear(m.Ping).now
                assert guest.hear(m.Ping).now - asked < 1000
            first.do(bid(number + 1, number=number))
            passed = (time.monotonic() - began) * 1000
            assert 0 < last_deadline(first) - turn <= passed + 5000  # a year would show
            first, second = second, first
        assert len(years(running)) == 1 + len(JUMPS)
        assert " dead " not in running.log()
