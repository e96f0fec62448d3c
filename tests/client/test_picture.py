"""What is written to the terminal is little, and makes the picture that Textual would draw."""

from __future__ import annotations

import io
from typing import Any

import pyte
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual.app import App
from textual.strip import Strip
from textual.widget import Widget

from perudo_client.widgets.lines import Lines
from perudo_client.widgets.picture import Patch, Picture
from perudo_protocol.story import BidPlaced, TurnSet
from perudo_protocol.vocabulary import Bid
from tests.support import sample_views
from tests.support.fake_wire import Play, playing

WIDTH, HEIGHT = 24, 4
CONSOLE = Console(file=io.StringIO(), force_terminal=True, color_system="truecolor", width=WIDTH)

styles = st.builds(
    Style,
    color=st.sampled_from([None, "red", "bright_blue", "color(200)", "#102030", "default"]),
    bgcolor=st.sampled_from([None, "green", "bright_black", "#302010", "default"]),
    bold=st.booleans(),
    italic=st.booleans(),
    underline=st.booleans(),
    reverse=st.booleans(),
    strike=st.booleans(),
)
texts = st.text(st.sampled_from("ab  ─■×你é👍"), max_size=8) | st.just("e\u0301")
strips = st.lists(st.tuples(texts, styles), min_size=1, max_size=3).map(
    lambda runs: Strip([Segment(text, style) for text, style in runs])
)


@st.composite
def patches(draw: st.DrawFn) -> Patch:
    """Draw a part of any row; the last row is always drawn whole, and has wide signs too: what
    becomes of half a sign is for each terminal to say."""
    strip = draw(strips)
    patch = patched(0, HEIGHT - 1, strip.crop_extend(0, WIDTH, None))
    if not _plain(patch) or draw(st.booleans()):
        return patch
    strip = strip.crop(0, min(strip.cell_length, WIDTH))
    return patched(
        draw(st.integers(0, WIDTH - strip.cell_length)), draw(st.integers(0, HEIGHT - 2)), strip
    )


def patched(x: int, y: int, strip: Strip) -> Patch:
    return Patch(x, y, strip.cell_length, list(strip))


def plainly(patch: Patch) -> str:
    """Write a patch as Textual does."""
    strip = Strip(patch.segments, patch.width)
    return f"\x1b[{patch.y + 1};{patch.x + 1}H{strip.render(CONSOLE)}"


class Screen:
    """A terminal that somebody looks at."""

    def __init__(self, width: int, height: int) -> None:
        self.screen = pyte.Screen(width, height)
        self._stream = pyte.Stream(self.screen)

    def write(self, text: str) -> None:
        self._stream.feed(text)

    def cells(self) -> list[list[Any]]:
        return [
            [self.screen.buffer[y][x] for x in range(self.screen.columns)]
            for y in range(self.screen.lines)
        ]


@given(st.lists(st.lists(patches(), min_size=1, max_size=4), max_size=6))
def test_what_differs_makes_the_same_picture_as_all_of_it(frames: list[list[Patch]]) -> None:
    picture, ours, theirs = Picture(), Screen(WIDTH, HEIGHT), Screen(WIDTH, HEIGHT)
    for frame in frames:
        ours.write(picture.change(frame, CONSOLE))
        theirs.write("".join(map(plainly, frame)))
        assert ours.cells() == theirs.cells()
        assert picture.change(frame[-1:], CONSOLE) == "" or not _plain(frame[-1])


def _plain(patch: Patch) -> bool:
    return all(sign in "ab ─■×é" for segment in patch.segments for sign in segment.text)


def test_of_a_changed_word_only_what_differs_is_written() -> None:
    picture, style = Picture(), Style.parse("#dcdfe6 on #14171c")
    for text in ("Ana is to play", "Eva is to play"):
        patch = patched(2, 1, Strip([Segment(text, style)]))
        written = picture.change([patch], CONSOLE)
    assert written == "\x1b[2;3H\x1b[38;2;220;223;230;48;2;20;23;28mEv\x1b[0m"


def test_what_was_drawn_whole_is_known_until_it_is_forgotten() -> None:
    picture, strip = Picture(), Strip([Segment("abc", Style(bold=True))])
    picture.drawn([[strip], [strip]])
    assert picture.change([patched(0, 1, strip)], CONSOLE) == ""
    picture.forget()
    assert picture.change([patched(0, 1, strip)], CONSOLE) == "\x1b[2;1H\x1b[1mabc\x1b[0m"


def test_a_link_is_written_whole() -> None:
    picture, strip = Picture(), Strip([Segment("abc", Style(link="https://example.org"))])
    for _time in range(2):
        assert "https://example.org" in picture.change([patched(0, 0, strip)], CONSOLE)


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Screen:
    """Give a terminal on which headless apps are seen."""
    terminal = Screen(80, 24)

    def display(app: App[None], _screen: object, update: Any) -> None:
        if update is not None and not app._batch_count:
            terminal.write(update.render_segments(CONSOLE))
        app.post_display_hook()

    monkeypatch.setattr(App, "_display", display)
    return terminal


def look(play: Play, seen: Screen) -> None:
    """Compare what was written so far with what Textual would draw now."""
    screen = play.app.screen
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Lines, "render_lines", Widget.render_lines)
        for widget in screen.query(Lines):
            widget._styles_cache.clear()
        strips = screen._compositor.render_strips()
    theirs = Screen(80, 24)
    for y, strip in enumerate(strips[:24]):
        theirs.write(plainly(patched(0, y, strip)))
    assert seen.screen.display == theirs.screen.display
    assert seen.cells() == theirs.cells()


async def test_the_terminal_shows_what_textual_would_draw(seen: Screen) -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        look(play, seen)
        for key in ("right", "down", "space", "space", "5", "escape", "t", "a", "escape"):
            await play.press(key)
            look(play, seen)
        least, most = (3, 6, 6, 6, 5, 5), (17,) * 6
        for number, seat in enumerate((5, 0, 1, 2, 3, 5, 0, 1, 2, 3)):
            after = (0, 1, 2, 3, 5)[((0, 1, 2, 3, 5).index(seat) + 1) % 5]
            turn = TurnSet(after, 41_000, least, most, (after,), (after,))
            await play.tell(BidPlaced(seat, Bid(6 + number, 4)), turn)
            look(play, seen)
        await play.pass_time(1)
        look(play, seen)
        await play.press("f1")
        await play.press("escape")
        look(play, seen)
        play.app.theme = "perudo-light"
        await play.settle()
        look(play, seen)


async def test_a_reveal_is_seen_as_textual_would_draw_it(seen: Screen) -> None:
    async with playing(motion=True) as play:
        await play.sit(sample_views.round_before())
        play.server.say(sample_views.call_of_round_six())
        await play.settle()
        play.app.screen.pacing._stop()  # type: ignore[attr-defined]
        for _step in range(8):
            play.app.screen._open_next()  # type: ignore[attr-defined]
            await play.settle()
            look(play, seen)


async def test_under_another_screen_nothing_is_drawn_through_it(seen: Screen) -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        await play.press("q")
        turn = TurnSet(0, 41_000, (3, 6, 6, 6, 5, 5), (17,) * 6, (0,), (0,))
        await play.tell(BidPlaced(5, Bid(6, 4)), turn)
        look(play, seen)
        await play.lose()
        await play.settle()
        look(play, seen)
