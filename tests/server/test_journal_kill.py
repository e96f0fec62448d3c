"""A journal whose process is killed keeps all that was acknowledged, once and in order."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from perudo_server.journal_entry import Entry, Sync
from tests.support.journals import loaded

KILLS = 12

WRITER = """
import asyncio, sys
from pathlib import Path
from perudo_server.journal import Journal
from tests.server.test_journal_kill import entry

async def main():
    journal = Journal.open(Path(sys.argv[1]), sys.argv[2])
    seq = len(list(journal.load()))
    print("open", seq, flush=True)
    loop = asyncio.get_running_loop()
    seqs = {}

    def turn():
        nonlocal seq
        for _ in range(seq % 4 + 1):
            seq += 1
            seqs[journal.write(*entry(seq)[1:])] = seq
        journal.commit()

    def committed():
        print("committed", seqs.pop(journal.committed), flush=True)
        loop.call_soon(turn)

    journal.on_committed = committed
    turn()
    turn()
    await asyncio.Event().wait()

asyncio.run(main())
"""


def entry(seq: int) -> Entry:
    """Give the entry of this number; some are long, so that the log is moved over now and then."""
    return Entry(seq, seq % 5, seq / 8, seq.to_bytes(8, "big") * (2000 if seq % 20 == 0 else 4))


def acknowledged(folder: Path, sync: Sync, lines: int) -> int:
    """Let a process write until it has acknowledged so often, and kill it.

    Gives the last number that it acknowledged, be it only after that line.
    """
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(folder), sync],
        stdout=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
    ) as writer:
        assert writer.stdout is not None
        heard = [writer.stdout.readline() for _ in range(lines)]
        writer.kill()
        heard += writer.stdout.readlines()
    return int([line for line in heard if line.endswith("\n")][-1].split()[1])


@pytest.mark.parametrize("sync", ["normal", "full"])
def test_kills(tmp_path: Path, sync: Sync) -> None:
    """Each process goes on where the one before it was killed."""
    known = 0
    for kill in range(KILLS):
        last = acknowledged(tmp_path, sync, 1 + kill * 53 % 300)
        assert last >= known
        found = loaded(tmp_path) if kill % 3 == 2 else None  # else the next one finds the log
        if found is not None:
            assert found == [entry(seq) for seq in range(1, len(found) + 1)]
            assert len(found) >= last
        known = last
    assert known > 500
    assert len(loaded(tmp_path)) >= known
