"""The kill test, short: `python -m tests.soak.kill` is the long one."""

from __future__ import annotations

from pathlib import Path

import pytest

from .kill import kill_test


@pytest.mark.timeout(240)
async def test_ten_kills_lose_nothing_and_do_nothing_twice(tmp_path: Path) -> None:
    options: dict[str, bool | int | str] = {"start_dice": 1}
    quick = {"pace": 0.1, "calm": 0.1, "back_within": 10.0}  # other tests run beside it
    test = await kill_test(tmp_path, kills=10, seed=1, options=options, **quick)
    assert not test.evidence, "\n".join([*test.evidence, test.report(), test.server.last_lines()])
    assert len(test.chronicle.games) >= 1
    assert len(test.resumes) >= 30
