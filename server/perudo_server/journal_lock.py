"""Holding a journal's file for a moment, as SQLite would, without having SQLite touch it.

SQLite cannot be asked to let a file go again as it found it: with the last connection it moves the
log over, and what it took for no part of the log is gone. So a log is looked over before SQLite
sees it, while nobody else can write it. The bytes are those that SQLite locks for reading and
writing; see https://www.sqlite.org/lockingv3.html and `SHARED_FIRST` in its sources.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_FIRST, _SIZE = 0x40000002, 510


class InUse(Exception):
    """Another process has the file."""


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Keep every SQLite of another process out of a file; raises `InUse` where one is in.

    Not to be used in a process that has the file open by itself: it would lose its own lock.
    """
    file = os.open(path, os.O_RDWR)
    try:
        try:
            _lock(file)
        except OSError:
            raise InUse from None
        yield
    finally:
        os.close(file)


def _lock(file: int) -> None:
    if sys.platform == "win32":
        import msvcrt

        os.lseek(file, _FIRST, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_NBLCK, _SIZE)
    else:
        import fcntl

        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, _SIZE, _FIRST)
