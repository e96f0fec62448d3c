"""The options of a table and the presets: names, values, defaults, in the rules' own order.

A table's options are fixed when it opens and shown to all. Both sides need the list: the server to
judge by it, a client to offer it. Standard library only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One table's options; the defaults are the preset `standard`.

    Build one with `ruleset()`, which checks names and values.
    """

    raising: str = "standard"
    open_aces: bool = False
    wild_aces: bool = True
    dudo_by: str = "turn"
    spot_on: bool = True
    spot_on_by: str = "turn"
    spot_on_reward: str = "both"
    spot_on_palifico: bool = False
    spot_on_heads_up: bool = True
    palifico: str = "every"
    palifico_heads_up: bool = True
    palifico_change: str = "nobody"
    start_dice: int = 5
    max_players: int = 6
    first_player: str = "roll"
    turn_seconds: int = 60
    away_seconds: int = 60
    on_leave: str = "bot"

    def changes(self) -> dict[str, Any]:
        """Give the options that differ from the preset `standard`, by name."""
        given = [(name, getattr(self, name)) for name in CHOICES]
        return {name: value for name, value in given if value != getattr(STANDARD, name)}


class Choice(NamedTuple):
    """The values that one option may have: words, or whole numbers in a range.

    For a number, `least` and `most` are inclusive and `zero` says whether 0 is allowed besides.
    """

    words: tuple[str, ...] = ()
    least: int = 0
    most: int = 0
    zero: bool = False


SWITCH = Choice(words=("off", "on"))
"""An option that is on or off; its value is a boolean."""

CHOICES: Mapping[str, Choice] = {
    "raising": Choice(words=("standard", "no_lower_face", "one_axis")),
    "open_aces": SWITCH,
    "wild_aces": SWITCH,
    "dudo_by": Choice(words=("turn", "any")),
    "spot_on": SWITCH,
    "spot_on_by": Choice(words=("turn", "any")),
    "spot_on_reward": Choice(words=("both", "regain", "bidder")),
    "spot_on_palifico": SWITCH,
    "spot_on_heads_up": SWITCH,
    "palifico": Choice(words=("every", "once", "off")),
    "palifico_heads_up": SWITCH,
    "palifico_change": Choice(words=("nobody", "one_die")),
    "start_dice": Choice(least=1, most=6),
    "max_players": Choice(least=2, most=10),
    "first_player": Choice(words=("roll", "random")),
    "turn_seconds": Choice(least=10, most=600, zero=True),
    "away_seconds": Choice(least=10, most=3600),
    "on_leave": Choice(words=("bot", "ghost")),
}
"""Every option and what it may be set to."""

STANDARD = Ruleset()

PRESETS: Mapping[str, Mapping[str, Any]] = {
    "standard": {},
    "classic": {"spot_on": False},
    "cacho": {"open_aces": True},
    "club": {
        "spot_on_reward": "regain",
        "spot_on_by": "any",
        "spot_on_heads_up": False,
        "palifico": "once",
        "palifico_heads_up": False,
        "palifico_change": "one_die",
    },
    "strict": {"raising": "one_axis", "spot_on": False},
}
"""Named sets of options, as differences from `standard`."""


class OptionError(ValueError):
    """An option that does not exist, or a value that it cannot have; the text says why."""


def ruleset(preset: str = "standard", changes: Mapping[str, object] | None = None) -> Ruleset:
    """Build a table's options from a preset and single changes over it.

    Raises `OptionError` for an unknown preset or option and for a value out of range; booleans are
    not numbers here.
    """
    if preset not in PRESETS:
        raise OptionError(f"no preset is called {preset!r}; there are {', '.join(PRESETS)}")
    values: dict[str, Any] = {**PRESETS[preset], **(changes or {})}
    for name, value in values.items():
        _check(name, value)
    return Ruleset(**values)


def from_wire(values: Mapping[str, object]) -> Ruleset:
    """Build the options from the full mapping that a view carries; raises `OptionError`."""
    return ruleset("standard", values)


def to_wire(rules: Ruleset) -> dict[str, Any]:
    """Give all options by name, as a view carries them."""
    return {name: getattr(rules, name) for name in CHOICES}


@lru_cache(64)
def preset_of(rules: Ruleset) -> str:
    """Name the preset that these options are, or give the empty text when they are none.

    How many may sit, how long they may think and who plays on for the absent do not count.
    """
    house = ("max_players", "turn_seconds", "away_seconds", "on_leave", "first_player")
    mine = {k: v for k, v in rules.changes().items() if k not in house}
    return next((name for name, changes in PRESETS.items() if dict(changes) == mine), "")


def _check(name: str, value: object) -> None:
    choice = CHOICES.get(name)
    if choice is None:
        raise OptionError(f"no option is called {name!r}; there are {', '.join(CHOICES)}")
    if choice is SWITCH:
        if not isinstance(value, bool):
            raise OptionError(f"{name} is either true or false, not {value!r}")
    elif choice.words:
        if value not in choice.words:
            raise OptionError(f"{name} is one of {', '.join(choice.words)}, not {value!r}")
    elif not _fits(choice, value):
        zero = "0 or " if choice.zero else ""
        span = f"a whole number, {zero}{choice.least} to {choice.most}"
        raise OptionError(f"{name} is {span}, not {value!r}")


def _fits(choice: Choice, value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int):
        return False
    return choice.least <= value <= choice.most or (choice.zero and value == 0)
