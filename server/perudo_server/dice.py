"""Where dice come from: the system's cryptographic generator, never a seedable one (D38)."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Protocol


class Dice(Protocol):
    """A source of fair dice."""

    def throw(self, number: int) -> tuple[int, ...]:
        """Throw this many dice, each 1-6."""

    def pick(self, seats: Sequence[int]) -> int:
        """Draw one of these seats, each as likely as any other."""


class SecretDice:
    """Dice that nobody can foresee."""

    def throw(self, number: int) -> tuple[int, ...]:
        """Throw this many dice."""
        return tuple(secrets.randbelow(6) + 1 for _ in range(number))

    def pick(self, seats: Sequence[int]) -> int:
        """Draw a seat."""
        return secrets.choice(seats)
