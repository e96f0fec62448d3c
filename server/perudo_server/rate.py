"""A token bucket: so many at once, then so many a second."""

from __future__ import annotations


class Bucket:
    """Holds up to `burst` tokens and gains `rate` a second."""

    __slots__ = ("_burst", "_rate", "_tokens", "_when")

    def __init__(self, burst: float, rate: float, now: float) -> None:
        """Start full."""
        self._burst = burst
        self._rate = rate
        self._tokens = burst
        self._when = now

    def full(self, now: float) -> bool:
        """Say whether nobody has taken any for a while: a new one would be the same."""
        return self._tokens + (now - self._when) * self._rate >= self._burst

    def has(self, now: float) -> bool:
        """Say whether there is a token."""
        return self._tokens + (now - self._when) * self._rate >= 1

    def take(self, now: float) -> bool:
        """Take a token, if there is one."""
        tokens = self._tokens + (now - self._when) * self._rate
        if tokens > self._burst:
            tokens = self._burst
        taken = tokens >= 1
        self._tokens, self._when = tokens - taken, now
        return taken
