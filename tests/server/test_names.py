"""Names: which may be had, and which look alike (THREATS: a table of 60 pairs)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcswidth

from perudo_protocol.text import clean
from perudo_server.names import (
    NAME_CELLS,
    TABLE_NAME_CELLS,
    BadName,
    free_name,
    judge,
    judge_table_name,
    skeleton,
)

SAME = [
    ("Ana", "Ana"),
    ("Ana", "ANA"),
    ("Ana", "  ana "),
    ("Ana", "A n a"),
    ("Ana Belén", "anabelen"),
    ("Ana", "Ána"),
    ("Ana", "A\u0301na"),
    ("Ana", "Àñä"),
    ("Ana", "A.n-a_!"),
    ("Ana", "[Ana]"),
    ("Ana", "\u0410n\u0430"),  # Cyrillic around a Latin n
    ("Ana", "Αna"),  # Greek capital alpha
    ("Ana", "Ａｎａ"),  # fullwidth
    ("Ana", "𝐀𝐧𝐚"),  # mathematical bold
    ("Ana", "ᴀɴᴀ"),  # small capitals
    ("Ana", "ⓐⓝⓐ"),  # circled
    ("Bob", "B0b"),
    ("Bob", "Воb"),  # Cyrillic
    ("Bob", "Bοb"),  # Greek omicron
    ("Ian", "lan"),
    ("Ian", "1an"),
    ("Ian", "|an"),
    ("Lia", "IIa"),
    ("Ian", "ıan"),  # dotless
    ("Ian", "İan"),  # dotted
    ("Paco", "Расо"),  # all Cyrillic
    ("TOM", "ΤΟΜ"),  # all Greek
    ("Straße", "STRASSE"),
    ("Łukasz", "lukasz"),
    ("Søren", "Soren"),
    ("Marna", "Mama"),
    ("Σίσυφος", "ΣΙΣΥΦΟΣ"),  # final sigma
    ("Андрей", "АНДРЕЙ"),
    ("Пётр", "Петр"),
    ("שָׁלוֹם", "שלום"),  # with and without points
    ("مُحَمَّد", "محمد"),
    ("ｱﾅ", "アナ"),  # halfwidth
    ("ヘルマン", "へルマン"),  # katakana and hiragana he
    ("ﬁn", "fin"),
    ("👍🏽", "👍"),
]
DIFFERENT = [
    ("Ana", "Anna"),
    ("Ana", "Ava"),
    ("Ana", "Ana 2"),
    ("Ana 2", "Ana 3"),
    ("Bob", "Rob"),
    ("Tom", "Tim"),
    ("Иван", "Иванна"),
    ("かき", "がき"),  # the voicing mark makes another word
    ("के", "का"),  # a vowel does
    ("李", "王"),
    ("😀", "😃"),
    ("דוד", "דנה"),
    ("محمد", "أحمد"),
    ("+", "-1"),
]
REFUSED = [
    ("", "empty"),
    ("   ", "empty"),
    ("\u3000", "empty"),
    ("...", "punctuation"),
    ("-_-", "punctuation"),
    ("\x1b[31mred", "control sign (U+001B)"),
    ("\x9b31m", "control sign (U+009B)"),
    ("A\nna", "control sign (U+000A)"),
    ("A\rna", "control sign (U+000D)"),
    ("A\x00na", "control sign (U+0000)"),
    ("A\tna", "control sign (U+0009)"),
    ("A\x7fna", "control sign (U+007F)"),
    ("A\u200bna", "cannot be seen (U+200B)"),
    ("A\u200dna", "cannot be seen (U+200D)"),
    ("👨\u200d👩\u200d👧", "cannot be seen (U+200D)"),
    ("\u202eanA", "cannot be seen (U+202E)"),
    ("\u2066Ana", "cannot be seen (U+2066)"),
    ("Ana\u200f", "cannot be seen (U+200F)"),
    ("\ufeffAna", "cannot be seen (U+FEFF)"),
    ("A\u00adna", "cannot be seen (U+00AD)"),
    ("A\u034fna", "cannot be seen (U+034F)"),
    ("Ana\U000e0041", "cannot be seen (U+E0041)"),
    ("Ana\ufe0f", "cannot be seen (U+FE0F)"),
    ("\u2800", "cannot be seen (U+2800)"),
    ("\u3164", "terminal"),  # a Hangul filler
    ("\ud800", "half a sign"),
    ("\ue000", "half a sign"),
    ("\u0378", "does not know (U+0378)"),
    ("A" + "\u0301" * 5, "three to a letter"),
    ("\u0301Ana", "stand on nothing"),
    ("A" * 17, "17 cells"),
    ("日" * 9, "18 cells"),
    ("A" * 300, "300 signs"),
    ("\ufdfa" * 400, "7200 signs"),  # before the judges take a tenth of a second over it
    ("\ufdfa", "18 cells"),  # a sign that is spelt out
]
WELCOME = [
    *(
        "Ana",
        "José",
        "Zoë",
        "Nguyễn Văn Đức",
        "Łukasz",
        "Иван",
        "Νίκος",
        "李小龍",
        "さくら",
        "한글",
    ),
    *("דוד", "محمد", "สวัสดี", "क्षितिज", "😀", "👍🏽", "🇫🇷", "♥ Ana ♥", "<3", "42", "O'Brien"),
    *("[red]", "[@click=quit]", "$name", "A" * 16, "日" * 8),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_look_alikes_share_a_skeleton(one: str, other: str) -> None:
    assert skeleton(judge(one)) == skeleton(judge(other))


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_different_names_live_side_by_side(one: str, other: str) -> None:
    assert skeleton(judge(one)) != skeleton(judge(other))


@pytest.mark.parametrize(("name", "reason"), REFUSED)
def test_refused_with_a_reason(name: str, reason: str) -> None:
    with pytest.raises(BadName) as refused:
        judge(name)
    assert reason in str(refused.value)
    assert str(refused.value).isascii(), "the reason repeats nothing of the name but its codes"


@pytest.mark.parametrize("name", WELCOME)
def test_welcome_as_written(name: str) -> None:
    assert judge(name) == name


def test_compatible_forms_are_written_plainly() -> None:
    assert judge("  Ａｎａ \u00a0 Ⅱ ") == "Ana II"
    assert judge("A\u0301na") == "Ána"
    assert judge("❤\ufe0f") == "❤"


def test_a_table_may_have_a_longer_name() -> None:
    assert judge_table_name("A" * 24) == "A" * 24
    with pytest.raises(BadName, match="25 cells wide; it must fit into 24"):
        judge_table_name("A" * 25)


@given(st.text(max_size=40))
def test_what_is_let_in_is_seen_as_written(name: str) -> None:
    try:
        written = judge(name)
    except BadName:
        return
    assert judge(written) == written == clean(written)
    assert 1 <= wcswidth(written) <= NAME_CELLS
    assert skeleton(written)


_LETTERS = st.sampled_from("AnaIl10日か\u0301Ωя é😀")


@given(st.text(_LETTERS, min_size=1, max_size=16), st.integers(0, 30))
def test_a_free_name_is_free_and_fits(wanted: str, others: int) -> None:
    try:
        name = judge(wanted)
    except BadName:
        return
    taken: set[str] = set()
    for _ in range(others + 1):
        free = free_name(name, taken)
        assert skeleton(free) not in taken
        assert judge(free) == free
        taken.add(skeleton(free))


def test_free_names_read_well() -> None:
    assert free_name("Ana", {"bob"}) == "Ana"
    assert free_name("Ana", {"ana"}) == "Ana 2"
    assert free_name("Ana", {"ana", "ana2"}) == "Ana 3"
    assert free_name("A" * 16, {"a" * 16}) == "A" * 14 + " 2"
    assert free_name("日" * 12, {"日" * 12}, TABLE_NAME_CELLS) == "日" * 11 + " 2"
