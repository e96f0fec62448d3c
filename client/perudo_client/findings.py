"""What the check of the dice finds, each finding with its round; pure data."""

from __future__ import annotations

from msgspec import Struct

from .faults import Fault


class Checked(Struct, frozen=True):
    """All dice of a round were shown, and are right."""

    round: int
    seats: int
    dice: int
    chain: bytes
    shared: bool = True
    """Our own share is in these dice."""


class Unshown(Struct, frozen=True):
    """A round ended without a call; its link in the chain is right."""

    round: int
    chain: bytes
    shared: bool = True
    """Our own share is in these dice."""


class Anew(Struct, frozen=True):
    """A new attempt at a round's dice, without the seats whose share did not come."""

    round: int
    attempt: int
    left_out: tuple[int, ...]


class Excused(Struct, frozen=True):
    """Our share came late because this computer slept, or our line was lost."""

    round: int


class Gap(Struct, frozen=True):
    """What happened before this round was not told to us: it is taken on trust."""

    round: int


class Without(Struct, frozen=True):
    """The dice of a round were dealt without our share."""

    round: int


Finding = Checked | Unshown | Anew | Excused | Gap | Without | Fault
