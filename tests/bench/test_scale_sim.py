"""The simulation of many servers: what must never happen does not, and would be seen if it did."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench import scale_lobby, scale_sim
from bench.scale_engine import LEASE, Act, Broken, Engine, Loop
from bench.scale_figures import WANTED, Figures, read
from bench.scale_model import World

NOTHING: dict[str, list[object]] = {"rows": []}


@pytest.fixture(scope="session")
def figures(tmp_path_factory: pytest.TempPathFactory) -> Figures:
    """Figures that are all assumed, so that no run of the bench changes these tests."""
    file = tmp_path_factory.mktemp("figures") / "none.json"
    file.write_text(json.dumps(NOTHING))
    return read(file)


# Safety ------------------------------------------------------------------------------------------

MOMENTS = st.floats(0.0, 20.0)
WOES = st.lists(
    st.tuples(MOMENTS, st.integers(0, 3), st.one_of(st.none(), st.floats(0.1, 15.0))), max_size=5
)
"""When, to which node, and for how long it stands still; `None`: it dies."""


@settings(max_examples=40, deadline=None)
@given(woes=WOES, seed=st.integers(0, 1000))
def test_whatever_befalls_nodes_no_table_has_two_writers(
    figures: Figures, woes: list[tuple[float, int, float | None]], seed: int
) -> None:
    world = World(figures, nodes=4, tables=3, seed=seed)

    def befall(number: int, seconds: float | None) -> None:
        node = world.nodes[number]
        if seconds is None:
            node.die()
        else:
            node.stand_still(seconds)
        for table in world.of(node):
            table.fall_silent()

    for moment, number, seconds in woes:
        world.loop.later(moment, partial(befall, number, seconds))
    world.loop.run(30.0)
    world.engine.check()
    assert world.engine.acknowledged > 0


@pytest.mark.parametrize("nodes", [1, 2, 5])
@pytest.mark.parametrize("seed", range(3))
def test_all_play_again_when_a_node_is_lost_or_stood_still(
    figures: Figures, nodes: int, seed: int
) -> None:
    for scenario in (scale_sim.lost, scale_sim.paused):
        told = scenario(figures, nodes, 4, seed)
        assert told[:2] == (str(nodes), "4")
        assert told[5] == "0, 0"


def test_a_node_that_goes_on_after_its_lease_is_refused(figures: Figures) -> None:
    told = scale_sim.paused(figures, 3, 30, seed=1)
    assert int(told[-1]) > 0


def test_without_fencing_numbers_a_table_has_two_writers(figures: Figures) -> None:
    """So the numbers are what keeps it from happening, and the check is one that can fail."""
    with pytest.raises(Broken):
        scale_sim.paused(figures, 3, 30, seed=1, fenced=False)


def written(*parts: tuple[int, int, int]) -> Engine:
    """Give an engine that takes everything, with acts by node and number under a fencing number."""
    engine = Engine(Loop(), fenced=False)
    for node, number, fence in parts:
        engine.append(node, [(Act(1, number), fence)])
    return engine


def test_the_check_sees_a_number_that_falls() -> None:
    with pytest.raises(Broken, match="number 1 after 2"):
        written((0, 1, 1), (1, 2, 2), (0, 3, 1)).check()


def test_the_check_sees_two_writers_under_one_number() -> None:
    with pytest.raises(Broken, match="two nodes wrote under 1"):
        written((0, 1, 1), (1, 2, 1)).check()


def test_the_check_sees_an_act_that_stands_twice() -> None:
    acts = [(0, number, 1) for number in (1, 2, 3, 4, 5, 6, 7, 1)]
    with pytest.raises(Broken, match="1 acts stand twice"):
        written(*acts).check()


def test_the_check_sees_an_acknowledged_act_that_is_lost() -> None:
    engine = written((0, 1, 1))
    engine.acknowledge(Act(1, 1))
    engine.check()
    engine.acknowledge(Act(1, 2))
    with pytest.raises(Broken, match="1 acknowledged ones are lost"):
        engine.check()


def test_a_table_is_given_once_its_lease_has_run_out() -> None:
    loop = Loop()
    engine = Engine(loop)
    engine.renew(0)
    assert engine.claim(7, 0) == (0, 1)
    assert engine.claim(7, 1) == (0, 1), "it has it"
    loop.run(LEASE)
    assert engine.claim(7, 1) == (0, 1), "to the very end"
    loop.run(LEASE + 0.001)
    assert engine.claim(7, 1) == (1, 2)
    assert engine.append(0, [(Act(7, 1), 1)]) == [False]
    assert engine.append(1, [(Act(7, 1), 2)]) == [True]


# Chance ------------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "figures.json"
    file.write_text(json.dumps(NOTHING))
    said = []
    for seed in ("1", "1", "2"):
        arguments = ["--nodes", "1", "--nodes", "3", "--tables", "5", "--figures", str(file)]
        assert scale_sim.main([*arguments, "--seed", seed]) == 0
        said.append(capsys.readouterr().out)
    assert said[0] == said[1] != said[2]
    assert "assumed: no such row" in said[0]
    assert "| 3 " in said[0]


def test_a_page_gets_the_tables_and_keeps_the_rest(tmp_path: Path) -> None:
    file, page = tmp_path / "figures.json", tmp_path / "scale.md"
    file.write_text(json.dumps(NOTHING))
    page.write_text("# A\n\n<!-- one -->\nold\n<!-- end -->\n\nB\n\n<!-- end -->\n")
    asked = ["--nodes", "1", "--tables", "2", "--figures", str(file), "--page", str(page)]
    for _time in range(2):
        assert scale_sim.main(asked) == 0
        text = page.read_text()
        assert text.startswith("# A\n\n<!-- one -->\n| wall ")
        assert text.endswith(" |\n<!-- end -->\n\nB\n\n<!-- end -->\n")
        assert "\nold\n" not in text


def test_the_page_on_scale_has_a_place_for_every_table(figures: Figures) -> None:
    page = (Path(__file__).parents[2] / "docs" / "scale.md").read_text(encoding="utf-8")
    for name in scale_sim.tables(figures, (1,), 1, seed=1):
        assert page.count(f"<!-- {name} -->\n") == 1


# Figures -----------------------------------------------------------------------------------------


def test_figures_are_read_from_the_rows_of_a_run(tmp_path: Path) -> None:
    rows = [
        {
            "case": "bids",
            "what": "server: CPU of a bid, 100 tables of 6, with the journal",
            "unit": "µs",
            "floor": [35.0, 70.0, 42.0],
            "ours": [60.0, 61.0, 90.0],
        },
        {
            "case": "returning",
            "what": "server: 600 players come back at once, with the journal, CPU",
            "unit": "ms",
            "floor": [10.0],
            "ours": [300.0],
        },
        {
            "case": "journal",
            "what": "journal: bid to last update, 300 a second, p50, FULL",
            "unit": "µs",
            "floor": [400.0],
            "ours": [2400.0],
        },
    ]
    file = tmp_path / "figures.json"
    file.write_text(json.dumps({"rows": rows}))
    found = read(file)
    assert found["CPU of a bid"] == pytest.approx(61e-6)
    assert found["CPU of a frame to one client"] == pytest.approx(6e-6)
    assert found["CPU of one who comes back"] == pytest.approx(0.5e-3)
    said = "\n".join(found.lines())
    assert "CPU of a bid: 61 µs (from server: CPU of a bid, 100 tables of 6, with the" in said
    assert "memory of a connection: 24.0 KiB (assumed: no such row)" in said
    assert found["wait for a commit"] == pytest.approx(2e-3)
    assert len(found.lines()) == len(WANTED)


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"rows": [{}]}'])
def test_a_file_without_figures_is_said(
    tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "figures.json"
    file.write_text(text)
    assert scale_sim.main(["--figures", str(file)]) == 2
    assert "no figures can be read" in capsys.readouterr().err


# The lobby ---------------------------------------------------------------------------------------


def test_where_new_tables_go(figures: Figures) -> None:
    one, few, two = (
        scale_lobby.rush(figures, 60, place, seed=1) for _, place in scale_lobby.PLACES
    )
    assert one.busiest == one.tables
    assert one.wait == float("inf")
    assert few.busiest == pytest.approx(few.even, rel=0.2)
    assert two.busiest < 1.1 * two.even
    assert two.coming < few.coming / 10, "who asks for the best of all runs in a herd"


def test_short_lists_cost_less(figures: Figures) -> None:
    long, short = (scale_lobby.looking(figures, 10, lines) for lines in (1024, 50))
    assert long.people == short.people
    assert long.size == 65536
    assert short.rate < long.rate / 10
