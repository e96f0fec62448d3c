"""The folder where the server keeps what must outlast it, closed to the machine's other users."""

from __future__ import annotations

import os
import stat
from pathlib import Path


class BadFile(Exception):
    """A file or folder that cannot be used; the text says why, and what to do."""


def data_folder(given: str, *, make: bool = True) -> Path:
    """Give the folder of this name, or this user's own place for it; it is made if need be.

    With `make` false one that is not there is not made either. Raises `BadFile` when it cannot be
    had, or when others may write into it.
    """
    path = Path(os.path.expanduser(given)) if given else _own_place()
    try:
        if not make and not path.exists():
            raise BadFile(
                f"there is no folder {str(path)!r}; name the one of the server with --data"
            )
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        if is_open(path, to=stat.S_IWOTH):
            raise BadFile(
                f"{str(path)!r} is open to every user of this machine, who may have put files"
                " there; give a folder of your own with --data"
            )
        close(path, 0o700)
    except FileExistsError:
        raise BadFile(f"{str(path)!r} is no folder; give one with --data") from None
    except OSError as bad:
        raise BadFile(
            f"the folder {str(path)!r} cannot be had ({bad.strerror}); give another with --data"
        ) from None
    return path


def is_no_file(path: Path) -> bool:
    """Say whether there is something that is no file: a pipe would be waited for; raises `OSError`.

    A folder is left to be found out by whoever reads it.
    """
    return path.exists() and not path.is_file() and not path.is_dir()


def is_open(path: Path, to: int = stat.S_IRWXG | stat.S_IRWXO) -> bool:
    """Say whether others than the owner may do this; never on systems without such modes."""
    return os.name == "posix" and bool(path.stat().st_mode & to)


def close(path: Path, mode: int) -> None:
    """Close a file or folder to others, if it is open to them."""
    if is_open(path):
        path.chmod(mode)


def _own_place() -> Path:
    from platformdirs import user_data_path

    return user_data_path("perudo-server", appauthor=False)
