"""What a server of any version wrote down is gone on with; see `tests/support/old_journals.py`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from perudo_server.entries import AnyEntry, decode
from perudo_server.past import Past
from perudo_server.restoring import restore
from tests.support import old_journals
from tests.support.arbitrary import kinds
from tests.support.house import HouseOfTests

MOVES_ON = {"away", "turn", "resume", "paused", "rev"}
"""What a restart may move: the clocks run from where they were, and everybody is away at first."""


def at_rest(value: Any) -> Any:
    """Leave out of a picture what a restart may move."""
    if isinstance(value, dict):
        return {name: at_rest(part) for name, part in value.items() if name not in MOVES_ON}
    return [at_rest(part) for part in value] if isinstance(value, list) else value


@pytest.mark.parametrize("path", old_journals.every(), ids=lambda path: path.stem)
def test_a_journal_of_any_version_is_gone_on_with(path: Path) -> None:
    entries, seen = old_journals.read(path)
    house = HouseOfTests()
    assert restore(house.lobby, Past().take(entries)) == 3
    assert at_rest(old_journals.pictures(house.lobby)) == at_rest(seen)
    house.clock.advance(3600)  # nobody comes back, and nothing is left behind
    assert house.lobby.tables == ()


def test_what_is_written_today_stands_among_them() -> None:
    today = old_journals.written(old_journals.evening())
    assert today in [path.read_text(encoding="utf-8") for path in old_journals.every()]


def test_every_kind_of_entry_is_in_one_of_them() -> None:
    def words() -> Iterator[str]:
        for path in old_journals.every():
            entries, _seen = old_journals.read(path)
            yield from (type(decode(entry.body)).__name__ for entry in entries)

    # Entropy takes part in no such evening, and no table closes in it; other tests have those.
    assert {kind.__name__ for kind in kinds(AnyEntry)} - set(words()) <= {
        *("Promised", "Shared", "Closed", "Gone", "Over"),
    }
