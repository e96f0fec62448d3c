"""The smallest run of every case, so that none can rot. Nothing here is judged by the time it took.

What a case needs and this machine has not is said in a sentence; whatever else goes wrong, fails.
"""

from __future__ import annotations

import math

import pytest

from bench.cases import CASES
from bench.rows import Case, Missing, Row, Size


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_smallest_run_of_a_case_brings_figures(case: Case) -> None:
    rows, missing = _rows(case)
    assert rows or " " in missing
    for row in rows:
        _see_that_it_can_be_believed(case, row)


def _rows(case: Case) -> tuple[list[Row], str]:
    """Give the rows, or say what this machine has not."""
    try:
        return list(case.run(Size.SMALLEST)), ""
    except Missing as wrong:
        return [], str(wrong)


def _see_that_it_can_be_believed(case: Case, row: Row) -> None:
    assert row.case == case.name
    assert row.what
    assert row.unit
    assert row.ours
    assert len(row.floor) in (0, len(row.ours))
    for figure in (*row.floor, *row.ours):
        assert math.isfinite(figure)
        assert figure > 0, row.what
    if row.goal is not None:
        assert row.goal.limit > 0
        assert row.floor or row.goal.alone


def test_no_two_cases_have_a_name() -> None:
    names = [case.name for case in CASES]
    assert len(set(names)) == len(names)
    assert all(name.isidentifier() for name in names)


def test_a_quick_run_of_all_cases_takes_two_minutes() -> None:
    """As each says of itself; the run tells what it took."""
    assert sum(case.seconds for case in CASES) <= 120
