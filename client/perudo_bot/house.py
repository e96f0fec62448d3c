"""Bots for whoever seats them: a brain of its own each, unlike any other's."""

from __future__ import annotations

import random

from .brain import Brain
from .comeback import CallLater
from .runner import BotPlayer


def house_bot(name: str, seconds: float, call_later: CallLater | None = None) -> BotPlayer:
    """Make a bot that plays whatever seat it is given; see `BotPlayer` for the values."""
    return BotPlayer(name, Brain(random.Random()), seconds, call_later=call_later)
