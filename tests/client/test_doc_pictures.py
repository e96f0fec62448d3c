"""The pictures of the documents can be made anew."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.support.servers import environment

DOCS = Path(__file__).parents[2] / "docs"


def pictures(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the program that makes them."""
    return subprocess.run(
        [sys.executable, str(DOCS / "pictures.py"), "--into", str(home), *arguments],
        env=environment(home),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


def test_pictures_are_made_where_one_wants_them(tmp_path: Path) -> None:
    made = pictures(tmp_path, "table-small", "reveal")
    assert (made.returncode, made.stdout) == (0, "table-small.svg\nreveal.svg\n"), made.stderr
    for name in ("table-small", "reveal"):
        drawn = (tmp_path / f"{name}.svg").read_text(encoding="utf-8")
        assert "Bia" in drawn
        assert "✓" in drawn, "we have seen all of the game, with our own share in its dice"
        assert "@font-face" not in drawn


def test_a_picture_that_is_not_there_is_named(tmp_path: Path) -> None:
    refused = pictures(tmp_path, "moon")
    assert refused.returncode != 0
    assert "no such picture: moon" in refused.stderr
