"""Is the write-ahead log whole? SQLite reads it up to the first error and forgets the rest.

That is right for a log whose last transaction was cut off with the process that wrote it, and wrong
for one that was damaged later: acknowledged entries would be gone, and nobody told. The form is
that of https://www.sqlite.org/fileformat2.html#walformat: a header of 32 bytes, then frames of a
24-byte header and a page, each with a running checksum. This program cuts the log to nothing
whenever it is moved over, so all frames in it carry the two salts of its header; only those of an
earlier round, left over by a cut that failed, differ in both.
"""

from __future__ import annotations

import struct
from pathlib import Path

from .folder import is_no_file

_HEADER, _FRAME = 32, 24
_MAGIC = 0x377F0682  # the lowest bit says in which order the bytes of the checksums are summed


def broken_log(path: Path) -> str:
    """Say what is wrong with a log; empty for one that is whole, cut off, or not there."""
    if is_no_file(path):
        return "its log is no file"
    try:
        log = path.read_bytes()
    except FileNotFoundError:
        return ""
    if len(log) < _HEADER or not any(log):
        return ""
    magic, _, page, _, *salts_and_sums = struct.unpack_from(">8I", log)
    order = ">" if magic & 1 else "<"
    salts, sums = tuple(salts_and_sums[:2]), tuple(salts_and_sums[2:])
    if magic & ~1 != _MAGIC or sums != _summed(order, log[: _HEADER - 8], (0, 0)):
        return "the head of its log is not as it was written"
    for start in range(_HEADER, len(log) - _FRAME - page + 1, _FRAME + page):
        found = struct.unpack_from(">6I", log, start)
        if found[2] != salts[0] and found[3] != salts[1]:
            return _after_a_gap(log, start, page, salts)
        sums = _summed(order, log[start : start + 8], sums)
        sums = _summed(order, log[start + _FRAME : start + _FRAME + page], sums)
        if found[2:4] != salts or found[4:] != sums:
            return f"its log is not as it was written from byte {start} on"
    return ""


def _after_a_gap(log: bytes, start: int, page: int, salts: tuple[int, ...]) -> str:
    """Look for frames of this round behind one that is not: a gap, which no cut leaves behind."""
    for later in range(start, len(log) - _FRAME - page + 1, _FRAME + page):
        if struct.unpack_from(">2I", log, later + 8) == salts:
            return f"its log has a gap at byte {start}"
    return ""


def _summed(order: str, data: bytes, sums: tuple[int, ...]) -> tuple[int, int]:
    one, two = sums
    words = iter(struct.unpack(f"{order}{len(data) // 4}I", data))
    for word in words:
        one = (one + word + two) & 0xFFFFFFFF
        two = (two + next(words) + one) & 0xFFFFFFFF
    return one, two
