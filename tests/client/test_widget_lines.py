"""The ground of our widgets: text in exact cells, few repaints, clicks that find their piece."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.segment import Segment
from textual.app import App, ComposeResult
from textual.color import Color

from perudo_client.widgets.ascii import AsciiFilter, to_ascii
from perudo_client.widgets.lines import Lines
from perudo_client.widgets.pieces import Line, Piece, cut, fit, spread, width_of, wrap
from perudo_client.widgets.reveal import counts
from perudo_client.widgets.shapes import cheapest, least_text, pips
from perudo_protocol.text import clean
from perudo_protocol.views import Reveal
from perudo_protocol.vocabulary import NO_OPTIONS, Bid, Call, Options

texts = st.text(max_size=60)
widths = st.integers(1, 80)


@given(texts, widths)
def test_fitted_text_has_exactly_the_width(text: str, width: int) -> None:
    assert cell_len(fit(text, width)) == width


@given(texts, st.integers(2, 80))
def test_wrapped_lines_are_never_wider_and_lose_nothing(text: str, width: int) -> None:
    lines = wrap(text, width)
    assert all(width_of(line) <= width for line in lines)
    joined = "".join(piece.text for line in lines for piece in line)
    assert joined.replace(" ", "") == "".join(clean(text).split())


@given(st.lists(texts, max_size=4), widths)
def test_cut_lines_are_never_wider(parts: list[str], width: int) -> None:
    assert width_of(cut([Piece(part) for part in parts], width)) <= width


@given(texts, st.integers(6, 80))
def test_of_two_ends_the_left_gives_way(text: str, width: int) -> None:
    line = spread([Piece(text)], [Piece("right")], width)
    assert width_of(line) == width
    assert line[-1].text == "right"


@given(texts)
def test_ascii_keeps_the_width(text: str) -> None:
    shown = clean(text)
    assert to_ascii(shown).isascii()
    assert cell_len(to_ascii(shown)) == cell_len(shown)


def test_the_filter_keeps_styles() -> None:
    segments = [Segment("╭─ é"), Segment("plain")]
    changed = AsciiFilter().apply(segments, Color(0, 0, 0))
    assert [segment.text for segment in changed] == ["+- ?", "plain"]


def test_pips_show_what_is_lost() -> None:
    assert pips(3, 5) == "■■■··"
    assert pips(6, 5) == "■■■■■■"


def test_the_cheapest_bid_is_on_aces_only_without_another() -> None:
    options = Options((3, 6, 6, 6, 5, 5), (9, 9, 9, 9, 9, 9), True, True)
    assert cheapest(options) == Bid(5, 5)
    assert least_text(options) == "3 × [1] or 5 × [5]"
    aces = Options((7, 0, 0, 0, 0, 0), (9, 0, 0, 0, 0, 0), True, False)
    assert cheapest(aces) == Bid(7, 1)
    assert least_text(aces) == "7 × [1]"
    assert cheapest(NO_OPTIONS) is None
    assert least_text(NO_OPTIONS) == ""


cups = st.lists(st.lists(st.integers(1, 6), max_size=6).map(tuple), min_size=2, max_size=6)


@given(cups.map(tuple), st.integers(1, 6), st.booleans())
def test_as_many_dice_are_marked_as_the_server_counted(
    hands: tuple[tuple[int, ...], ...], face: int, wild: bool
) -> None:
    dice = [die for hand in hands for die in hand]
    count = sum(die == face or (wild and die == 1) for die in dice)
    reveal = Reveal(0, Call.DUDO, 1, Bid(3, face), count, True, hands, palifico=not wild)
    assert sum(counts(reveal, die) for die in dice) == count


class Counting(Lines):
    """Three lines that remember which of them were drawn."""

    def __init__(self) -> None:
        """Begin with nothing drawn."""
        super().__init__()
        self.texts = ["one", "two", "three"]
        self.drawn_lines: list[str] = []

    def paint(self, width: int, height: int) -> Sequence[Line]:  # type: ignore[override]
        """Draw the texts."""
        return [(Piece(text, press=text), Piece(" rest")) for text in self.texts]

    def _draw(self, line: Line, width: int) -> list[Segment]:
        self.drawn_lines.append(line[0].text)
        return super()._draw(line, width)


class Bare(App[None]):
    """An app with nothing else in it."""

    CSS = "Counting { height: 3; }"

    def __init__(self) -> None:
        """Remember what was pressed."""
        super().__init__()
        self.pressed: list[object] = []

    def compose(self) -> ComposeResult:
        """Give the widget."""
        yield Counting()

    def on_lines_pressed(self, event: Lines.Pressed) -> None:
        """Remember a click."""
        self.pressed.append(event.press)


async def test_only_what_changed_is_drawn_again() -> None:
    app = Bare()
    async with app.run_test(size=(40, 10)) as pilot:
        widget = app.query_one(Counting)
        await pilot.pause()
        assert set(widget.drawn_lines) == {"one", "two", "three"}
        widget.drawn_lines.clear()
        widget.texts[1] = "zwei"
        widget.repaint()
        await pilot.pause()
        assert widget.drawn_lines == ["zwei"]
        widget.drawn_lines.clear()
        widget.repaint()
        await pilot.pause()
        assert widget.drawn_lines == []


async def test_a_click_finds_the_piece_under_it() -> None:
    app = Bare()
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.click(offset=(1, 2))
        await pilot.click(offset=(6, 2))
        await pilot.click(offset=(2, 0))
        await pilot.pause()
        assert app.pressed == ["three", "one"]
