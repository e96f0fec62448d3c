"""Draws on the terminal: what Textual has put together, and rows of widgets straight away.

Textual's way from a changed line to the terminal is long: three messages for each widget, then all
widgets near it are put together anew. It is right for everything, and needed when something moves.
Most of what happens at a table changes only what stands in some rows of widgets that stay where
they are; these rows are drawn at once, when the turn of the loop in which they changed is over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from rich.console import Console, RenderableType
from textual._compositor import ChopsUpdate, CompositorUpdate, LayoutUpdate
from textual._context import visible_screen_stack
from textual.app import App
from textual.geometry import Region
from textual.screen import Screen
from textual.widget import Widget

from .picture import Patch, Picture

if TYPE_CHECKING:
    from .lines import Lines


class Pen:
    """Draws for one app; there is one picture of its terminal."""

    def __init__(self, app: App[Any], soon: Callable[[Callable[[], None]], object]) -> None:
        """Draw for this app; `soon` has something done when this turn of the loop is over."""
        self._app = app
        self._soon = soon
        self._picture = Picture()
        self._waiting: dict[Lines, set[int]] = {}
        """Rows that are to be drawn, counted from the top of each widget's region."""

    def forget(self) -> None:
        """Take nothing for granted that stands on the terminal."""
        self._picture.forget()

    def sparing(self, update: RenderableType | None) -> Any:
        """Give an update of Textual's as one that writes only what differs."""
        if isinstance(update, LayoutUpdate):
            return _Whole(update, self._picture)
        if isinstance(update, ChopsUpdate):
            return _Change(_patches(update), self._picture)
        if update is not None and not isinstance(update, _Change):
            self._picture.forget()
        return update

    def draw(self, widget: Lines, rows: Iterable[int]) -> None:
        """Draw these rows of a widget's region when this turn of the loop is over."""
        if not self._waiting:
            self._soon(self._draw_waiting)
        self._waiting.setdefault(widget, set()).update(rows)

    def _draw_waiting(self) -> None:
        waiting, self._waiting = self._waiting, {}
        try:
            self._draw(waiting)
        except Exception as error:
            self._app._handle_exception(error)  # ends the app, as one in Textual's own drawing

    def _draw(self, waiting: dict[Lines, set[int]]) -> None:
        app = self._app
        screen = app.screen if app.screen_stack and app.is_running else None
        patches: list[Patch] = []
        for widget, rows in waiting.items():
            if not widget.is_mounted or not widget.is_attached:
                continue
            where = None if screen is None else _place(widget, screen)
            if where is None:
                Widget.refresh(widget, *_as_regions(widget, rows))
            else:
                visible_screen_stack.set(app._background_screens)
                inside = [row for row in rows if row < where.height]
                patches += [
                    Patch(where.x, where.y + row, where.width, segments)
                    for row, segments in zip(inside, widget.draw_rows(inside), strict=True)
                ]
        if patches and screen is not None:
            change: Any = _Change(patches, self._picture)
            app._display(screen, change)


class _Whole(CompositorUpdate):
    """Everything, written whole."""

    def __init__(self, update: LayoutUpdate, picture: Picture) -> None:
        self._update, self._picture = update, picture

    def render_segments(self, console: Console) -> str:
        self._picture.drawn(self._update.strips)
        return self._update.render_segments(console)


class _Change(CompositorUpdate):
    """What differs from what stands there."""

    def __init__(self, patches: Iterable[Patch], picture: Picture) -> None:
        self._patches, self._picture = patches, picture

    def render_segments(self, console: Console) -> str:
        return self._picture.change(self._patches, console)


def _patches(update: ChopsUpdate) -> Iterator[Patch]:
    """Give the parts of rows that an update of Textual's is about."""
    for y, first, last in update.spans:
        ends = update.chop_ends[y]
        for end, (x, strip) in zip(ends, update.chops[y].items(), strict=True):
            left, right = max(x, first), min(end, last)
            if strip is not None and left < right:
                if (left, right) != (x, end):
                    strip = strip.crop(left - x, right - x)
                yield Patch(left, y, right - left, list(strip))


def _place(widget: Widget, screen: Screen[Any]) -> Region | None:
    """Give where a widget is drawn, if it is all in sight and stays there; else `None`."""
    app = widget.app
    if widget.screen is not screen or app._batch_count or screen._layout_required:
        return None
    region, clip = screen._compositor.visible_widgets.get(widget, (Region(), Region()))
    if not region or not clip.contains_region(region) or widget.outer_size != region.size:
        return None
    for row in screen._compositor.layers_visible[region.y : region.bottom]:
        for above, part, _region in row:
            if above is widget:
                break
            if part.overlaps(region):
                return None
    return region


def _as_regions(widget: Widget, rows: set[int]) -> list[Region]:
    """Give the rows as Textual takes them: counted from the top of the content."""
    left, top = widget.content_offset
    width = widget.outer_size.width
    return [Region(-left, row - top, width, 1) for row in sorted(rows)]
