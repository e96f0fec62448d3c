"""Values that hold somebody's own dice say how many they are, never which."""

from __future__ import annotations

from perudo_protocol.messages import OwnHand, View
from perudo_protocol.views import TableView


def test_no_text_of_a_value_tells_a_hand() -> None:
    """Whatever is printed, logged or raised with it in hand."""
    hand = (6, 6, 6, 6, 5)
    view = TableView(table=1, name="T", rules={}, rev=1, host=1, seats=(), you=1, hand=hand)
    for value in (OwnHand(round=1, dice=hand), view, View(view=view)):
        for text in (repr(value), str(value), f"{value}", f"{value!r}"):
            assert "6" not in text
            assert "<5>" in text
