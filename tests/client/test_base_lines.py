"""Lines in from any standard input, lines out to any standard output."""

from __future__ import annotations

import asyncio
import io
import os
import pty
import threading
from pathlib import Path

import pytest

from perudo_client.printing import Printer
from perudo_client.reading import MOST_LETTERS, MOST_LINES, LineReader

BOUND = 10.0


class Desk:
    """Collects lines until the end."""

    def __init__(self, descriptor: int, take: bool = True) -> None:
        self.lines: list[str] = []
        self.ended = asyncio.Event()
        self._news: asyncio.Queue[str] = asyncio.Queue()
        self._take = take
        self.reader = LineReader(descriptor, self._line, self.ended.set)
        self.reader.start()

    def _line(self, line: str) -> None:
        self.lines.append(line)
        self._news.put_nowait(line)
        if self._take:
            self.reader.taken()

    async def first(self, count: int) -> list[str]:
        """Wait for so many lines more."""
        async with asyncio.timeout(BOUND):
            return [await self._news.get() for _ in range(count)]

    async def all(self) -> list[str]:
        await asyncio.wait_for(self.ended.wait(), BOUND)
        return self.lines


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"5 4\ndudo\n", ["5 4", "dudo"]),
        (b"5 4\r\n\r\nquit", ["5 4", "", "quit"]),
        (b"caf\xc3\xa9 \xff\n", ["café �"]),
        (b"x" * (MOST_LETTERS * 3) + b"\nend\n", ["x" * MOST_LETTERS, "end"]),
        (b"line\n" * 1000, ["line"] * 1000),
    ],
)
async def test_a_file_is_read_to_its_end(tmp_path: Path, data: bytes, lines: list[str]) -> None:
    (tmp_path / "input").write_bytes(data)
    descriptor = os.open(tmp_path / "input", os.O_RDONLY)
    try:
        assert await Desk(descriptor).all() == lines
    finally:
        os.close(descriptor)


async def test_nothing_at_all_is_an_end() -> None:
    descriptor = os.open(os.devnull, os.O_RDONLY)
    try:
        assert await Desk(descriptor).all() == []
    finally:
        os.close(descriptor)


async def test_a_descriptor_that_is_closed_is_an_end() -> None:
    descriptor = os.open(os.devnull, os.O_RDONLY)
    os.close(descriptor)
    assert await Desk(descriptor).all() == []


async def test_a_pipe_gives_its_lines_as_they_come() -> None:
    reading, writing = os.pipe()
    try:
        desk = Desk(reading)
        os.write(writing, b"du")
        os.write(writing, b"do\n")
        assert await desk.first(1) == ["dudo"]
        assert not desk.ended.is_set()
        os.close(writing)
        assert await desk.all() == ["dudo"]
    finally:
        os.close(reading)


async def test_a_terminal_gives_lines_and_its_hanging_up_is_an_end() -> None:
    ours, theirs = pty.openpty()
    try:
        desk = Desk(theirs)
        os.write(ours, b"5 4\n")
        assert await desk.first(1) == ["5 4"]
        os.close(ours)
        assert await desk.all() == ["5 4"]
    finally:
        os.close(theirs)


async def test_a_reader_does_not_run_ahead_of_who_takes() -> None:
    reading, writing = os.pipe()
    thread = threading.Thread(target=os.write, args=(writing, b"y\n" * (MOST_LINES + 10)))
    thread.start()
    try:
        desk = Desk(reading, take=False)
        await desk.first(MOST_LINES)
        thread.join(BOUND)
        os.close(writing)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(desk.ended.wait(), 0.05)
        assert len(desk.lines) == MOST_LINES
        for _ in range(10):
            desk.reader.taken()
        assert len(await desk.all()) == MOST_LINES + 10
    finally:
        os.close(reading)


def test_what_the_stream_cannot_hold_becomes_a_question_mark() -> None:
    held = io.BytesIO()
    printer = Printer(io.TextIOWrapper(held, encoding="ascii", newline="\n"))
    printer.line("Zoë bids 5 × 4.")
    assert held.getvalue() == b"Zo? bids 5 ? 4.\n"


def test_nobody_reading_is_no_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    stream = os.fdopen(writing, "w")
    printer = Printer(stream)
    printer.line("one")
    assert printer.broken
    printer.line("two")
    stream.close()


def test_without_a_stream_nothing_is_written() -> None:
    printer = Printer(None)
    assert printer.broken
    printer.line("one")
