"""Happenings as tales for the story on the screen: worded, with a look, without spoilers."""

from __future__ import annotations

from . import happenings as h
from . import words
from .i18n import _
from .widgets.story import Tale

_SHOWN_ELSEWHERE = (h.BidMade, h.TurnPassed, h.YourTurn, h.HandDealt, h.ReadyChanged)
"""What the ladder, the seats and the cup show by themselves."""
_SPOILING = (h.Revealed, h.DiceMoved, h.WentOutOfGame, h.DiceGone, h.NextOpener, h.GameOver)
"""What must not be read before the cups are open."""


def tales(happening: h.Happening) -> list[Tale]:
    """Word one happening for the story; nothing for what the screen shows by itself."""
    if isinstance(happening, _SHOWN_ELSEWHERE):
        return []
    if isinstance(happening, h.ChatSaid):
        name = _("you") if happening.mine else happening.name
        return [Tale(words.chat_text(happening), who=f"{name}:")]
    number = happening.view.round if isinstance(happening, h.AtTable) else 0
    spoils = isinstance(happening, _SPOILING)
    role = "" if isinstance(happening, h.Revealed | h.GameOver) else "dim"
    return [Tale(text, role, round=number, spoils=spoils) for text in words.story(happening)]
