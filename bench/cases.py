"""All the cases, in the order in which they are run."""

from __future__ import annotations

from . import bids
from .rows import Case

CASES: tuple[Case, ...] = (Case("bids", bids.cpu, 15),)
