"""All the cases, in the order in which they are run."""

from __future__ import annotations

from . import bids
from .rows import Case

CASES: tuple[Case, ...] = (
    Case("bids", bids.bids, 15),
    Case("memory", bids.memory, 6),
    Case("curve", bids.curve, 8),
)
