"""Files and folders of this user: read only if nobody else can have put them there, and kept shut.

What stands open to others is closed when it is used. What belongs to somebody else, also by way of
a link that somebody else has laid, is not used; neither is what is no file at all, such as a pipe,
which would be waited for.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from .i18n import _

ROOT = 0
LONGEST = 4 * 1024 * 1024
"""No file of ours comes near it."""
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def read_own(path: Path, most: int = LONGEST) -> str:
    """Read a file that is this user's alone, and make it so if others may read it.

    Raises `OSError`, and `ValueError` for what is no UTF-8 or longer than `most` bytes.
    """
    _judge_owner(path, path.lstat())
    return _read(path, most, own=True)


def read_plain(path: Path, most: int = LONGEST) -> str:
    """Read a file that anybody may have written; raises as `read_own`."""
    return "" if str(path) == os.devnull else _read(path, most, own=False)


def is_file(path: Path) -> bool:
    """Say whether this is a file, not a folder, a pipe or a device; raises `OSError`."""
    return stat.S_ISREG(path.stat().st_mode)


def no_file(path: Path) -> OSError:
    """Give the error for what is no file."""
    return OSError(errno.EINVAL, _("it is no file"), str(path))


def own_folder(path: Path, *, shut: bool = True) -> None:
    """Make a folder that only this user can read, or close the one that is there.

    One that is not to be `shut`, since the player chose it, is only closed to what others would
    write into it. Raises `OSError` for one that is somebody else's.
    """
    path.mkdir(parents=True, exist_ok=True, mode=0o700)
    _judge_owner(path, path.lstat())
    there = path.stat()
    _judge_owner(path, there)
    mode = stat.S_IMODE(there.st_mode)
    if os.name != "posix" or (not shut and mode & stat.S_ISVTX):  # where each has files of his own
        return
    closed = mode & ~(_OTHERS if shut else stat.S_IWGRP | stat.S_IWOTH)
    if closed != mode:
        path.chmod(closed)


def _read(path: Path, most: int, *, own: bool) -> str:
    # A pipe without a writer would be waited for, if it were opened in the usual way.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    if not is_file(path):
        raise no_file(path)
    handle = os.open(path, flags | getattr(os, "O_BINARY", 0))
    with os.fdopen(handle, "rb") as file:
        there = os.fstat(handle)
        if not stat.S_ISREG(there.st_mode):
            raise no_file(path)
        if own:
            _judge_owner(path, there)
            if os.name == "posix" and there.st_mode & _OTHERS:
                os.chmod(path, 0o600)
        data = file.read(most + 1)
    if len(data) > most:
        raise ValueError(_("it is too long"))
    return data.decode("utf-8")


def _judge_owner(path: Path, there: os.stat_result) -> None:
    if os.name == "posix" and there.st_uid not in (os.geteuid(), ROOT):
        raise OSError(errno.EPERM, _("it belongs to another user"), str(path))
