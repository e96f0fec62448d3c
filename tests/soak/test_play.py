"""The soak, short: `python -m tests.soak.play` is the long one."""

from __future__ import annotations

from pathlib import Path

import pytest

from .play import soak


@pytest.mark.timeout(120)
async def test_all_is_given_back_when_everybody_has_gone(tmp_path: Path) -> None:
    run = await soak(tmp_path, tables=2, seconds=8.0, seed=1)
    assert not run.figures.evidence, run.report()
    assert run.base is not None
    assert run.after is not None
    assert run.after.files == run.base.files
    assert max(each.files for each in run.samples) > run.base.files
    assert run.figures.counts["reset"] + run.figures.counts["lid"] > 0
    assert sum(guest.counts["done"] for crew in run.crews for guest in crew.guests) > 10
