"""Join words: what people take for the same is one key, and a proof is good for one thing."""

from __future__ import annotations

from pathlib import Path

import pytest

from perudo_protocol import lock
from tests.support.vectors import ANSWERED, ASKED, KEY, PROOF, SALT, WORDS

DOCUMENT = (Path(__file__).parents[2] / "protocol" / "README.md").read_text(encoding="utf-8")
SECTION = DOCUMENT.partition("\n## Join words\n")[2].partition("\n## ")[0]
CERTIFICATE = b"\x23" * 32


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("blue fox rain", "blue fox rain"),
        ("  Blue  Fox-Rain\t", "blue fox rain"),
        ("BLUE--FOX - RAIN", "blue fox rain"),
        ("Straße", "strasse"),
        ("e\u0301te\u0301", "\u00e9t\u00e9"),
        ("ﬁne\u3000day", "fine day"),
        ("-", ""),
    ],
)
def test_words_that_people_take_for_the_same_are_the_same(said: str, meant: str) -> None:
    assert lock.plain_words(said) == meant


def test_the_key_and_the_proofs_are_those_of_the_document() -> None:
    key = lock.make_key("Blue  Fox-Rain", SALT)
    assert key == lock.make_key(WORDS, SALT) == KEY
    bound = lock.prove(key, 3, ASKED, ANSWERED, CERTIFICATE)
    assert lock.prove(key, 0, ASKED, ANSWERED) == PROOF
    for value in (KEY, PROOF, bound):
        assert value.hex() in SECTION


def test_a_proof_is_good_for_nothing_else() -> None:
    right = (KEY, 3, ASKED, ANSWERED, CERTIFICATE)
    proof = lock.prove(*right)
    assert lock.proves(proof, *right)
    others = (b"x" * 32, 33, ANSWERED, ASKED, b"")
    for place, other in enumerate(others):
        changed = [*right[:place], other, *right[place + 1 :]]
        assert not lock.proves(proof, *changed)  # type: ignore[arg-type]
    assert not lock.proves(proof[:-1], *right)
    assert not lock.proves(b"", *right)


def test_another_salt_or_cost_is_another_key() -> None:
    keys = {
        lock.make_key(WORDS, SALT),
        lock.make_key(WORDS, ASKED),
        lock.make_key(WORDS, SALT, 16),
        lock.make_key("blue fox", SALT),
    }
    assert len(keys) == 4
    assert all(len(key) == lock.SIZE for key in keys)


@pytest.mark.parametrize("cost", [-1, 0, 9, 10, 14, 18, 64])
def test_no_key_is_made_that_costs_too_little_or_too_much(cost: int) -> None:
    with pytest.raises(ValueError, match="a cost of 15 to 17"):
        lock.make_key(WORDS, SALT, cost)


def test_words_of_any_signs_make_a_key() -> None:
    assert len(lock.make_key("\ud800 \x00 李", SALT)) == lock.SIZE
