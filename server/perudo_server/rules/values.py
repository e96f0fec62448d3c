"""What acts, events and games are made of: values that nobody changes."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

__all__ = ["Value", "replace"]


class Value(Struct, frozen=True, gc=False):
    """Something that is equal to one of the same kind with equal fields, and never changes.

    A bid makes three of them, so they are msgspec's: frozen at run time as well, and made in a
    third of the time of a dataclass; `replace` makes another one with some fields anew. A value
    holds only what was there before it, so that none can be part of a circle, and the search for
    such circles passes them over.
    """
