"""What is kept, with which slack, and how it is told."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench import running as command
from bench.machine import machine
from bench.report import as_json, figure, spread, table
from bench.rows import Case, Goal, Missing, Row, Size, pairs


def row(
    floor: tuple[float, ...] = (10.0,),
    ours: tuple[float, ...] = (11.0,),
    goal: Goal | None = None,
    note: str = "",
) -> Row:
    return Row("acts", "an act", "µs", floor, ours, goal, note)


# Rows ---------------------------------------------------------------------------------------------


def test_ratios_go_pair_by_pair_and_their_median_is_judged() -> None:
    measured = row((10.0, 20.0, 40.0), (20.0, 30.0, 400.0), Goal(2.0))
    assert measured.ratios == (2.0, 1.5, 10.0)
    assert measured.judged == 2.0
    assert measured.kept(Size.FULL)


@pytest.mark.parametrize(
    ("goal", "ours", "full", "quick"),
    [
        (Goal(1.25), 12.5, True, True),
        (Goal(1.25), 12.6, False, True),
        (Goal(1.25), 15.6, False, True),
        (Goal(1.25), 15.7, False, False),
        (Goal(0.8, at_least=True), 8.0, True, True),
        (Goal(0.8, at_least=True), 7.9, False, True),
        (Goal(0.8, at_least=True), 6.3, False, False),
        (Goal(400, alone=True), 400.0, True, True),
        (Goal(400, alone=True), 401.0, False, True),
        (Goal(400, alone=True), 501.0, False, False),
    ],
)
def test_a_goal_has_slack_in_a_quick_run_alone(
    goal: Goal, ours: float, full: bool, quick: bool
) -> None:
    measured = row((10.0,), (ours,), goal)
    assert (measured.kept(Size.FULL), measured.kept(Size.QUICK)) == (full, quick)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("goal", [Goal(2.0), Goal(2.0, at_least=True)])
def test_what_is_no_number_keeps_no_goal(value: float, goal: Goal) -> None:
    assert not goal.kept(value)


def test_a_floor_of_nothing_keeps_no_goal() -> None:
    assert not row((0.0,), (1.0,), Goal(2.0)).kept(Size.FULL)


def test_a_row_without_a_goal_informs_only() -> None:
    assert row((1.0,), (1000.0,)).kept(Size.FULL)


def test_pairs_change_the_order_and_stay_together() -> None:
    called: list[str] = []

    def measure(which: str) -> float:
        called.append(which)
        return float(len(called))

    found = pairs(3, lambda: measure("floor"), lambda: measure("ours"))
    assert called == ["floor", "ours", "ours", "floor", "floor", "ours"]
    assert found == ((1.0, 4.0, 5.0), (2.0, 3.0, 6.0))


# The table ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (12345.6, "12,346"),
        (123.4, "123"),
        (12.34, "12.3"),
        (1.234, "1.23"),
        (0.1234, "0.123"),
        (0.00012, "1.2e-04"),
        (0.0, "0.000"),
        (math.inf, "–"),
        (math.nan, "–"),
    ],
)
def test_figures_have_three_digits_that_count(value: float, text: str) -> None:
    assert figure(value) == text


def test_a_spread_says_median_least_and_most() -> None:
    assert spread((3.0, 1.0, 2.0)) == "2.00 (1.00–3.00)"
    assert spread((3.0,)) == "3.00"
    assert spread(()) == ""


def test_the_table_tells_what_is_kept_and_what_is_not() -> None:
    rows = [row(goal=Goal(1.25), note="a driver"), row(goal=Goal(1.0)), row(goal=None)]
    lines = table(rows, Size.FULL).splitlines()
    assert [line.split("|")[-3:-1] for line in lines[2:5]] == [
        [" ≤ 1.25 ", " kept     "],
        [" ≤ 1.00 ", " NOT KEPT "],
        ["        ", "          "],
    ]
    assert len({len(line) for line in lines[:5]}) == 1
    assert lines[5:] == ["", "- an act: a driver"]


def test_a_verdict_says_when_single_pairs_say_otherwise() -> None:
    bare, goal = (10.0,) * 3, Goal(1.25)
    assert row(bare, (11.0, 11.0, 13.0), goal).verdict(Size.FULL) == "kept, not by all"
    assert row(bare, (11.0, 13.0, 13.0), goal).verdict(Size.FULL) == "NOT KEPT, not by all"
    assert row(bare, (13.0, 13.0, 13.0), goal).verdict(Size.FULL) == "NOT KEPT"
    alone = Goal(400, alone=True)
    assert row(bare, (390.0, 380.0, 401.0), alone).verdict(Size.FULL) == "kept, not by all"
    assert row(bare, (390.0, 380.0, 401.0)).verdict(Size.FULL) == ""


def test_the_table_of_a_quick_run_shows_goals_with_their_slack() -> None:
    rows = [row(goal=Goal(1.2)), row(goal=Goal(0.8, at_least=True))]
    shown = [line.split("|")[5].strip() for line in table(rows, Size.QUICK).splitlines()[2:]]
    assert shown == ["≤ 1.50", "≥ 0.640"]


def test_programs_get_all_figures() -> None:
    rows = [row((1.0, 2.0), (2.0, 2.0), Goal(1.5)), row((), (5.0,), None)]
    told = json.loads(as_json(rows, Size.FULL, {"python": "3"}))
    assert told["machine"] == {"python": "3"}
    assert told["size"] == "full"
    first, second = told["rows"]
    assert first["ratios"] == [2.0, 1.0]
    assert (first["kept"], first["goal"]["limit"]) == (True, 1.5)
    assert (second["floor"], second["ratios"], second["goal"]) == ([], [], None)


def test_the_machine_is_named() -> None:
    about = machine()
    assert {"date", "system", "processor", "python", "sqlite", "msgspec"} <= set(about)
    assert all(about.values())


# The command --------------------------------------------------------------------------------------


def run(monkeypatch: pytest.MonkeyPatch, rows: list[Row], *asked: str) -> int:
    """Run the command with cases of a test."""

    def acts(size: Size) -> Iterator[Row]:
        yield from rows

    def away(size: Size) -> Iterator[Row]:
        raise Missing("there is no such game here; install it with pip")
        yield

    monkeypatch.setattr(command, "CASES", (Case("acts", acts), Case("away", away)))
    monkeypatch.setattr("sys.argv", ["bench", *asked])
    return command.main()


def test_all_goals_kept_is_success(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, [row(goal=Goal(1.25)), row()]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "the one goal is kept"
    assert "left out: away: there is no such game here; install it with pip" in lines


def test_rows_that_only_inform_keep_no_goals(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, [row()]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "nothing here has a goal"


def test_the_last_line_says_which_goals_are_not_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = Row("acts", "another act", "µs", (1.0,), (9.0,), Goal(2.0))
    assert run(monkeypatch, [row(goal=Goal(1.25)), broken]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "not kept: another act"


def test_a_quick_run_lets_a_quarter_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [row((10.0,), (14.0,), Goal(1.2))]
    assert run(monkeypatch, rows) == 1
    assert run(monkeypatch, rows, "--quick") == 0


def test_a_case_that_breaks_down_keeps_no_goal_and_hides_no_other(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(size: Size) -> Iterator[Row]:
        yield row(goal=Goal(1.25))
        raise RuntimeError("the server went away")

    def whole(size: Size) -> Iterator[Row]:
        yield row(goal=Goal(1.25))

    monkeypatch.setattr(command, "CASES", (Case("acts", broken), Case("rules", whole)))
    monkeypatch.setattr("sys.argv", ["bench"])
    assert command.main() == 1
    shown = capsys.readouterr()
    assert shown.out.splitlines()[-1] == "not kept: acts broke down"
    assert shown.out.count(" kept ") == 2
    assert "the server went away" in shown.err


def test_one_case_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, [row(goal=Goal(1.25))], "--only", "acts") == 0
    assert "left out" not in capsys.readouterr().out


def test_a_case_that_is_none(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        run(monkeypatch, [], "--only", "nothing")
    assert ended.value.code == 2
    assert "acts" in capsys.readouterr().err


def test_the_figures_go_to_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "bench.json"
    assert run(monkeypatch, [row(goal=Goal(1.25))], "--quick", "--json", str(file)) == 0
    told = json.loads(file.read_text(encoding="utf-8"))
    assert told["size"] == "quick"
    assert [each["what"] for each in told["rows"]] == ["an act"]


def test_the_page_has_it_all(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "RESULTS.md"
    assert run(monkeypatch, [row(goal=Goal(1.0))], "--page", str(file)) == 1
    told = file.read_text(encoding="utf-8")
    assert told.startswith("# Measured on 2")
    assert "\n`python -m bench`; how to read it" in told
    assert "- python: 3" in told
    assert "| an act | 10.0 µs | 11.0 µs | 1.10            | ≤ 1.00 | NOT KEPT |" in told
    assert "- left out: away: there is no such game here" in told
    assert told.endswith("\n**not kept: an act**\n")


def test_a_page_of_a_part_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "page.md"
    assert run(monkeypatch, [row()], "--quick", "--only", "acts", "--page", str(file)) == 0
    assert "`python -m bench --quick --only acts`" in file.read_text(encoding="utf-8")


@pytest.mark.parametrize("option", ["--json", "--page"])
@pytest.mark.parametrize("place", ["none/bench.json", "."])
def test_a_file_that_cannot_be_is_said_before_anything_is_measured(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    option: str,
    place: str,
) -> None:
    assert run(monkeypatch, [row()], option, str(tmp_path / place)) == 2
    shown = capsys.readouterr()
    assert shown.err.startswith(f"bench: {tmp_path / place} cannot be written (")
    assert shown.err.count("\n") == 1
    assert not shown.out


def test_where_nothing_can_be_measured_no_goal_is_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, [], "--only", "away") == 1
    assert capsys.readouterr().out.splitlines()[-1] == "nothing was measured"


def test_what_was_measured_before_a_stop_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def stopped(size: Size) -> Iterator[Row]:
        yield row(goal=Goal(1.25))
        raise KeyboardInterrupt

    def never(size: Size) -> Iterator[Row]:
        raise AssertionError("it goes on")
        yield

    monkeypatch.setattr(command, "CASES", (Case("acts", stopped), Case("rules", never)))
    file = tmp_path / "bench.json"
    monkeypatch.setattr("sys.argv", ["bench", "--json", str(file)])
    assert command.main() == 1
    shown = capsys.readouterr().out
    assert "| an act |" in shown
    assert shown.splitlines()[-1] == "not kept: stopped before its end"
    assert len(json.loads(file.read_text(encoding="utf-8"))["rows"]) == 1
