"""The clock of a client: it never goes back, and it goes on while the computer sleeps."""

from __future__ import annotations

import time


def now() -> float:
    """Give the seconds since some moment; the time that the computer slept is counted, where the
    system can tell it."""
    boot = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boot is None else time.clock_gettime(boot)
