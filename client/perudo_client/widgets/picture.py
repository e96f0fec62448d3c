"""What stands on the terminal, cell by cell, so that only what differs is written to it.

Textual writes every line that has changed whole, and says all of its colours again for each run of
text. Here a line is compared with the one that stands there: cells that are the same are passed
over, and of a look only what differs from the look before is said. A bid of somebody else is then
some hundred bytes instead of five thousand, which is felt over a slow line.

A `Picture` knows what stands only because everything that is drawn goes through it: see `Pen`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from rich.cells import cell_len, get_character_cell_size
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

GAP = 4
"""So many cells that are the same are written again rather than jumped over: a jump is as long."""
RESET = "\x1b[0m"
_RENDERED = re.compile(r"(?:\x1b\[([\d;]*)m)?x(?:\x1b\[0m)?")
_OFF = {"1": "22", "2": "22", "3": "23", "4": "24", "5": "25", "7": "27", "9": "29"}
"""What ends each attribute: bold and dim end together."""


class Look(NamedTuple):
    """How text looks, as the codes that a terminal takes; no colour stands for its own."""

    attributes: frozenset[str] = frozenset()
    colour: str = ""
    ground: str = ""


PLAIN = Look()
UNKNOWN = "\0"
"""Stands for a cell of which nothing is known: no sign that is drawn is the same."""


class Row:
    """Cells side by side: the sign in each, and its look."""

    __slots__ = ("looks", "signs")

    def __init__(self) -> None:
        """Begin without cells."""
        self.signs = ""
        self.looks: list[Look] = []

    def add(self, signs: str, look: Look) -> None:
        """Put cells of one look at the end."""
        self.signs += signs
        self.looks += [look] * len(signs)

    def put(self, x: int, part: Row) -> None:
        """Put these cells in the place of those from `x` on; between them may be unknown ones."""
        if x > len(self.signs):
            self.add(UNKNOWN * (x - len(self.signs)), PLAIN)
        end = x + len(part.signs)
        self.signs = self.signs[:x] + part.signs + self.signs[end:]
        self.looks[x:end] = part.looks


class Patch(NamedTuple):
    """Part of a row as it should be."""

    x: int
    y: int
    width: int
    segments: Sequence[Segment]
    """They fill the width. A `Strip` would weigh ten times as much, and such rows are kept."""


class Picture:
    """The cells of a terminal as they were written last."""

    def __init__(self) -> None:
        """Begin with a terminal of which nothing is known."""
        self._whole: list[Sequence[Segment]] = []
        """Rows as they were drawn whole; they are cut into cells when they are compared."""
        self._rows: dict[int, Row] = {}
        self._looks: dict[Style | None, Look | None] = {}
        self._known = {PLAIN: PLAIN}
        """Each look once, so that two that are the same are one."""

    def forget(self) -> None:
        """Know nothing: the terminal was cleared, or others have written on it."""
        self._whole = []
        self._rows = {}

    def drawn(self, rows: Iterable[Iterable[Strip]]) -> None:
        """Take note that all rows were drawn, from the first on, each as these strips in turn."""
        self._whole = [tuple(segment for strip in row for segment in strip) for row in rows]
        self._rows = {}

    def change(self, patches: Iterable[Patch], console: Console) -> str:
        """Give what to write so that these patches stand there; they do from now on."""
        written: list[str] = []
        look = PLAIN
        for x, y, width, segments in patches:
            row, part = self._row(y, console), self._cells(segments, console)
            if UNKNOWN in part.signs:
                written += [_to(x, y), _turn(look, PLAIN), Strip(segments, width).render(console)]
                look = PLAIN
            else:
                for start, end in _differences(row, x, part):
                    written.append(_to(x + start, y))
                    for at in range(start, end):
                        if part.looks[at] is not look:
                            written.append(_turn(look, part.looks[at]))
                        look = part.looks[at]
                        written.append(part.signs[at])
            row.put(x, part)
        return "".join([*written, _turn(look, PLAIN)])

    def _row(self, y: int, console: Console) -> Row:
        row = self._rows.get(y)
        if row is None:
            row = self._cells(self._whole[y] if y < len(self._whole) else (), console)
            self._rows[y] = row
        return row

    def _cells(self, segments: Iterable[Segment], console: Console) -> Row:
        """Cut segments into cells, unknown for signs that are not one cell wide and for links."""
        row = Row()
        for text, style, _control in segments:
            look = self._look(style, console)
            if look is None or not _one_cell_each(text):
                row.add(UNKNOWN * cell_len(text), PLAIN)
            else:
                row.add(text, look)
        return row

    def _look(self, style: Style | None, console: Console) -> Look | None:
        if style not in self._looks:
            if len(self._looks) > 1000:  # themes come and go
                self._looks.clear()
            look = _read(Strip([Segment("x", style)], 1).render(console))
            self._looks[style] = None if look is None else self._known.setdefault(look, look)
        return self._looks[style]


@lru_cache(4096)
def _one_cell_each(text: str) -> bool:
    return text.isprintable() and (
        text.isascii() or all(get_character_cell_size(sign) == 1 for sign in text)
    )


def _read(rendered: str) -> Look | None:
    """Read how a sign was written; `None` for what is more than attributes and colours."""
    match = _RENDERED.fullmatch(rendered)
    if match is None:
        return None
    attributes: set[str] = set()
    colours = {"3": "", "4": ""}
    codes = iter((match[1] or "").split(";"))
    for code in codes:
        if code in ("38", "48"):
            kind = next(codes)
            values = [next(codes) for _value in range(3 if kind == "2" else 1)]
            colours[code[0]] = ";".join([code, kind, *values])
        elif code in _OFF:
            attributes.add(code)
        elif len(code) == 2 and code[0] in "349":  # 9x is the bright one of 3x
            colours["4" if code[0] == "4" else "3"] = "" if code[1] == "9" else code
        elif len(code) == 3:  # 10x is the bright one of 4x
            colours["4"] = code
        elif code:
            return None
    return Look(frozenset(attributes), colours["3"], colours["4"])


def _to(x: int, y: int) -> str:
    return f"\x1b[{y + 1};{x + 1}H"


@lru_cache(1024)
def _turn(old: Look, new: Look) -> str:
    """Give what turns one look into another."""
    if old == new:
        return ""
    if new == PLAIN:
        return RESET
    ended = {_OFF[code] for code in old.attributes - new.attributes}
    begun = new.attributes if ended else new.attributes - old.attributes
    codes = [*sorted(ended), *sorted(begun)]
    if old.colour != new.colour:
        codes.append(new.colour or "39")
    if old.ground != new.ground:
        codes.append(new.ground or "49")
    return f"\x1b[{';'.join(codes)}m"


def _differences(row: Row, x: int, part: Row) -> Iterator[tuple[int, int]]:
    """Give from where to where cells differ from those of a row from `x` on, stretches that are
    close together as one."""
    long = len(part.signs)
    old, looks = row.signs[x : x + long].ljust(long, UNKNOWN), row.looks[x : x + long]
    looks += [PLAIN] * (long - len(looks))
    cells = zip(old, part.signs, looks, part.looks, strict=True)
    others = [at for at, (was, is_, had, has) in enumerate(cells) if was != is_ or had is not has]
    if not others:
        return
    start = end = others[0]
    for at in others:
        if at - end > GAP:
            yield start, end
            start = at
        end = at + 1
    yield start, end
