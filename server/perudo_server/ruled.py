"""Events of the rules as entries of the journal, and back."""

from __future__ import annotations

import msgspec
from msgspec.structs import astuple

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


def ruled(event: e.Event, deadline: float = 0.0) -> Ruled:
    """Write down an event of the rules, and the end of the turn that it begins."""
    return Ruled(_WORDS[type(event)], astuple(event), deadline)


def event_of(entry: Ruled) -> e.Event:
    """Read an event of the rules back; raises `UnreadableEntry`."""
    kind = _EVENTS.get(entry.event)
    if kind is None:
        raise UnreadableEntry(f"no event {entry.event!r}")
    try:
        return msgspec.convert(dict(zip(kind.__struct_fields__, entry.values, strict=True)), kind)
    except (msgspec.MsgspecError, ValueError) as wrong:
        raise UnreadableEntry(str(wrong)) from None
