"""A pipe or a device where the server wants a file: one sentence and a code, and nothing waits."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.private_house import files

BOUND = 30.0


def pipe(path: Path) -> None:
    os.mkfifo(path)


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def own_certificate(folder: Path, make: Callable[[Path], None]) -> list[str]:
    make(folder / "tls.pem")
    return ["--tls"]


def given_certificate(folder: Path, make: Callable[[Path], None]) -> list[str]:
    make(folder / "given.pem")
    return ["--tls-cert", str(folder / "given.pem"), "--tls-key", str(folder / "given.pem")]


def given_key(folder: Path, make: Callable[[Path], None]) -> list[str]:
    certificate, _key = files(folder)
    make(folder / "given.pem")
    return ["--tls-cert", str(certificate), "--tls-key", str(folder / "given.pem")]


def settings(folder: Path, make: Callable[[Path], None]) -> list[str]:
    make(folder / "server.toml")
    return ["--config", str(folder / "server.toml")]


def journal(folder: Path, make: Callable[[Path], None]) -> list[str]:
    make(folder / "journal.db")
    return []


def log_of_a_journal(folder: Path, make: Callable[[Path], None]) -> list[str]:
    (folder / "journal.db").touch()
    make(folder / "journal.db-wal")
    return []


def started(folder: Path, flags: list[str]) -> subprocess.CompletedProcess[str]:
    folder.chmod(0o700)
    asked = [sys.executable, "-m", "perudo_server", "--port=0", "--host=127.0.0.1"]
    asked += [f"--data={folder}", *flags]
    return subprocess.run(
        asked, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=BOUND, check=False
    )


@pytest.mark.parametrize("make", [pipe, device])
@pytest.mark.parametrize(
    "what", [own_certificate, given_certificate, given_key, settings, journal, log_of_a_journal]
)
def test_it_says_so_and_ends(
    tmp_path: Path,
    what: Callable[[Path, Callable[[Path], None]], list[str]],
    make: Callable[[Path], None],
) -> None:
    done = started(tmp_path, what(tmp_path, make))
    assert done.returncode == (74 if what is log_of_a_journal else 78), done.stderr
    (line,) = done.stderr.splitlines()
    assert "is no file" in line


@pytest.mark.parametrize("make", [pipe, device])
def test_nothing_without_end_is_recovered(tmp_path: Path, make: Callable[[Path], None]) -> None:
    log_of_a_journal(tmp_path, make)
    done = started(tmp_path, ["--recover"])
    assert done.returncode == 78, done.stderr
    (line,) = done.stderr.splitlines()
    assert "journal.db-wal is no file" in line
