"""The judge of names: which may be had here, and which look alike.

A name passes the nickname profile of PRECIS (RFC 8266), must look to its reader as it is written,
and fits its width. It is refused with a reason, never changed by more than PRECIS asks (compatible
forms become plain ones, spaces single). Its skeleton must be unique among the people here: what
stays when accents, case, spaces and punctuation go and letters that look alike become one.
"""

from __future__ import annotations

from collections.abc import Container
from itertools import count, zip_longest
from unicodedata import category, normalize

from precis_i18n import get_profile
from wcwidth import wcswidth

from perudo_protocol.text import MOST_MARKS, clean

NAME_CELLS = 16
"""The widest name of a person, in cells of a terminal; a wide letter takes two."""
TABLE_NAME_CELLS = 24

_PROFILE = get_profile("NicknameCasePreserved")
_EMOJI_STYLE = "\ufe0f"
"""Asks for the coloured form of the symbol before it; terminals have one form for each."""

_REASONS = {
    "empty": "is empty",
    "controls": "has a control sign",
    "zero_width_joiner": "has a sign that cannot be seen",
    "zero_width_nonjoiner": "has a sign that cannot be seen",
    "precis_ignorable_properties": "has a sign that cannot be seen",
    "other": "has half a sign or one without a meaning of its own",
    "unassigned": "has a sign that Unicode does not know",
}
"""What PRECIS holds against a sign, in plain words."""

_ALIKE = """
    0oоοø 1lіιiӏıɪł| aаαɑᴀ bвβʙ cсᴄ dԁđᴅ eеεᴇ fꜰ gɡɢ hнηһħʜ jјᴊ kкκᴋ mмμᴍ nпνɴ
    pрρᴘ qԛ rгʀ sѕꜱ tтτŧᴛ uᴜ vᴠ wԝωᴡ xхχ yуυγүʏ zζᴢ 3з
    ヘへ ー一 ロ口 ニ二 カ力 タ夕 ハ八 ト卜 エ工
"""
"""Small letters, digits and signs that look alike (in small or capital form), in groups."""

_FOLD = str.maketrans({sign: group[0] for group in _ALIKE.split() for sign in group[1:]})

_ACCENTS = (
    ("\u0300", "\u036f"),
    ("\u1ab0", "\u1aff"),
    ("\u1dc0", "\u1dff"),
    ("\u20d0", "\u20ff"),
    ("\ufe20", "\ufe2f"),
    ("\u0591", "\u05c7"),  # Hebrew points
    ("\u0610", "\u061a"),  # Arabic marks
    ("\u064b", "\u065f"),
    ("\u0670", "\u0670"),
)
"""Marks a reader may pass over; those of other scripts (vowels, voicing) make other names."""


class BadName(ValueError):
    """A name that cannot be had; the text is a sentence that says why and what would be right."""


def judge(name: str) -> str:
    """Give a person's name as it is written here; raise `BadName`."""
    return _judge(name, NAME_CELLS)


def judge_table_name(name: str) -> str:
    """Give a table's name as it is written here; raise `BadName`."""
    return _judge(name, TABLE_NAME_CELLS)


def _judge(name: str, cells: int) -> str:
    plain = len(normalize("NFKC", name).strip())
    if plain > cells * (1 + MOST_MARKS):  # the judges are slow, and one sign may stand for 18
        raise BadName(f"this name is {plain} signs long; it must fit into {cells} cells")
    try:
        written: str = _PROFILE.enforce(_without_emoji_style(normalize("NFC", name)))
    except UnicodeEncodeError as bad:
        sign = bad.object[bad.start : bad.end] if isinstance(bad.object, str) else ""
        raise _refused(bad.reason.partition("/")[2], sign) from None
    if (seen := clean(written)) != written:
        raise _unlike(written, seen)
    width = wcswidth(written)
    if not 1 <= width <= cells:
        raise BadName(f"this name is {width} cells wide; it must fit into {cells}")
    if not skeleton(written):
        raise BadName("this name is all punctuation; it needs a letter, a digit or a symbol")
    return written


def _refused(why: str, sign: str) -> BadName:
    if why == "empty":
        return BadName("this name is empty; it needs a letter, a digit or a symbol")
    reason = _REASONS.get(why, "has a sign that not every terminal can show")
    return BadName(f"this name {reason} ({_codes(sign)}); it must do without")


def _unlike(written: str, seen: str) -> BadName:
    """Word why a name would not be seen as it is written."""
    lost = next((sign for sign, kept in zip_longest(written, seen) if sign != kept), "") or ""
    if lost and category(lost).startswith("M"):
        return BadName(
            f"this name has marks ({_codes(lost)}) that stand on nothing, or on too many others;"
            " it must have three to a letter at most"
        )
    return _refused("precis_ignorable_properties", lost)


def _codes(signs: str) -> str:
    return " ".join(f"U+{ord(sign):04X}" for sign in signs)


def _without_emoji_style(name: str) -> str:
    return "".join(
        sign
        for before, sign in zip(" " + name, name, strict=False)
        if not (sign == _EMOJI_STYLE and category(before) == "So")
    )


def skeleton(name: str) -> str:
    """Give what a name looks like at a glance; empty when it is all spaces and punctuation."""
    bare = normalize("NFKD", normalize("NFKD", name).casefold())
    folded = "".join(sign for sign in bare if not _passed_over(sign)).translate(_FOLD)
    return folded.replace("rn", "m").replace("vv", "w")


def _passed_over(sign: str) -> bool:
    kind = category(sign)
    if kind == "Mn" or kind == "Me":
        return any(first <= sign <= last for first, last in _ACCENTS)
    return kind[0] in "ZPC" or kind == "Sk" or "\u02b0" <= sign <= "\u02ff"


def free_name(wanted: str, taken: Container[str], cells: int = NAME_CELLS) -> str:
    """Give `wanted`, or `wanted 2` and so on: the first whose skeleton is not among those taken.

    The stem loses letters at its end where the number needs the room.
    """
    if skeleton(wanted) not in taken:
        return wanted
    for number in count(2):
        stem = wanted
        while wcswidth(name := f"{stem.rstrip()} {number}") > cells:
            stem = stem[:-1]
        if skeleton(name) not in taken:
            return name
    raise AssertionError("unreachable")
