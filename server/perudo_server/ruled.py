"""Events of the rules as entries of the journal, and back."""

from __future__ import annotations

from dataclasses import fields

import msgspec

from .entries import Ruled, UnreadableEntry
from .rules import events as e

_WORDS: dict[type[e.Event], str] = {
    e.Thrown: "thrown",
    e.NextSet: "next",
    e.Dealt: "dealt",
    e.BidPlaced: "bid",
    e.TimedOut: "timeout",
    e.Called: "call",
    e.DieLost: "lose",
    e.DieGained: "gain",
    e.Left: "left",
    e.Cleared: "clear",
    e.WentOut: "out",
    e.Won: "won",
}
_EVENTS = {word: kind for kind, word in _WORDS.items()}
_NAMES = {kind: tuple(field.name for field in fields(kind)) for kind in _WORDS}


def ruled(event: e.Event) -> Ruled:
    """Write down an event of the rules."""
    kind = type(event)
    return Ruled(_WORDS[kind], tuple([getattr(event, name) for name in _NAMES[kind]]))


def event_of(entry: Ruled) -> e.Event:
    """Read an event of the rules back; raises `UnreadableEntry`."""
    kind = _EVENTS.get(entry.event)
    if kind is None:
        raise UnreadableEntry(f"no event {entry.event!r}")
    try:
        return msgspec.convert(dict(zip(_NAMES[kind], entry.values, strict=True)), kind)
    except (msgspec.MsgspecError, ValueError) as wrong:
        raise UnreadableEntry(str(wrong)) from None
