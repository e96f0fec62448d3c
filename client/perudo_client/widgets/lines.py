"""The ground all our widgets stand on: text drawn line by line.

A widget says in `paint` what its lines are; `Lines` compares them with the lines on the screen and
repaints only those that differ, so a clock that ticks costs one line; the app's `Pen` draws them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple, Self

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.color import Color
from textual.content import Content
from textual.dom import DOMNode
from textual.filter import LineFilter
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from perudo_protocol.text import clean

from .pieces import Line, shown

_UNDERLINE = Style(underline=True)


class Frame(NamedTuple):
    """What a line stands in: it is the same for all lines of a widget."""

    outer: Size
    """The size of the widget."""
    size: Size
    """The size of the content."""
    top: int
    """So many rows stand above the content."""
    left: Sequence[Segment]
    right: Sequence[Segment]
    filters: Sequence[LineFilter]
    ground: Color
    edge: Hashable
    """All that its border and what is written on it look like."""


class Lines(Widget):
    """A widget of lines; override `paint`, call `repaint` when what it shows has changed."""

    DEFAULT_CSS = """
    Lines {
        height: auto;
        & > .lines--dim, & > .lines--miss { color: $foreground 70%; }
        & > .lines--strong { text-style: bold; }
        & > .lines--turn { color: $text-accent; text-style: bold; }
        & > .lines--pick { color: $background; background: $accent; text-style: bold; }
        & > .lines--match { color: $text-success; text-style: bold; }
        & > .lines--ace { color: $text-success; text-style: bold underline; }
        & > .lines--good { color: $text-success; }
        & > .lines--bad { color: $text-error; text-style: bold; }
        & > .lines--key, & > .lines--head { color: $foreground; text-style: bold; }
        & > .lines--cursor {
            color: $block-cursor-foreground;
            background: $block-cursor-background;
            text-style: bold;
        }
        &:ansi {
            & > .lines--dim, & > .lines--miss { color: ansi_default; text-style: dim; }
            & > .lines--pick {
                color: ansi_default; background: ansi_default; text-style: bold reverse;
            }
        }
    }
    """

    class Pressed(Message):
        """A piece was clicked; `press` is what it means."""

        def __init__(self, widget: Lines, press: Hashable) -> None:
            """Remember where and what."""
            super().__init__()
            self.widget = widget
            self.press = press

        @property
        def control(self) -> Lines:
            """The widget that was clicked."""
            return self.widget

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        """Begin with no lines."""
        super().__init__(id=id, classes=classes)
        self._lines: list[Line] = []
        self._painted_for = Size(0, 0)
        self._hover: Hashable = None
        self._base: Style | None = None
        """How plain text looks; `None` when it must be looked up anew."""
        self._looked_up_on: Style | None = None
        self._looked_up_in: dict[str, str] | None = None
        """On which base and with which colours of the theme the following was looked up."""
        self._styles_of: dict[str, Style] = {}
        """How each role looks, for as long as base and theme stay as they are."""
        self._frame: Frame | None = None
        """What stands around a line, for as long as the widget's styles stay as they are."""
        self._titles = "", ""
        self._drawn: dict[Hashable, Sequence[Segment]] = {}
        """Rows as they were drawn, for as long as the frame stays as it is: many lines come again,
        in another row or a turn later."""
        self._edges: dict[Hashable, Sequence[Segment]] = {}
        """The same of rows of the border, whose looks come again too."""

    def paint(self, width: int, height: int) -> list[Line]:
        """Give the lines for this room; a `height` of 0 asks for as many as there are."""
        raise RuntimeError(f"{type(self).__name__} has nothing to paint")

    def repaint(self) -> None:
        """Draw anew what differs from what is on the screen."""
        if not self.is_mounted:
            return
        size = self.size
        old, known = self._lines, self._painted_for
        new = self._paint_for(size)
        if self.styles.is_auto_height and len(self.paint(size.width, 0)) != size.height:
            self.refresh(layout=True)
            return
        if known != size:
            self.refresh()
            return
        changed = [
            Region(0, y, size.width, 1)
            for y in range(max(len(old), len(new)))
            if old[y : y + 1] != new[y : y + 1]
        ]
        if changed:
            self.refresh(*changed)

    def title(self, text: str, under: str = "") -> None:
        """Write on the border, above and below; text of others is safe here."""
        if (text, under) == self._titles:
            return
        (above, below), self._titles = self._titles, (text, under)
        # Set so that Textual does not draw all of the widget for it.
        self._border_title, self._border_subtitle = Content(clean(text)), Content(clean(under))
        if self.is_mounted:
            (left, top), (width, height) = self.content_offset, self.outer_size
            rows = [0] * (text != above) + [height - 1] * (under != below)
            self.refresh(*(Region(-left, row - top, width, 1) for row in rows))

    def refresh(
        self,
        *regions: Region,
        repaint: bool = True,
        layout: bool = False,
        recompose: bool = False,
    ) -> Self:
        """Draw this anew; by the app's pen where nothing moves, else in Textual's way."""
        pen = getattr(self.app, "pen", None)
        if pen is None or layout or recompose or not repaint or not self.is_mounted:
            if not regions:
                self._forget_styles()
            return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)
        if not regions:
            self._forget_styles()
            self._set_dirty()
            pen.draw(self, range(self.outer_size.height))
            return self
        frame = self._frame
        top = self.gutter.top if frame is None else frame.top
        rows = {row + top for region in regions for row in region.line_range}
        pen.draw(self, rows)
        return self

    def notify_style_update(self) -> None:
        """Look up anew how roles look; called by Textual."""
        self._forget_styles()
        super().notify_style_update()

    def _forget_styles(self) -> None:
        self._base = None
        self._rich_style_cache.clear()
        self._frame = None
        self._drawn.clear()

    def render_lines(self, crop: Region) -> list[Strip]:
        """Draw rows; called by Textual."""
        width = self.outer_size.width
        strips = [Strip(segments, width) for segments in self.draw_rows(crop.line_range)]
        if crop.column_span != (0, width):
            strips = [strip.crop(*crop.column_span) for strip in strips]
        return strips

    def draw_rows(self, rows: Iterable[int]) -> Iterator[Sequence[Segment]]:
        """Draw rows of the widget, counted from the top of its border; called by the pen too.

        What stands around the lines is drawn by Textual, once, and kept.
        """
        outer = self.outer_size
        frame = self._frame
        if frame is None or frame.outer != outer:
            self._drawn.clear()
            frame = self._frame = self._framed(outer)
        if self._painted_for != frame.size:
            self._paint_for(frame.size)
        for row in rows:
            y = row - frame.top
            if 0 <= y < frame.size.height:
                yield self._row(self._lines[y] if y < len(self._lines) else (), frame)
            else:
                yield self._edge(row, frame)

    def _row(self, line: Line, frame: Frame) -> Sequence[Segment]:
        row = self._drawn.get(line)
        if row is None:
            segments = self._draw(line, frame.size.width)
            for each in frame.filters:
                segments = each.apply(segments, frame.ground)
            row = (*frame.left, *segments, *frame.right)
            _keep(self._drawn, line, row)
        return row

    def _edge(self, row: int, frame: Frame) -> Sequence[Segment]:
        known = row, self._titles, frame.outer, frame.edge
        edge = self._edges.get(known)
        if edge is None:
            edge = tuple(self._by_textual(row, frame.outer.width))
            _keep(self._edges, known, edge)
        return edge

    def _framed(self, outer: Size) -> Frame:
        gutter, size = self.gutter, self.size
        whole = self._by_textual(gutter.top, outer.width)
        left, right = whole.crop(0, gutter.left), whole.crop(outer.width - gutter.right)
        filters, (around, ground) = self.get_line_filters(), self.background_colors
        titles = self._get_title_style_information(around)
        below = self._get_subtitle_style_information(around)
        edge = self.styles.border, titles, below, around, ground, self.opacity, *filters
        return Frame(outer, size, gutter.top, tuple(left), tuple(right), filters, ground, edge)

    def _by_textual(self, row: int, width: int) -> Strip:
        where = Region(0, row, width, 1)
        self._styles_cache.set_dirty(where)
        return super().render_lines(where)[0]

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Say how many lines there are, for `height: auto`."""
        return len(self.paint(width, 0))

    def render_line(self, y: int) -> Strip:
        """Draw one line; called by Textual."""
        size = self.size
        if self._painted_for != size:
            self._paint_for(size)
        line = self._lines[y] if y < len(self._lines) else ()
        return Strip(self._draw(line, size.width), size.width)

    def _draw(self, line: Line, width: int) -> list[Segment]:
        segments = []
        for text, role, press in line:
            style = self._style_of(role)
            if press is not None and press == self._hover:
                style += _UNDERLINE
            segments.append(Segment(shown(text), style))
        return Segment.adjust_line_length(segments, width, self._style_of(""))

    def _style_of(self, role: str) -> Style:
        base = self._base
        if base is None:
            base = self._base = self.rich_style
            theme = self.app.theme_variables
            if base != self._looked_up_on or theme is not self._looked_up_in:
                self._styles_of.clear()
                self._looked_up_on, self._looked_up_in = base, theme
        if not role:
            return base
        style = self._styles_of.get(role)
        if style is None:
            style = self._styles_of[role] = self._looked_up(role)
        return style

    def _looked_up(self, role: str) -> Style:
        """Ask the style sheet how a role looks here, as Textual does for component classes: but
        when it is drawn, and not all roles for each widget at each change of its styles."""
        node = DOMNode(classes=f"lines--{role}")
        node._attach(self)
        self.app.stylesheet.apply(node)
        return node.rich_style

    def press_at(self, x: int, y: int) -> Hashable:
        """Say what a click at this cell of the content means; `None` for nothing."""
        if not 0 <= y < len(self._lines):
            return None
        for piece in self._lines[y]:
            x -= cell_len(shown(piece.text))
            if x < 0:
                return piece.press
        return None

    def pressed(self, press: Hashable) -> None:
        """Act on a click; tells the screen unless a widget knows better."""
        self.post_message(self.Pressed(self, press))

    def _paint_for(self, size: Size) -> list[Line]:
        self._lines = [tuple(line) for line in self.paint(size.width, size.height)]
        self._painted_for = size
        return self._lines

    def _press_under(self, event: events.MouseEvent) -> Hashable:
        offset = event.get_content_offset(self)
        return None if offset is None else self.press_at(offset.x, offset.y)

    def on_mount(self) -> None:
        """Draw for the first time."""
        self.repaint()

    def on_click(self, event: events.Click) -> None:
        """Find what was clicked."""
        press = self._press_under(event)
        if press is not None:
            event.stop()
            self.pressed(press)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Underline what a click would take."""
        self._hover_over(self._press_under(event))

    def on_leave(self) -> None:
        """Underline nothing."""
        self._hover_over(None)

    def _hover_over(self, press: Hashable) -> None:
        if press != self._hover:
            self._hover = press
            self.refresh()


MOST_KEPT = 100
"""So many drawn rows a widget keeps; most have a few dozen that come again and again."""


def _keep(drawn: dict[Hashable, Sequence[Segment]], what: Hashable, row: Sequence[Segment]) -> None:
    if len(drawn) >= MOST_KEPT:
        drawn.clear()
    drawn[what] = row
