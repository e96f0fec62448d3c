"""Text from other people, made safe for one line of a terminal.

A server cleans what it passes on, and a client cleans again what it shows, for it cannot know what
server it speaks to. Standard library only.
"""

from __future__ import annotations

import re
from functools import cache
from unicodedata import category, normalize

MOST_MARKS = 3
"""The longest run of marks on one sign; more would paint over the lines above."""

_BREAKS = "\t\n\v\f\r\x1c\x1d\x1e\x1f\x85\u2028\u2029"
"""Controls and separators that stand between words."""

_BLANK = "\u2800"
"""A braille cell without dots: a space that calls itself a symbol."""

_PLAIN = frozenset(
    chr(point)
    for first, last in (
        (0x20, 0x7E),
        (0xA1, 0xAC),  # what else there is in Latin, but for the space and the soft hyphen
        (0xAE, 0xFF),
        (0x2013, 0x2014),  # dashes
        (0x2018, 0x2019),  # quotation marks
        (0x2026, 0x2026),  # the ellipsis
        (0x2190, 0x2193),  # arrows
        (0x2500, 0x25FF),  # all that lines and boxes are drawn with
        (0x2713, 0x2713),  # the tick
    )
    for point in range(first, last + 1)
)
"""The signs of which a text may consist to be clean as it stands, as most are.

So it costs little, and of what Python knows about all the other signs nothing is fetched.
"""

_UNWANTED = {"Cc", "Cf", "Cs", "Co"}
"""Controls (ESC among them), formats (bidi, zero width), surrogates, private use."""


def clean(text: str) -> str:
    """Give `text` without anything that could move, hide or recolour what stands around it.

    Line breaks, tabs and all kinds of space become plain spaces. Controls, formats (bidi and zero
    width signs, joiners), variation selectors and other signs without a shape, lone surrogates,
    private use and noncharacters go. Of a run of combining marks three stay, of marks with nothing
    to stand on none; the rest is composed (NFC). What would be drawn stays: letters of every
    script, digits, symbols, emoji, markup. Cleaning twice changes nothing more.
    """
    if _PLAIN.issuperset(text):
        return text
    kept = "".join(_seen(sign) for sign in text)
    return "".join(_on_its_feet(normalize("NFC", kept)))


def _seen(sign: str) -> str:
    if " " <= sign <= "~":
        return sign
    kind = category(sign)
    if kind == "Zs" or sign == _BLANK or sign in _BREAKS:
        return " "
    if kind in _UNWANTED or _unseen().match(sign) or ord(sign) & 0xFFFE == 0xFFFE:
        return ""
    return sign


@cache
def _unseen() -> re.Pattern[str]:
    """Match the signs without a shape that have the category of a letter, a mark, or none at all;
    made when a text is not plain, which takes longer than all that is done with one that is."""
    return re.compile(
        "["
        "\u034f"  # combining grapheme joiner
        "\u115f\u1160\u3164\uffa0"  # Hangul fillers
        "\u17b4\u17b5"  # Khmer inherent vowels
        "\u180b-\u180f"  # Mongolian selectors
        "\u2060-\u206f"  # joiners, isolates, deprecated controls
        "\ufdd0-\ufdef"  # noncharacters
        "\ufe00-\ufe0f"  # variation selectors
        "\ufff0-\uffff"  # specials, annotation, noncharacters
        "\U000e0000-\U000e0fff"  # tags, more variation selectors
        "]"
    )


def _on_its_feet(text: str) -> list[str]:
    """Drop the marks of a run after the third, and those that stand on nothing."""
    kept: list[str] = []
    room = 0
    for sign in text:
        if not _leans(sign):
            room = 0 if sign == " " else MOST_MARKS
        elif room == 0:
            continue
        else:
            room -= 1
        kept.append(sign)
    return kept


def _leans(sign: str) -> bool:
    """Say whether this is drawn on the sign before it: a mark, or a Hangul vowel or final."""
    return (
        category(sign).startswith("M")
        or "\u1160" <= sign <= "\u11ff"
        or "\ud7b0" <= sign <= "\ud7ff"
    )
