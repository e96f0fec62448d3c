"""The simulation of many servers: what must never happen does not, and would be seen if it did."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench import scale_figures, scale_lobby, scale_sim
from bench.scale_engine import LEASE, Act, Broken, Engine, Loop
from bench.scale_figures import WANTED, Figures, Unreadable, read
from bench.scale_model import World
from perudo_protocol.framing import TO_CLIENT
from perudo_server.listing import LISTS_A_SECOND, MOST_LISTED

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


@pytest.mark.parametrize("name", ["none.md", "folder", "bytes"])
def test_a_page_that_cannot_be_filled_is_said_before_the_simulation(
    tmp_path: Path,
    name: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(scale_sim, "tables", lambda *_: pytest.fail("it was simulated"))
    (tmp_path / "folder").mkdir()
    (tmp_path / "bytes").write_bytes(b"\xff")
    file = tmp_path / "figures.json"
    file.write_text(json.dumps(NOTHING))
    assert scale_sim.main(["--figures", str(file), "--page", str(tmp_path / name)]) == 2
    shown = capsys.readouterr()
    assert shown.err.startswith(f"scale_sim: the page {tmp_path / name} cannot be filled: ")
    assert shown.err.count("\n") == 1
    assert not shown.out


@pytest.mark.parametrize("option", ["--nodes", "--tables"])
@pytest.mark.parametrize("text", ["x", "0", "-1", "1001", "2000000001", "1.5", ""])
def test_a_number_that_is_none_is_named(
    option: str, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        scale_sim.main([f"{option}={text}"])
    assert ended.value.code == 2
    assert f"argument {option}: {text!r} is no number from 1 to 1000" in capsys.readouterr().err


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
        {
            "case": "pings",
            "what": "server: CPU of a ping and its pong, 600 seated people, with the journal",
            "unit": "µs",
            "floor": [],
            "ours": [30.0, 31.0, 40.0],
        },
        *(
            {
                "case": "memory",
                "what": f"server: memory of a seated connection, {how}",
                "unit": "KiB",
                "floor": [2.0],
                "ours": [ours],
            }
            for how, ours in (("without a journal", 6.0), ("with the journal", 8.0))
        ),
    ]
    file = tmp_path / "figures.json"
    file.write_text(json.dumps({"rows": rows}))
    found = read(file)
    assert found["CPU of a bid"] == pytest.approx(61e-6)
    assert found["CPU of a frame to one client"] == pytest.approx(6e-6)
    assert found["CPU of one who comes back"] == pytest.approx(0.5e-3)
    said = "\n".join(found.lines())
    assert "CPU of a bid: 61 µs (from server: CPU of a bid, 100 tables of 6, with the" in said
    assert found["CPU of a ping and its pong"] == pytest.approx(31e-6)
    assert found["memory of a connection"] == 8 * 1024, "with the journal, as all else"
    assert "memory of an idle connection, TLS: 45.0 KiB (assumed: no such row)" in said
    assert found["wait for a commit"] == pytest.approx(2e-3)
    assert len(found.lines()) == len(WANTED)


GOOD = {"case": "bids", "what": "a bid", "unit": "µs", "floor": [], "ours": [1.0]}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "it is no JSON"),
        ("[" * 100_000, "it is no JSON"),
        ("{}", "it has no list of rows"),
        ("[]", "it has no list of rows"),
        ('{"rows": {}}', "it has no list of rows"),
        ('{"rows": [1]}', "row 1 has no text named 'case'"),
        (json.dumps({"rows": [GOOD, {**GOOD, "what": None}]}), "row 2 has no text named 'what'"),
        (
            json.dumps({"rows": [{**GOOD, "ours": ["1"]}]}),
            "row 1 has no list of numbers named 'ours'",
        ),
        (
            json.dumps({"rows": [{**GOOD, "floor": 1}]}),
            "row 1 has no list of numbers named 'floor'",
        ),
    ],
)
def test_a_file_without_figures_is_said(
    tmp_path: Path, text: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "figures.json"
    file.write_text(text)
    assert scale_sim.main(["--figures", str(file)]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"scale_sim: no figures can be read from {file}: {why}")
    assert said.count("\n") == 1


def test_the_file_that_is_read_without_asking_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "figures.json"
    monkeypatch.setattr(scale_figures, "FILE", file)
    assert all(figure.source.startswith("assumed") for figure in read().all.values())
    file.write_text("")
    with pytest.raises(Unreadable, match=r"figures\.json: it is no JSON"):
        read()


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match=r"none\.json cannot be read: No such file"):
        read(tmp_path / "none.json")


def test_the_last_full_run_has_every_figure() -> None:
    """So no row has another name than the one that is looked for."""
    assert not [line for line in read().lines() if "assumed" in line]


# One machine -------------------------------------------------------------------------------------


def test_what_one_machine_holds(figures: Figures) -> None:
    """A bid of 300 µs every 3 s, and six pings of 50 µs every 5 s: a table takes 160 µs a second.

    Six who come back within two seconds take 2.4 ms in each.
    """
    said = {row[0]: row[1] for row in scale_sim.one_machine(figures)}
    assert said["bids"].startswith("3,333 a second; bare frames, without a game, take 19% of")
    assert said["tables of 6"] == "6,250, with a bid every 3 s and a ping to each every 5 s"
    assert said["their people"] == "37,500; measured were 6,000 at the most"
    assert said["connections"] == "43,691 in a GiB, seated; 23,302 over TLS, idle"
    assert said["coming back"] == "1,250 people a second"
    assert said["all within 2 s"].startswith("15 times what")
    assert said["half of all people"].startswith("need 15 s of the core")


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
    lengths = scale_lobby.lengths()
    long, ours, short = (scale_lobby.looking(figures, 10, lines) for lines in lengths)
    assert long.people == ours.people == short.people
    assert long.size <= TO_CLIENT < long.size + scale_lobby.line_bytes()
    assert lengths[1] == MOST_LISTED
    assert short.rate < ours.rate < long.rate / 5


def test_many_who_look_get_their_lists_more_rarely(figures: Figures) -> None:
    """As many look at each of ten nodes as at one, and each has a thousand copies a second."""
    for nodes in (1, 10):
        found = scale_lobby.looking(figures, nodes, MOST_LISTED)
        assert found.pause == found.people // nodes // LISTS_A_SECOND == 3


def test_a_bid_waits_longer_where_pings_take_longer(figures: Figures) -> None:
    """Half a core is half a core; but of long pings there is more to wait for."""
    name = "CPU of a ping and its pong"
    slow = Figures({**figures.all, name: figures.all[name]._replace(value=5e-3)})
    _, place = scale_lobby.PLACES[1]
    usual, other = (scale_lobby.rush(each, 1, place, seed=1) for each in (figures, slow))
    assert usual.share == pytest.approx(other.share, abs=0.01)
    assert other.tables < usual.tables / 10
    assert other.wait > 2 * usual.wait
