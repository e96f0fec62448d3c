"""The seats that this computer's user holds on servers, kept for the case that the program ends.

One file a seat, in a folder of which nobody else can read anything: where, who, and the key by
which a new program can come back as the old one. A program that holds a seat also holds the lock
beside its file, which the system takes from it however it ends; so a seat whose lock is free is
one that nobody holds any more, and is offered.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import platformdirs

from perudo_protocol.text import clean

from .address import Address, AddressError, parse, place
from .own_files import own_folder, read_own

if TYPE_CHECKING:
    from perudo_protocol.messages import Welcome
    from perudo_protocol.views import TableView

LONGEST = 24 * 3600.0
"""So many seconds a seat is offered; no game lasts so long."""
MOST_SEATS = 50
"""So many files are read; nobody holds more."""
MOST_BYTES = 4096
FILE, LOCK = ".seat", ".lock"


class KeptSeat(NamedTuple):
    """A seat on a server, and what it takes to come back to it."""

    address: str
    """As it was asked for, without a table."""
    person: int
    key: bytes
    asked: str
    """The name that was wished for."""
    name: str
    """The name that the server gave."""
    table: int
    table_name: str
    bot: bool = False
    time: float = 0.0
    """When it was written, in seconds of the wall clock."""
    file: str = ""
    """The name of its file, without an ending."""

    def __repr__(self) -> str:
        """Say where, never the key, so that no log can tell it."""
        return f"KeptSeat({self.address}, table={self.table}, person={self.person})"

    @property
    def where(self) -> Address:
        """The server's address."""
        return parse(self.address)


def kept_seat(
    where: Address, key: bytes, welcome: Welcome, view: TableView, *, asked: str
) -> KeptSeat:
    """Give our seat at a table as it is to be kept; `asked` is the name that was wished for."""
    return KeptSeat(
        address=str(where._replace(table=0)),
        person=welcome.person,
        key=key,
        asked=asked,
        name=welcome.you,
        table=view.table,
        table_name=view.name,
    )


def default_folder() -> Path:
    """Give the place of the files for this user."""
    return platformdirs.user_data_path("perudo", appauthor=False) / "seats"


