"""The question about an unknown certificate, as lines of text."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from . import trust_words
from .address import Address
from .i18n import _


async def trusts(
    address: Address,
    found: bytes,
    tell: Callable[[str], None],
    answer: Callable[[], Awaitable[str | None]],
) -> str:
    """Ask whether to trust a server; gives the sentence that says why not, or nothing for yes."""
    for line in trust_words.question(address, found):
        tell(line)
    tell(_("Type yes, or no."))
    while (typed := await answer()) is not None:
        match typed.strip().lower():
            case "yes" | "y":
                return ""
            case "no" | "n" | "quit" | "q":
                return trust_words.declined(address)
        tell(_("Type yes, or no."))
    return trust_words.unasked(address, found)
