"""Bad weather is no fraud: whatever happens to honest players of an honest server, no alarm."""

from __future__ import annotations

from pathlib import Path

import pytest

from perudo_client.findings import Checked
from perudo_client.keeping import Keeper
from perudo_client.verifying import examine
from perudo_protocol import messages as m
from tests.support.storm import Storm

STORMS = 40


@pytest.mark.parametrize("first", range(0, STORMS, 10))
def test_no_weather_raises_an_alarm(first: int, tmp_path: Path) -> None:
    found: set[type] = set()
    for seed in range(first, first + 10):
        storm = Storm(seed)
        storm.blow(80)
        for guest in storm.guests:
            assert not guest.faults(), (seed, guest.client.number)
            found.update(type(finding) for finding in guest.client.found())
            said = [step for step in guest.client.steps if isinstance(step, m.Entropy)]
            assert len({step.entropy for step in said}) == len(said), "each is opened once"
        _see_files(storm, tmp_path / str(seed))
    assert Checked in found


def _see_files(storm: Storm, folder: Path) -> None:
    """What the live check found right is right when it is read again."""
    for guest in storm.guests:
        if guest.client.faults():
            continue
        keeper = Keeper(folder, stamp=lambda: "game")
        keeper.take(guest.client.steps, "s")
        keeper.rest()
    for path in folder.glob("*.perudo"):
        problem = examine(path.read_bytes()).problem
        assert "This proves" not in problem, (path, problem)
        assert "Either your line" not in problem, (path, problem)
