"""Cleaning text from others: nothing that moves the cursor is left, nothing legible is lost."""

from __future__ import annotations

import sys
from unicodedata import category, is_normalized

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perudo_protocol.text import MOST_MARKS, clean

# Weighted towards the trouble: plain letters alone would find nothing.
SIGNS = st.one_of(
    st.characters(),
    st.characters(categories=["Mn", "Me", "Mc"]),
    st.characters(categories=["Cc", "Cf", "Cs", "Co", "Zs", "Zl", "Zp"]),
    st.sampled_from("\u1100\u1161\u11a8\uac00\u0301\u0308\u0323 a"),
)
TEXTS = st.text(SIGNS, max_size=40)
UNWANTED = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}


@given(TEXTS)
def test_nothing_is_left_that_a_terminal_obeys(text: str) -> None:
    left = clean(text)
    assert not {category(sign) for sign in left} & UNWANTED
    assert left.isprintable() or any(category(sign) == "Cn" for sign in left)
    left.encode("utf-8")


@given(TEXTS)
def test_cleaning_twice_changes_nothing_more(text: str) -> None:
    assert clean(clean(text)) == clean(text)


@given(TEXTS)
def test_the_rest_is_composed_and_no_longer(text: str) -> None:
    assert is_normalized("NFC", clean(text))
    assert len(clean(text)) <= 3 * len(text)


@given(TEXTS)
def test_marks_stand_on_something_and_not_too_many(text: str) -> None:
    run = MOST_MARKS
    for sign in clean(text):
        run = run + 1 if category(sign).startswith("M") else (MOST_MARKS if sign == " " else 0)
        assert run <= MOST_MARKS


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126)))
def test_plain_text_stays_as_it_is(text: str) -> None:
    assert clean(text) == text


def test_each_sign_by_itself_is_stable() -> None:
    planes_in_use = (*range(0x32400), *range(0xE0000, 0xE1000), sys.maxunicode)
    for point in planes_in_use:
        once = clean("a" + chr(point))
        assert clean(once) == once
        assert is_normalized("NFC", once)
        assert not {category(sign) for sign in once} & UNWANTED, hex(point)
        assert not once.endswith("\xa0"), "another kind of space"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("\x1b[31mred\x1b[0m", "[31mred[0m"),
        ("\x1b]0;title\x07", "]0;title"),
        ("\x9b2J", "2J"),
        ("one\ttwo\r\nthree\u2028four", "one two  three four"),
        ("nul\x00bel\x07del\x7f", "nulbeldel"),
        ("\u202eevil\u202c \u2066iso\u2069", "evil iso"),
        ("a\u200bb\u200cc\u200dd\ufeffe\u2060f\u00adg", "abcdefg"),
        ("\u3164\u115f\uffa0\u1160", ""),
        ("no\u00a0break\u3000wide\u2800blank", "no break wide blank"),
        ("\ud800lone\udfff", "lone"),
        ("\ue000\U000f0000\U0010fffdprivate", "private"),
        ("\ufdd0\ufffe\uffff\U0001ffffnone", "none"),
        ("\U000e0041\U000e007ftag", "tag"),
        ("z" + "\u0310" * 40, "z" + "\u0310" * 3),
        ("\u0301leading", "leading"),
        ("after \u0301space", "after space"),
        ("e\u0301", "\u00e9"),
        ("e\u200d\u0301", "\u00e9"),
        ("\u2764\ufe0f", "\u2764"),
        ("[red]x[/] [@click=app.quit]y", "[red]x[/] [@click=app.quit]y"),
    ],
)
def test_what_goes_and_what_stays(text: str, left: str) -> None:
    assert clean(text) == left


@pytest.mark.parametrize(
    "text",
    [
        "Zoë Núñez-Ferrão",
        "Đặng Thị Hồng Ngọc",
        "שלום עולם",
        "مرحبا بالعالم",
        "你好世界",
        "こんにちは",
        "한국어",
        "สวัสดี",
        "नमस्ते",
        "🎲 🫡 👍🏽 🇧🇷",
        "5×4 – ½",
    ],
)
def test_the_writing_of_the_world_stays(text: str) -> None:
    assert clean(text) == text
