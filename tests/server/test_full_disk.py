"""A real server whose disk is full: nothing is acknowledged, nothing is lost, and it goes on.

The disk is of 400 KiB, in memory, and seen by the server alone; where this user may not mount one
the test skips, and says so.
"""

from __future__ import annotations

import errno
import shutil
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path

import pytest

from perudo_protocol import messages as m
from perudo_protocol.story import BidPlaced, TurnSet
from perudo_protocol.words import Denial, NoticeWord
from perudo_server import entries as n
from tests.soak.chronicle import read
from tests.support.keyed_guests import KeyedGuest, bid, game_of_two
from tests.support.servers import RunningServer, server_behind

MOUNT = 'mount -t tmpfs -o size=400k,mode=700 perudo "$0" && exec "$@"'
SECONDS = 4
"""How long it stays full."""


def small_disk(folder: Path) -> tuple[str, ...]:
    """Give the command that mounts the disk where only what follows it can see it."""
    folder.mkdir(mode=0o700)
    command = ("unshare", "--mount", "sh", "-c", MOUNT, str(folder))
    if shutil.which("unshare") is None:
        pytest.skip("needs the command unshare to mount a disk of its own")
    done = subprocess.run([*command, "true"], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"needs the rights to mount a disk of its own ({done.stderr.strip()})")
    return command


def seen(running: RunningServer, folder: Path) -> Path:
    """Give the folder as the server sees it."""
    return Path(f"/proc/{running.process.pid}/root{folder}")


def fill(disk: Path) -> Path:
    """Fill it to the last byte, and give the file that does."""
    file = disk / "others"
    with file.open("wb", buffering=0) as others:
        try:
            while others.write(bytes(512)):
                pass
        except OSError as full:
            if full.errno != errno.ENOSPC:
                raise
    return file


def is_full(notice: m.Notice) -> bool:
    return notice.notice == NoticeWord.STORAGE_FULL


def is_back(notice: m.Notice) -> bool:
    return notice.notice == NoticeWord.STORAGE_BACK


def answered(guest: KeyedGuest) -> list[int]:
    return [message.re for message in guest.heard if isinstance(message, m.Done)]


def last_turn(guest: KeyedGuest) -> int:
    """Give the moment of the server's clock until which the last turn lasts."""
    updates = [message for message in guest.heard if isinstance(message, m.Update)]
    events = [event for update in updates for event in update.events]
    return [event.deadline for event in events if isinstance(event, TurnSet)][-1]


def bids(guest: KeyedGuest) -> list[int]:
    updates = [message for message in guest.heard if isinstance(message, m.Update)]
    events = [event for update in updates for event in update.events]
    return [event.bid.quantity for event in events if isinstance(event, BidPlaced)]


def test_a_full_disk_stops_the_game_and_room_lets_it_go_on(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    before = small_disk(folder)
    quick = {"PERUDO_THROW_SECONDS": "0.1"}
    with server_behind(before, tmp_path, "--data", str(folder), **quick) as running:
        disk = seen(running, folder)
        first, second = game_of_two(running)
        began, turn = time.monotonic(), last_turn(first)
        others = fill(disk)
        asked = first.ask(bid(1))
        for guest in (first, second):
            guest.hear(m.Notice, is_full)
        refused = second.ask(lambda number: m.Say(id=number, text="what now?"))
        answer = second.hear(m.Refused)
        assert (answer.re, answer.reason) == (refused, Denial.STORAGE_FULL)
        for _ in range(SECONDS):  # it is said once a second
            second.hear(m.Notice, is_full)
        assert asked not in answered(first)
        assert bids(first) == bids(second) == []

        others.unlink()
        for guest in (first, second):
            guest.hear(m.Notice, is_back)
        if asked not in answered(first):
            first.hear(m.Done, lambda done: done.re == asked)
        second.do(bid(2, number=1))
        real = time.monotonic() - began
        assert (last_turn(second) - turn) / 1000 <= real - (SECONDS - 1)
        first.do(bid(3, number=2))
        assert bids(first) == [1, 2, 3]
        second.hear(m.Update, lambda _: bids(second) == [1, 2, 3])
        assert answered(first).count(asked) == 1

        running.process.send_signal(signal.SIGSTOP)
        shutil.copytree(disk, tmp_path / "copy")
    kept = [n.decode(entry.body) for entry in read(tmp_path / "copy")]
    answers = Counter((each.person, each.id) for each in kept if isinstance(each, n.Answered))
    assert set(answers.values()) == {1}
    assert answers[first.person, asked] == 1
    assert sum(isinstance(each, n.Ruled) and each.event == "bid" for each in kept) == 3
    assert (second.person, refused) not in answers
