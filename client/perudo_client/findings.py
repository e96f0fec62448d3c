"""What the check of the dice finds, each finding with its round; pure data."""

from __future__ import annotations

from dataclasses import dataclass

from .faults import Fault


@dataclass(frozen=True, slots=True)
class Checked:
    """All dice of a round were shown, and are right."""

    round: int
    seats: int
    dice: int
    chain: bytes
    shared: bool = True
    """Our own share is in these dice."""


@dataclass(frozen=True, slots=True)
class Unshown:
    """A round ended without a call; its link in the chain is right."""

    round: int
    chain: bytes
    shared: bool = True
    """Our own share is in these dice."""


@dataclass(frozen=True, slots=True)
class Anew:
    """A new attempt at a round's dice, without the seats whose share did not come."""

    round: int
    attempt: int
    left_out: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Excused:
    """Our share came late because this computer slept, or our line was lost."""

    round: int


@dataclass(frozen=True, slots=True)
class Gap:
    """What happened before this round was not told to us: it is taken on trust."""

    round: int


@dataclass(frozen=True, slots=True)
class Without:
    """The dice of a round were dealt without our share."""

    round: int


Finding = Checked | Unshown | Anew | Excused | Gap | Without | Fault
