"""The log: one line an event, that nothing in a value can forge or leave."""

from __future__ import annotations

import json
import logging
import os
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from perudo_server import log as logs
from perudo_server.log import event, failure, set_up

HOSTILE = 'x\nfake\r\x1b[2J\x9b31m\u2028\u202e\x7f\ud800 "quoted" \\ = é'


@pytest.fixture(autouse=True)
def _own_root() -> Iterator[None]:
    root = logging.getLogger()
    before = root.handlers[:], root.level
    yield
    root.handlers[:] = before[0]
    root.setLevel(before[1])


def lines(
    tmp_path: Path, form: str, say: Callable[[logging.Logger], None], level: str = "info"
) -> list[str]:
    """Give what is logged by `say`."""
    with (tmp_path / "log").open("wb") as file:
        writer = set_up(level, form, file.fileno())
        say(logging.getLogger("perudo.test"))
        writer.close()
    return (tmp_path / "log").read_bytes().decode("ascii").splitlines()


def test_a_text_line(tmp_path: Path) -> None:
    [line] = lines(tmp_path, "text", lambda log: event(log, "joined", table=3, person=7, bot=False))
    assert re.fullmatch(
        r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d info joined"
        r" table=3 person=7 bot=false",
        line,
    )


def test_a_json_line(tmp_path: Path) -> None:
    [line] = lines(tmp_path, "json", lambda log: event(log, "joined", table=3, person=None))
    parts = json.loads(line)
    assert list(parts) == ["time", "level", "event", "table", "person"]
    assert {**parts, "time": ""} == {
        "time": "",
        "level": "info",
        "event": "joined",
        "table": 3,
        "person": None,
    }


def writing_threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "log"]


@pytest.mark.parametrize("form", ["text", "json"])
def test_no_value_can_forge_a_line_or_move_the_cursor(tmp_path: Path, form: str) -> None:
    [line] = lines(tmp_path, form, lambda log: event(log, "said", what=HOSTILE))
    assert line.isascii()
    assert line.isprintable()
    quoted = json.loads(line)["what"] if form == "json" else json.loads(line.partition("=")[2])
    assert quoted == HOSTILE


def test_a_long_value_is_cut(tmp_path: Path) -> None:
    [line] = lines(tmp_path, "text", lambda log: event(log, "said", what="x" * 10_000))
    assert len(line) < 300


def test_the_level_decides(tmp_path: Path) -> None:
    def say(log: logging.Logger) -> None:
        event(log, "small", logging.DEBUG)
        event(log, "great", logging.WARNING)

    assert [line.split()[1:] for line in lines(tmp_path, "text", say, "warning")] == [
        ["warning", "great"]
    ]
    assert len(lines(tmp_path, "text", say, "debug")) == 2


def test_an_error_shows_its_kind_and_place_but_not_its_text(tmp_path: Path) -> None:
    def say(log: logging.Logger) -> None:
        try:
            raise ValueError("the dice are 1 2 3")
        except ValueError as error:
            failure(log, error, session=4)
        failure(log, None)

    for level in ("info", "debug"):
        known, unknown = lines(tmp_path, "text", say, level)
        assert "error failure session=4 kind=ValueError at=test_log.py:" in known
        assert "dice" not in known
        assert ("way=" in known) == (level == "debug")
        assert "kind=none" in unknown


def test_of_others_records_only_the_template_is_kept(tmp_path: Path) -> None:
    def say(_: logging.Logger) -> None:
        logging.getLogger("asyncio").warning("took %s", HOSTILE)

    [line] = lines(tmp_path, "text", say)
    assert line.endswith('warning note by=asyncio text="took %s"')


def test_a_reader_that_stands_still_holds_nobody_up() -> None:
    """A full pipe fills the queue and then loses lines; logging returns all the same."""
    reading, writing = os.pipe()
    writer = set_up("info", "text", writing)
    log = logging.getLogger("perudo.test")

    def flood() -> None:
        for number in range(logs.WAITING + 5_000):
            event(log, "flood", number=number, filler="x" * 150)

    flooding = threading.Thread(target=flood, daemon=True)
    flooding.start()
    flooding.join(20)
    stuck = flooding.is_alive()
    os.close(reading)  # sets the writer free
    writer.close(wait=20)
    os.close(writing)
    assert not stuck
    assert not writing_threads()


def test_a_closed_reader_is_no_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    writer = set_up("info", "text", writing)
    for _ in range(3):
        event(logging.getLogger("perudo.test"), "lost")
    writer.close()
    os.close(writing)
    assert not writing_threads()


def test_a_value_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    class Stubborn:
        def __str__(self) -> str:
            raise RuntimeError

    def say(log: logging.Logger) -> None:
        event(log, "odd", what=Stubborn())  # type: ignore[arg-type]
        event(log, "after")

    assert [line.split()[2] for line in lines(tmp_path, "text", say)] == ["after"]
