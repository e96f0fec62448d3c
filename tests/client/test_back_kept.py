"""Seats that outlive the program that holds them, in files that nobody else can read."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from perudo_bot.identity import Identity
from perudo_client import kept, seat_words
from perudo_client.address import Address
from perudo_client.bot_seat import BotSeat
from perudo_client.kept import KeptSeat, KeptSeats
from perudo_protocol.returning import SIZE
from tests.support import sample_views
from tests.support.servers import environment

HERE = Address("192.168.1.20", 7654)
SEAT = KeptSeat(
    address="192.168.1.20:7654",
    person=7,
    key=bytes(range(SIZE)),
    asked="Ana",
    name="Ana 2",
    table=3,
    table_name="Friday",
)
posix_only = pytest.mark.skipif(os.name != "posix", reason="file modes of POSIX")


class Wall:
    """A wall clock in the test's hand."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "state" / "seats"


def left_by_somebody(folder: Path, seat: KeptSeat = SEAT, wall: Wall | None = None) -> None:
    """Keep a seat as a program does that has ended since."""
    seats = KeptSeats(folder, wall or Wall())
    seats.keep(seat)
    seats.let_go()


def test_a_seat_that_was_left_is_offered_and_is_the_same(folder: Path) -> None:
    left_by_somebody(folder)
    offered = KeptSeats(folder, Wall()).offered()
    assert offered is not None
    assert (offered.key, offered.person, offered.where) == (SEAT.key, 7, HERE)
    assert (offered.asked, offered.name) == ("Ana", "Ana 2")
    assert (offered.table, offered.table_name) == (3, "Friday")


def test_a_seat_that_a_program_holds_is_offered_to_nobody(folder: Path) -> None:
    holder, other = KeptSeats(folder, Wall()), KeptSeats(folder, Wall())
    holder.keep(SEAT)
    assert other.offered() is None
    assert holder.offered() is None  # its own is no seat to go back to
    holder.let_go()
    assert other.offered() is not None


def test_of_two_programs_only_one_takes_a_seat(folder: Path) -> None:
    left_by_somebody(folder)
    one, two = KeptSeats(folder, Wall()), KeptSeats(folder, Wall())
    seen, too = one.offered(), two.offered()
    assert seen is not None
    assert too is not None
    assert one.take(seen)
    assert not two.take(too)


def test_a_program_that_is_killed_leaves_its_seat(folder: Path, tmp_path: Path) -> None:
    """The system takes the lock from it, whatever happened."""
    script = (
        "import sys, pathlib\n"
        "from tests.client.test_back_kept import SEAT\n"
        "from perudo_client.kept import KeptSeats\n"
        "seats = KeptSeats(pathlib.Path(sys.argv[1]))\n"
        "seats.keep(SEAT)\n"
        "print('kept', flush=True)\n"
        "sys.stdin.read()\n"
    )
    root = str(Path(__file__).parents[2])
    paths = os.pathsep.join([root, os.environ.get("PYTHONPATH", "")])
    with subprocess.Popen(
        [sys.executable, "-c", script, str(folder)],
        env=environment(tmp_path, PYTHONPATH=paths),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"kept\n"
        assert KeptSeats(folder).offered() is None
        holder.send_signal(signal.SIGTERM if os.name == "nt" else signal.SIGKILL)
        holder.wait(20)
        assert KeptSeats(folder).offered() is not None


def test_a_seat_that_was_given_up_is_forgotten(folder: Path) -> None:
    seats = KeptSeats(folder, Wall())
    seats.keep(SEAT)
    seats.drop()
    assert list(folder.iterdir()) == []
    assert KeptSeats(folder, Wall()).offered() is None


def test_the_latest_seat_is_offered_first(folder: Path) -> None:
    wall = Wall()
    left_by_somebody(folder, SEAT, wall)
    wall.now += 60
    left_by_somebody(folder, SEAT._replace(table=9, table_name="Later"), wall)
    offered = KeptSeats(folder, wall).offered()
    assert offered is not None
    assert offered.table_name == "Later"


def test_the_only_seat_there_is_taken_under_whatever_name_was_not_chosen(folder: Path) -> None:
    wall = Wall()
    left_by_somebody(folder, SEAT, wall)
    seats = KeptSeats(folder, wall)

    def found(name: str, *, chosen: bool, where: Address = HERE) -> bool:
        return seats.waiting(where, name, chosen=chosen) is not None

    assert found("Ana", chosen=True)
    assert found("Ana 2", chosen=True)
    assert found("Bo", chosen=False)
    assert not found("Bo", chosen=True)
    assert not found("Bo", chosen=False, where=Address("192.168.1.21", 7654))
    left_by_somebody(folder, SEAT._replace(asked="Cem", name="Cem"), wall)
    assert not found("Bo", chosen=False)
    assert found("Cem", chosen=False)


def test_a_name_that_another_program_of_ours_has_is_known(folder: Path) -> None:
    holder, other = KeptSeats(folder, Wall()), KeptSeats(folder, Wall())
    assert not other.is_held(HERE, "Ana 2")
    holder.keep(SEAT)
    assert other.is_held(HERE, "Ana 2")
    assert not other.is_held(HERE, "Bo")
    assert not holder.is_held(HERE, "Ana 2")
    holder.let_go()
    assert not other.is_held(HERE, "Ana 2")


def test_who_begins_alone_in_lines_of_text_hears_of_the_seat(folder: Path) -> None:
    left_by_somebody(folder, wall=Wall())
    seat = KeptSeats(folder, Wall()).offered()
    assert seat is not None
    said = "Your seat at Friday, as Ana 2, waits: perudo-client --plain 192.168.1.20:7654 takes it."
    assert seat_words.elsewhere(seat) == said


def test_what_is_too_old_is_removed(folder: Path) -> None:
    wall = Wall()
    left_by_somebody(folder, SEAT, wall)
    wall.now += kept.LONGEST + 1
    assert KeptSeats(folder, wall).offered() is None
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("where", "asked", "fits"),
    [
        (HERE, "Ana", True),
        (Address("192.168.1.20", 7654, 3), "Ana", True),
        (Address("192.168.1.20", 7654, 4), "Ana", False),
        (Address("192.168.1.20", 7655), "Ana", False),
        (Address("192.168.1.21", 7654), "Ana", False),
        (HERE, "Bia", False),
    ],
)
def test_an_address_takes_its_own_seat_under_the_same_name(
    folder: Path, where: Address, asked: str, fits: bool
) -> None:
    left_by_somebody(folder)
    assert (KeptSeats(folder, Wall()).offered(where, asked) is not None) is fits


