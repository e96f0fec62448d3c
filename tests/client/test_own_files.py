"""What stands in this user's files: closed to others, never somebody else's, never a pipe."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from perudo_client import config, kept, own_files
from perudo_client.address import Address
from perudo_client.kept_words import KeptWords
from perudo_client.own_files import own_folder, read_own, read_plain
from perudo_client.trust import CannotRead, KnownServers
from perudo_client.verifying import UNREADABLE, verify
from perudo_protocol.pins import pin_of

PLACE = Address("ana.local")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def pipe(path: Path) -> None:
    os.mkfifo(path)


def folder(path: Path) -> None:
    path.mkdir()


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def endless(path: Path) -> None:
    path.symlink_to("/dev/tty")


NO_FILES = pytest.mark.parametrize("make", [pipe, folder, device, endless])


@NO_FILES
def test_what_is_no_file_is_not_waited_for(tmp_path: Path, make: Callable[[Path], None]) -> None:
    path = tmp_path / "it"
    make(path)
    for read in (read_own, read_plain):
        with pytest.raises(OSError, match="it is no file"):
            read(path)
    with pytest.raises(CannotRead, match="it is no file"):
        KnownServers(path).vouched(PLACE)
    assert KeptWords(path).recall(PLACE) == ""
    settings, notice = config.load(path)
    assert settings == config.Settings()
    assert "it is no file" in notice
    seat = tmp_path / f"x{kept.FILE}"
    make(seat)
    assert kept.KeptSeats(tmp_path).offered() is None
    told: list[str] = []
    assert verify([path], told.append) == UNREADABLE
    assert told == [f"{path}: cannot be read: it is no file"]


def test_the_devices_that_stand_for_no_settings_are_none() -> None:
    assert config.load(Path(os.devnull)) == (config.Settings(), "")


def test_what_stands_open_is_closed_when_it_is_read(tmp_path: Path) -> None:
    known = tmp_path / "known_servers"
    known.write_text(f"ana.local:7654 {pin_of(bytes(32))}\n")
    known.chmod(0o666)
    assert KnownServers(known).vouched(PLACE).digest == bytes(32)
    assert mode(known) == 0o600


def test_the_folder_of_seats_is_closed_before_one_is_offered(tmp_path: Path) -> None:
    folder = tmp_path / "seats"
    folder.mkdir()
    folder.chmod(0o777)
    assert kept.KeptSeats(folder).offered() is None
    assert mode(folder) == 0o700


def test_what_another_user_has_put_there_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = tmp_path / "known_servers"
    KnownServers(known).remember(PLACE, bytes(32))
    words = KeptWords(tmp_path / "words")
    words.keep(PLACE, "blue fox rain")
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    monkeypatch.setattr(own_files, "ROOT", -1)
    with pytest.raises(CannotRead, match="another user"):
        KnownServers(known).vouched(PLACE)
    assert words.recall(PLACE) == ""
    with pytest.raises(OSError, match="another user"):
        own_folder(tmp_path)


def test_a_link_of_another_user_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the link is somebody else's, the file is ours: it is not what we would have read."""
    path, link = tmp_path / "file", tmp_path / "link"
    path.write_text("ours")
    link.symlink_to(path)
    assert read_own(link) == "ours"
    real = Path.lstat

    def lstat(self: Path) -> os.stat_result:
        found = real(self)
        return os.stat_result((*found[:4], found.st_uid + 7, *found[5:]))

    monkeypatch.setattr(Path, "lstat", lstat)
    with pytest.raises(OSError, match="another user"):
        read_own(link)
    link.unlink()
    link.symlink_to(tmp_path)
    with pytest.raises(OSError, match="another user"):
        own_folder(link)


def test_what_is_too_long_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * 11)
    assert read_own(path, 11)
    with pytest.raises(ValueError, match="too long"):
        read_own(path, 10)


@pytest.mark.parametrize(
    ("before", "shut", "after"),
    [
        (0o777, True, 0o700),
        (0o755, True, 0o700),
        (0o700, True, 0o700),
        (0o777, False, 0o755),
        (0o775, False, 0o755),
        (0o750, False, 0o750),
        (0o1777, False, 0o1777),
    ],
)
def test_a_folder_that_stands_open_is_closed(
    tmp_path: Path, before: int, shut: bool, after: int
) -> None:
    path = tmp_path / "folder"
    path.mkdir()
    path.chmod(before)
    own_folder(path, shut=shut)
    assert mode(path) == after


def test_verify_ends_with_a_code_where_there_is_no_file(tmp_path: Path) -> None:
    pipe(tmp_path / "p")
    asked = [sys.executable, "-m", "perudo_client", "--verify", str(tmp_path / "p"), "/dev/zero"]
    done = subprocess.run(asked, capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == UNREADABLE == 66
    assert done.stdout.count("it is no file") == 2
    assert not done.stderr