class KeptSeats:
    """What one program keeps: one seat of its own at most, and those that are left to be taken."""

    def __init__(self, folder: Path | None, clock: Callable[[], float] = time.time) -> None:
        """Keep seats in this folder; without one nothing is kept and nothing offered."""
        self._folder = folder
        self._clock = clock
        self._mine = ""
        self._lock: int | None = None
        self._written: KeptSeat | None = None

    # Seats that nobody holds ------------------------------------------------------------------

    def offered(
        self, where: Address | None = None, asked: str = "", *, bot: bool = False
    ) -> KeptSeat | None:
        """Give the latest seat that is left: of any server, or of this one under this wished name.

        Removes what is too old to be waited for, and what cannot be read.
        """
        seats = [seat for seat in self._all() if seat.bot is bot and _fits(seat, where, asked)]
        return max(seats, key=lambda seat: seat.time, default=None)

    def waiting(self, where: Address, name: str, *, chosen: bool) -> KeptSeat | None:
        """Give the seat that somebody of this name goes back to at this server.

        A name that was not `chosen` for this very time gives way to that of the only seat there.
        """
        seat = self.offered(where, name)
        if seat is None and not chosen:
            seat = self.other(where)
        return seat

    def other(self, where: Address) -> KeptSeat | None:
        """Give the only seat that is left at this server, under whatever name."""
        there = [seat for seat in self._all() if not seat.bot and _is_there(seat, where)]
        return there[0] if len(there) == 1 else None

    def is_held(self, where: Address, name: str) -> bool:
        """Say whether another program of ours holds a seat of this name at this server."""
        if self._folder is None:
            return False
        for file in sorted(self._folder.glob("*" + FILE))[:MOST_SEATS]:
            lock = _locked(self._folder / (file.stem + LOCK))
            if lock is not None:
                os.close(lock)
            elif file.stem != self._mine and (seat := _read(file)) is not None:
                if _is_there(seat, where._replace(table=0)) and name == seat.name:
                    return True
        return False

    def take(self, seat: KeptSeat) -> bool:
        """Hold this seat from now on; no if another program has been quicker."""
        self.let_go()
        return self._hold(seat.file)

    # Our own ------------------------------------------------------------------------------------

    def keep(self, seat: KeptSeat) -> None:
        """Write down our seat, whole or not at all; where that cannot be, nothing is kept."""
        if self._folder is None or seat._replace(file="", time=0.0) == self._written:
            return
        with suppress(OSError):
            self._prepare(self._folder)
            if not self._mine:
                self._hold(os.urandom(8).hex())
            if self._mine:
                self._write(self._folder / (self._mine + FILE), seat)
                self._written = seat._replace(file="", time=0.0)

    def drop(self) -> None:
        """We have no seat any more, by our own will or the server's: forget it."""
        if self._folder is not None and self._mine:
            _remove(self._folder / (self._mine + FILE))
        self.let_go(remove=True)

    def let_go(self, *, remove: bool = False) -> None:
        """Hold our seat no longer, but leave it to be taken."""
        if self._lock is not None and self._folder is not None:
            if remove:
                _remove(self._folder / (self._mine + LOCK))
            os.close(self._lock)
        self._mine, self._lock, self._written = "", None, None

    # Files ----------------------------------------------------------------------------------------

    def _all(self) -> list[KeptSeat]:
        if self._folder is None:
            return []
        try:
            if self._folder.is_dir():
                own_folder(self._folder)
            files = sorted(self._folder.glob("*" + FILE))[:MOST_SEATS]
        except OSError:
            return []
        return [seat for file in files if (seat := self._free(file)) is not None]

    def _free(self, file: Path) -> KeptSeat | None:
        """Read a seat that nobody holds; remove it when it is of no use any more."""
        if file.stem == self._mine or self._folder is None:
            return None
        lock = _locked(self._folder / (file.stem + LOCK))
        if lock is None:
            return None
        try:
            seat = _read(file)
            if seat is None or not 0 <= self._clock() - seat.time <= LONGEST:
                _remove(file)
                _remove(self._folder / (file.stem + LOCK))
                return None
            return seat
        finally:
            os.close(lock)

    def _hold(self, file: str) -> bool:
        if self._folder is None:
            return False
        self._lock = _locked(self._folder / (file + LOCK))
        self._mine = file if self._lock is not None else ""
        return self._lock is not None

    def _prepare(self, folder: Path) -> None:
        own_folder(folder)

    def _write(self, file: Path, seat: KeptSeat) -> None:
        import json

        values = seat._replace(time=self._clock())._asdict()
        del values["file"]
        values["key"] = seat.key.hex()
        handle, name = tempfile.mkstemp(dir=file.parent, prefix=file.name, suffix=".new")  # 0600
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as out:
                json.dump(values, out)
                out.flush()
                os.fsync(out.fileno())
            Path(name).replace(file)
        except BaseException:
            _remove(Path(name))
            raise


def _fits(seat: KeptSeat, where: Address | None, asked: str) -> bool:
    return where is None or (_is_there(seat, where) and asked in (seat.asked, seat.name))


def _is_there(seat: KeptSeat, where: Address) -> bool:
    return place(seat.where) == place(where) and where.table in (0, seat.table)


def _read(file: Path) -> KeptSeat | None:
    import json  # the start screen asks for seats, and mostly there are none

    from perudo_protocol.returning import SIZE

    try:
        values: Any = json.loads(read_own(file, MOST_BYTES))
        seat = KeptSeat(
            address=str(parse(values["address"])),
            person=_number(values["person"]),
            key=bytes.fromhex(values["key"]),
            asked=clean(values["asked"]),
            name=clean(values["name"]),
            table=_number(values["table"]),
            table_name=clean(values["table_name"]),
            bot=values["bot"] is True,
            time=float(values["time"]),
            file=file.stem,
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError, AddressError):
        return None
    return seat if len(seat.key) == SIZE and seat.person > 0 else None


def _number(value: object) -> int:
    if type(value) is not int or not 0 <= value <= 2**53:
        raise ValueError("no number")
    return value


def _remove(file: Path) -> None:
    with suppress(OSError):  # another program was quicker, or holds it open
        file.unlink()


def _locked(file: Path) -> int | None:
    """Open a file and lock it; `None` when another program has it, or it cannot be opened."""
    try:
        handle = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:
        return None
    try:
        _lock(handle)
    except OSError:
        os.close(handle)
        return None
    return handle


if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
