"""Golden playthroughs: whole games as text, played again act by act, compared word for word."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.playthrough import tell

FILES = sorted((Path(__file__).parent / "playthroughs").glob("*.txt"))


def test_all_are_here() -> None:
    """The three games are there: a folder that is not found would test nothing."""
    assert [path.stem for path in FILES] == ["a_leaver", "six_players", "two_players"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_playthrough(path: Path) -> None:
    """Every event, refusal and state is as it was written down and read."""
    text = path.read_text(encoding="utf-8")
    assert tell(text).splitlines() == text.splitlines()
    assert "\n  = over: " in text
