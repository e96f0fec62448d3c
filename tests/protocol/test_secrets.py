"""Values that hold somebody's own dice, or what they follow from, never say them.

Whatever is printed, logged or raised with such a value in hand.
"""

from __future__ import annotations

import pytest

from perudo_protocol.messages import Entropy, Lock, Make, OwnHand, View
from perudo_protocol.views import TableView

HAND = (6, 6, 6, 6, 5)
SEED = b"\xee" * 32
VIEW = TableView(table=1, name="T", rules={}, rev=1, host=1, seats=(), you=1, hand=HAND, seed=SEED)


def texts(value: object) -> list[str]:
    """Give all ways in which a value may become text."""
    return [repr(value), str(value), f"{value}", f"{value!r}", f"{[value]}"]


@pytest.mark.parametrize(
    "value", [OwnHand(round=1, dice=HAND, seed=SEED), VIEW, View(view=VIEW)], ids=lambda v: type(v)
)
def test_no_text_of_a_value_tells_a_hand(value: object) -> None:
    for text in texts(value):
        assert "6" not in text
        assert "<5>" in text
        assert "xee" not in text


def test_no_text_of_entropy_tells_it() -> None:
    sent = Entropy(game=1, round=2, attempt=3, entropy=SEED, promise=b"\xdd" * 32)
    for text in texts(sent):
        assert "xee" not in text
        assert "game=1, round=2, attempt=3" in text


def test_no_text_of_a_lock_tells_its_key() -> None:
    lock = Lock(salt=b"\xdd" * 32, key=SEED)
    for value in (lock, Make(id=1, name="T", lock=lock)):
        for text in texts(value):
            assert "xee" not in text
            assert "Lock(...)" in text