def test_people_are_not_offered_the_seats_of_bots(folder: Path) -> None:
    left_by_somebody(folder, SEAT._replace(bot=True))
    assert KeptSeats(folder, Wall()).offered() is None
    who = BotSeat(KeptSeats(folder, Wall()), HERE, "Ana").left()
    assert who is not None
    assert (who.key, who.person) == (SEAT.key, 7)


def test_a_bot_keeps_its_seat_and_drops_it(folder: Path) -> None:
    seats = KeptSeats(folder, Wall())
    bot = BotSeat(seats, HERE, "Bot")
    assert bot.left() is None
    who = Identity(SEAT.key, 8)
    bot.keep(who, sample_views.six(), "Bot 2")
    seats.let_go()
    offered = KeptSeats(folder, Wall()).offered(HERE, "Bot", bot=True)
    assert offered is not None
    assert (offered.name, offered.person, offered.bot) == ("Bot 2", 8, True)
    bot.keep(who, sample_views.six(), "Bot 2")
    bot.drop()
    assert len(list(folder.glob("*.seat"))) == 1  # the one that was let go


@posix_only
def test_nobody_else_can_read_it(folder: Path) -> None:
    folder.mkdir(parents=True)
    folder.chmod(0o755)
    left_by_somebody(folder)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {file.stat().st_mode & 0o777 for file in folder.iterdir()} == {0o600}


def test_the_key_is_in_no_text_of_it(folder: Path) -> None:
    assert SEAT.key.hex() not in repr(SEAT)
    assert repr(SEAT.key) not in repr(SEAT)


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        b'{"address": "here:1"}',
        {"key": "00"},
        {"key": 7},
        {"person": 0},
        {"person": True},
        {"table": "3"},
        {"address": "no port:x"},
        {"time": "soon"},
        {"name": 4},
    ],
)
def test_what_cannot_be_read_is_removed(folder: Path, damage: bytes | dict[str, object]) -> None:
    left_by_somebody(folder)
    (file,) = folder.glob("*.seat")
    if isinstance(damage, bytes):
        file.write_bytes(damage)
    else:
        file.write_text(json.dumps({**json.loads(file.read_text()), **damage}))
    assert KeptSeats(folder, Wall()).offered() is None
    assert not file.exists()


def test_names_from_a_file_are_fit_to_be_shown(folder: Path) -> None:
    left_by_somebody(folder, SEAT._replace(table_name="\x1b[2JFriday"))
    offered = KeptSeats(folder, Wall()).offered()
    assert offered is not None
    assert "\x1b" not in offered.table_name


def test_where_nothing_can_be_written_the_game_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "a file"
    file.write_text("")
    seats = KeptSeats(file / "seats", Wall())
    seats.keep(SEAT)
    assert seats.offered() is None
    seats.drop()


def test_without_a_folder_nothing_is_kept() -> None:
    seats = KeptSeats(None)
    seats.keep(SEAT)
    seats.let_go()
    assert seats.offered() is None
    assert not seats.take(SEAT)
