"""Token buckets: so many at once, then so many a second.

A bucket is one number: when it will be full again, in seconds of the clock. So what one connection
may send takes little more memory than its numbers; how many tokens there are and how fast they come
is known once, here.
"""

from __future__ import annotations

from array import array
from typing import TypeAlias

_SLACK = 1e-6
"""Seconds by which a bucket may seem too empty, since sums of fractions are not exact."""

Buckets: TypeAlias = "array[float]"
"""One of each kind."""


class Rates:
    """How much buckets of each kind hold, and how fast they fill; kinds are numbers from 0 on."""

    __slots__ = ("_kinds",)

    def __init__(self, *kinds: tuple[float, float]) -> None:
        """Give for each kind its `burst`, tokens, and its `rate`, tokens a second."""
        self._kinds = tuple((burst / rate + _SLACK, 1 / rate) for burst, rate in kinds)

    def full(self, now: float) -> Buckets:
        """Give buckets that nobody has taken anything from."""
        return array("d", (now,)) * len(self._kinds)

    def has(self, buckets: Buckets, kind: int, now: float) -> bool:
        """Say whether there is a token."""
        holds, each = self._kinds[kind]
        return max(buckets[kind], now) + each - now <= holds

    def take(self, buckets: Buckets, kind: int, now: float) -> bool:
        """Take a token, if there is one."""
        holds, each = self._kinds[kind]
        full = buckets[kind]
        if full < now:
            full = now
        full += each
        if full - now > holds:
            return False
        buckets[kind] = full
        return True
