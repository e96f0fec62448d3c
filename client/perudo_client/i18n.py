"""The client's sentences in the reader's language: gettext, bound when a sentence is asked for.

Sources are whole English sentences with named placeholders. The functions look the current
catalog up at each call, so a change of language shows at the next repaint; call them inside
functions, never at import. Without a catalog the English source is shown.
"""

from __future__ import annotations

import gettext
from pathlib import Path

DOMAIN = "perudo"
LOCALE = Path(__file__).with_name("locale")

_current: gettext.NullTranslations = gettext.NullTranslations()


def use(language: str = "") -> None:
    """Speak this language from now on, or the environment's when it is the empty text."""
    global _current
    languages = [language] if language else None
    _current = gettext.translation(DOMAIN, LOCALE, languages, fallback=True)


def _(message: str) -> str:
    """Give a sentence in the reader's language."""
    return _current.gettext(message)


def ngettext(one: str, many: str, count: int) -> str:
    """Give the sentence for this number in the reader's language."""
    return _current.ngettext(one, many, count)


def pgettext(context: str, message: str) -> str:
    """Give a word whose meaning needs a context in the reader's language."""
    return _current.pgettext(context, message)
