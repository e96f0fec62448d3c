"""The mark and the banner on the screen, through keys and what can be read there."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from perudo_client.config import ClientOptions, Settings
from perudo_client.screens.fault import FaultScreen
from perudo_client.screens.over import OverScreen
from perudo_client.widgets.reveal import RevealPanel
from perudo_protocol import fairness
from perudo_protocol import messages as m
from perudo_protocol import story as ev
from perudo_protocol.fairness import Draw
from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import Call
from tests.support import sample_views
from tests.support.fake_wire import Play, playing
from tests.support.proven import GAME, proven, seed_for


def swapped() -> TableView:
    """A table at which our own seed is not the one that was promised."""
    return replace(proven(sample_views.six()), seed=b"\x01" * 32)


def view_of(play: Play) -> TableView:
    view = play.app.visit.model.view
    assert view is not None
    return view


async def shared(play: Play) -> None:
    """Make it that our own share is in the dice of a round into which we have only just come."""
    play.app.visit.model.proving.checker.rounds.shared = True
    play.app.visit.model.proving.checker.rounds.whole = True
    play.server.say(m.View(view=view_of(play)))
    await play.settle()


def called(play: Play) -> ev.Called:
    """Give a dudo whose dice, count and chain are right."""
    view = view_of(play)
    draw = Draw(view.proof.game, view.round, view.proof.attempt)
    seeds = tuple(
        (view.seed if seat == view.my_seat else seed_for(draw, seat, ())) if each.dice else b""
        for seat, each in enumerate(view.seats)
    )
    mixed = fairness.mix(draw, {})
    cups = tuple(
        fairness.dice(draw, seat, seed, mixed, view.seats[seat].dice) if seed else ()
        for seat, seed in enumerate(seeds)
    )
    links = fairness.given(view.proof.commitments).items(), fairness.given(seeds).items()
    chain = fairness.next_link(view.proof.chain, draw, links[0], mixed, links[1])
    count = sum(die in (1, 4) for cup in cups for die in cup)
    return ev.Called(5, Call.DUDO, count, count < 5, cups, seeds, chain)


async def test_checked_dice_have_their_mark_and_digits() -> None:
    async with playing() as play:
        await play.sit(proven(sample_views.six()))
        await shared(play)
        assert "✓ 4552e8" in play.lines()[0]
        await play.resize(40, 20)
        assert "✓ 4552e8" in play.lines()[0]


async def test_dice_without_our_own_share_have_a_mark_of_their_own() -> None:
    """Who comes into a round has no share in its dice."""
    async with playing(80, 50) as play:
        await play.sit(proven(sample_views.six()))
        assert "~ 4552e8" in play.lines()[0]
        await play.press("f1")
        assert "~ the same, but your own share is not in" in play.words()
        assert "what you did not see of this game is taken on trust" in play.words()


async def test_the_end_of_the_game_has_its_mark_and_digits() -> None:
    async with playing() as play:
        await play.sit(proven(sample_views.six()))
        await shared(play)
        await play.tell(called(play))
        before = play.lines()[0]
        await play.tell(
            *(ev.DiceCleared(seat) for seat in (1, 2, 3, 5)),
            ev.Won(0, (), view_of(play).proof.chain),
        )
        await play.go_on()
        assert isinstance(play.app.screen, OverScreen)
        digits = view_of(play).proof.chain.hex()[:6]
        assert f"✓ {digits}" in before
        assert f"✓ {digits}" in play.lines()[0]


async def test_a_reveal_that_stays_keeps_its_mark_when_another_game_begins() -> None:
    async with playing() as play:
        await play.sit(proven(sample_views.six()))
        await shared(play)
        await play.tell(called(play))
        digits = view_of(play).proof.chain.hex()[:6]
        await play.tell(
            *(ev.DiceCleared(seat) for seat in (1, 2, 3, 5)),
            ev.Won(0, (), view_of(play).proof.chain),
            ev.Started(9, 5, "beef"),
        )
        assert play.app.screen.query_one(RevealPanel).display
        assert f"✓ {digits}" in play.lines()[0]
        await play.go_on()
        assert digits not in play.lines()[0]


async def test_a_server_without_proof_is_marked_as_such() -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        assert "no proof" in play.lines()[0]
        assert not isinstance(play.app.screen, FaultScreen)


async def test_the_mark_is_ascii_where_all_is() -> None:
    async with playing(ascii=True) as play:
        await play.sit(proven(sample_views.six()))
        await shared(play)
        assert "v 4552e8" in play.lines()[0]
        assert play.text().isascii()


async def test_where_the_bar_is_full_a_sign_is_left() -> None:
    async with playing(40, 20) as play:
        await play.sit(proven(sample_views.palifico()))
        await shared(play)
        line = play.lines()[0]
        assert "✓ · palifico" in line
        assert "4552e8" not in line


async def test_a_fault_stops_the_game_with_a_banner() -> None:
    async with playing() as play:
        await play.sit(swapped())
        assert isinstance(play.app.screen, FaultScreen)
        text = " ".join(play.text().replace("┃", " ").split())
        assert "The dice are not proven" in text
        assert "your seed is not the one the server had committed itself to" in text
        assert "exchanged a seed after it had committed itself" in text
        assert "does not prove who gains by it" in text
        assert "No evidence is saved" in text
        before = len(play.sent)
        await play.press("enter", "escape", "d", "space")
        assert isinstance(play.app.screen, FaultScreen)
        play.app.visit.ask(play.app.visit.model.bid(6, 4))
        play.app.visit.ask(play.app.visit.model.ready())
        assert not [s for s in play.sent[before:] if isinstance(s, m.Act | m.SetReady)]
        assert not [r for r in play.app.visit.model.pending.values() if isinstance(r, m.Act)]


async def test_one_leaves_from_the_banner_without_a_question() -> None:
    async with playing() as play:
        await play.sit(swapped())
        await play.press("l")
        assert isinstance(play.sent[-1], m.Leave)
        play.server.say(m.Away(reason="left"))
        await play.settle()
        assert not isinstance(play.app.screen, FaultScreen)
        await play.sit(proven(sample_views.six()))
        assert "~ 4552e8" in play.lines()[0]


async def test_one_goes_on_at_ones_own_risk_and_the_mark_says_so() -> None:
    async with playing() as play:
        await play.sit(swapped())
        await play.press("g")
        assert not isinstance(play.app.screen, FaultScreen)
        assert "✗ not proven" in play.lines()[0]
        await play.press("d")
        assert isinstance(play.sent[-1], m.Dudo)
        cups = ((1, 3, 2, 5, 6), (3, 4, 4), (1, 2), (6, 6), (), (1, 2, 2, 4, 6))
        await play.tell(ev.Called(5, Call.DUDO, 5, False, cups))
        assert not isinstance(play.app.screen, FaultScreen)
        assert "✗ not proven" in play.lines()[0]


async def test_no_server_can_take_the_banner_away() -> None:
    async with playing() as play:
        await play.sit(swapped())
        play.server.say(m.View(view=replace(proven(sample_views.six()), game=4)))
        await play.settle()
        assert isinstance(play.app.screen, FaultScreen)
        play.server.say(m.Away(reason="kicked"))
        await play.settle()
        assert isinstance(play.app.screen, FaultScreen)
        assert "Round 7: your seed" in play.text()
        await play.press("l")
        assert not isinstance(play.app.screen, FaultScreen)


async def test_the_banner_stays_when_the_game_goes_on_without_us() -> None:
    async with playing() as play:
        await play.sit(swapped())
        await play.press("f1")
        await play.press("escape")
        cups = ((1, 3, 2, 5, 6), (3, 4, 4), (1, 2), (6, 6), (), (1, 2, 2, 4, 6))
        await play.tell(ev.Called(0, Call.DUDO, 5, False, cups), ev.Won(0, ()))
        assert isinstance(play.app.screen, FaultScreen)


@pytest.mark.parametrize("size", [(80, 24), (40, 20), (30, 10)])
async def test_the_banner_can_be_read_at_every_size(size: tuple[int, int]) -> None:
    async with playing(*size) as play:
        await play.sit(swapped())
        read = play.text()
        for _step in range(20):
            await play.pilot.press("down")
        await play.settle()
        read = " ".join((read + play.text()).replace("┃", " ").split())
        assert "Round 7" in read
        assert "own risk" in read
        assert "leave" in play.lines()[-1]
        assert all(len(line) <= size[0] for line in play.lines())


async def test_the_story_tells_a_new_attempt() -> None:
    async with playing() as play:
        start = ev.Started(4, 5, GAME)
        await play.sit(sample_views.lobby())
        commitments = (b"c" * 32,) * 4
        await play.tell(start, ev.NextSet(0, False, 0))
        await play.tell(ev.Committed(1, 0, commitments, (b"", b"p" * 32, b"", b"")))
        await play.tell(ev.Committed(1, 1, commitments, (b"",) * 4, (1,)))
        told = [tale.text for tale in play.app.visit.tales]
        assert "Bia's share did not come: the dice are drawn anew." in told


async def test_the_evidence_is_saved_and_named(tmp_path: Path) -> None:
    settings = Settings()
    assert ClientOptions(settings=settings).games is None  # nothing is saved unless told
    async with playing() as play:
        play.app.visit.wire.keeper = type(play.app.visit.wire.keeper)(tmp_path, stamp=lambda: "now")
        await play.sit(swapped())
        path = play.app.visit.wire.keeper.path
        assert path is not None
        assert path.name == "now-8f3a1c.perudo"
        text = "".join(play.text().replace("┃", " ").split())
        assert "Theevidenceissaved:" in text
        assert path.name in text


async def test_the_share_is_sent_before_anything_is_painted() -> None:
    async with playing() as play:
        await play.sit(sample_views.lobby())
        view = play.app.visit.model.view
        assert view is not None
        play.server.say(m.Update(rev=view.rev + 1, events=(ev.Started(4, 5, GAME),)))
        assert isinstance(play.sent[-1], m.Promise)
