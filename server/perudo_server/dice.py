"""Where dice come from: the system's cryptographic generator, never a seedable one (D38).

The dice under the cups follow from seeds and from entropy of the players, so that everybody can
check them (`perudo_protocol.fairness`); the open throw for the start is drawn here alone.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Protocol

from perudo_protocol import fairness
from perudo_protocol.fairness import Draw

Hand = tuple[int, ...]


class Dice(Protocol):
    """A source of fair dice."""

    def throw(self, number: int) -> tuple[int, ...]:
        """Throw this many dice, each 1-6."""

    def pick(self, seats: Sequence[int]) -> int:
        """Draw one of these seats, each as likely as any other."""

    def new_id(self) -> str:
        """Give an id for a game: no other game anywhere has it."""

    def seed(self) -> bytes:
        """Draw a secret seed of 32 bytes."""

    def hand(self, draw: Draw, seat: int, seed: bytes, mixed: bytes, number: int) -> Hand:
        """Give a seat's dice as they follow from its seed and the mix."""


class SecretDice:
    """Dice that nobody can foresee."""

    def throw(self, number: int) -> tuple[int, ...]:
        """Throw this many dice."""
        return tuple(secrets.randbelow(6) + 1 for _ in range(number))

    def pick(self, seats: Sequence[int]) -> int:
        """Draw a seat."""
        return secrets.choice(seats)

    def new_id(self) -> str:
        """Give an id of 64 random bits."""
        return secrets.token_hex(8)

    def seed(self) -> bytes:
        """Draw a seed."""
        return secrets.token_bytes(fairness.SIZE)

    def hand(self, draw: Draw, seat: int, seed: bytes, mixed: bytes, number: int) -> Hand:
        """Give a seat's dice."""
        return fairness.dice(draw, seat, seed, mixed, number)
