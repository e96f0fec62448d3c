"""How it looks where terminals differ: ASCII, no colours, other themes; nothing by colour alone."""

from __future__ import annotations

from unicodedata import category

import pytest
from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme

from perudo_client import app as app_module
from perudo_client.themes import DARK, LIGHT, OURS, usable
from perudo_protocol.views import TableView
from tests.support import sample_views
from tests.support.fake_wire import Play, playing

VIEWS = {
    "round": sample_views.six(),
    "ten": sample_views.ten(),
    "reveal": sample_views.reveal(),
    "throw": sample_views.throw(),
    "over": sample_views.over(),
    "lobby": sample_views.lobby(),
}


@pytest.mark.parametrize("name", VIEWS)
async def test_in_ascii_every_sign_is_ascii(name: str) -> None:
    async with playing(ascii=True) as play:
        await play.sit(VIEWS[name])
        for keys in (["t"], ["escape"], ["f1"], ["escape"], ["ctrl+p"]):
            text = play.text()
            assert text.isascii(), sorted({sign for sign in text if not sign.isascii()})
            await play.press(*keys)
        assert play.text().isascii()


async def test_ascii_is_taken_where_the_terminal_has_no_unicode(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(app_module, "speaks_unicode", lambda: False)
    async with playing() as play:
        await play.sit(sample_views.six())
        assert play.text().isascii()
        assert "| 4 |" in play.text()


def colours(play: Play) -> set[tuple[str, str]]:
    """Give every pair of colours that some visible text is drawn in."""
    pairs = set()
    for strip in play.app.screen._compositor.render_strips():
        for segment in strip:
            style = segment.style
            if style is not None and segment.text.strip() and not style.reverse:
                pairs.add((str(style.color), str(style.bgcolor)))
    return pairs


@pytest.mark.parametrize("theme", ["ansi-dark", "ansi-light", "perudo-dark", "perudo-light"])
async def test_without_colours_text_is_never_on_its_own_colour(
    monkeypatch: pytest.MonkeyPatch, theme: str
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with playing(theme=theme) as play:
        await play.sit(sample_views.six())
        pairs = colours(play)
        assert len(pairs) > 1
        for ink, paper in pairs:
            assert ink != paper
        for ink, _paper in pairs:
            triplet = ink.partition("#")[2][:6]
            assert triplet[:2] == triplet[2:4] == triplet[4:6], f"{ink} is a colour"


async def test_every_theme_shows_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    async with playing() as play:
        await play.sit(sample_views.six())
        for theme in (*sorted(BUILTIN_THEMES), *(each.name for each in OURS)):
            play.app.theme = theme
            await play.settle()
            assert play.app.theme == theme
            assert "Your turn" in play.text()
            for ink, paper in colours(play):
                assert ink != paper or "default" in ink, theme


async def test_no_theme_chosen_later_is_unreadable_without_colours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An ansi theme is black on black then; ours takes its place, as at the start."""
    monkeypatch.setenv("NO_COLOR", "1")
    async with playing() as play:
        await play.sit(sample_views.six())
        for theme in sorted(BUILTIN_THEMES):
            play.app.theme = theme
            await play.settle()
            for ink, paper in colours(play):
                assert ink != paper, theme


def test_unknown_themes_and_ansi_without_colours_give_ours() -> None:
    assert usable("", False) == DARK.name
    assert usable("no such theme", False) == DARK.name
    assert usable("nord", True) == "nord"
    assert usable("ansi-dark", False) == "ansi-dark"
    assert usable("ansi-dark", True) == DARK.name
    assert usable("ansi-light", True) == LIGHT.name


@pytest.mark.parametrize("name", ["six", "ten", "waiting", "opening", "palifico", "top"])
async def test_what_matters_is_always_in_sight(name: str) -> None:
    view: TableView = getattr(sample_views, name)()
    async with playing(30, 10) as play:
        await play.sit(view)
        for size in [(30, 10), (80, 24), (40, 20), (72, 24), (120, 40), (100, 12), (31, 31)]:
            await play.resize(*size)
            check_what_matters(play.text(), view)


def check_what_matters(text: str, view: TableView) -> None:
    """Whose turn, the standing bid, the dice in play, the least legal bid."""
    assert f"{view.dice_in_play} dice" in text
    if view.standing is not None:
        bid = view.standing.bid
        assert f"{bid.quantity} × [{bid.face}]" in text
    assert view.turn is not None
    assert ("Your turn" if view.turn.seat == view.my_seat else "is to play") in text
    assert ("least" if any(view.turn.least) else "No higher bid") in text
    assert not [sign for sign in text if sign != "\n" and category(sign) in {"Cc", "Cf"}]


@pytest.mark.parametrize("theme", OURS, ids=lambda theme: str(theme.name))
def test_our_colours_can_be_read(theme: Theme) -> None:
    paper = Color.parse(str(theme.background))
    for ink in (theme.foreground, theme.accent, theme.success, theme.error, theme.primary):
        assert contrast(Color.parse(str(ink)), paper) >= 4.5, ink
    dim = paper.blend(Color.parse(str(theme.foreground)), 0.7)
    assert contrast(dim, paper) >= 4.5


def contrast(ink: Color, paper: Color) -> float:
    """Give the contrast of two colours as WCAG counts it, 1 to 21."""
    lights = sorted((_light(ink), _light(paper)))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def _light(colour: Color) -> float:
    parts = []
    for part in colour.rgb:
        value = part / 255
        parts.append(value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4)
    return float(0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2])
