"""Everything on the screen in ASCII signs, for terminals that have no others."""

from __future__ import annotations

from functools import lru_cache

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

_SIGNS = {
    "+": "╭╮╰╯┌┐└┘├┤┬┴┼┏┓┗┛╔╗╚╝",
    "=": "━═",
    "-": "─–—╌▁▔▂▃🬂🬭╶╴╸╺",
    "|": "│┃║▏▎▍▌▐▕▋▊▉╵╷╹╻",
    "#": "■█▇▆▅▄▀",
    ".": "·…•⋅∙",
    "o": "□○◯",
    "*": "●◆★⭘",
    ">": "▸▶►→›",
    "<": "◂◀◄←‹⏎",
    "^": "↑▲",
    "v": "↓▼✓✔",
    "x": "×✕✗",
    "'": "‘’",
    '"': "“”",
}
_TABLE = {ord(sign): plain for plain, signs in _SIGNS.items() for sign in signs}


class AsciiFilter(LineFilter):
    """Puts an ASCII sign of the same width in the place of every other sign."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Translate a line; called by Textual for each line that it draws."""
        return [
            segment if segment.text.isascii() else segment._replace(text=to_ascii(segment.text))
            for segment in segments
        ]


@lru_cache(2048)
def to_ascii(text: str) -> str:
    """Give the text in ASCII signs and in as many cells."""
    return "".join(
        sign if sign.isascii() else "?" * cell_len(sign) for sign in text.translate(_TABLE)
    )
