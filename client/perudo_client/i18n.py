"""The client's sentences in the reader's language: gettext, bound when a sentence is asked for.

Sources are whole English sentences with named placeholders. The functions look the current
catalog up at each call, so a change of language shows at the next repaint; call them inside
functions, never at import. Without a catalog the English source is shown.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gettext import NullTranslations

DOMAIN = "perudo"
LOCALE = Path(__file__).with_name("locale")

_current: NullTranslations | None = None
"""The catalog; none where there is nothing but English."""


def languages() -> tuple[str, ...]:
    """Give the languages that we speak: English, and those of which there is a catalog."""
    catalogs = LOCALE.glob(f"*/LC_MESSAGES/{DOMAIN}.mo")
    return ("en", *sorted(path.parts[-3] for path in catalogs))


def speaks(language: str) -> bool:
    """Say whether we speak this one, be it of some country, such as `en_GB`."""
    name = language.partition(".")[0].partition("@")[0]
    return name in languages() or name.partition("_")[0] in languages()


def use(language: str = "") -> None:
    """Speak this language from now on, or the environment's when it is the empty text."""
    global _current
    if languages() == ("en",):
        _current = None
        return
    from gettext import translation  # the start screen comes sooner without

    _current = translation(DOMAIN, LOCALE, [language] if language else None, fallback=True)


def _(message: str) -> str:
    """Give a sentence in the reader's language."""
    return message if _current is None else _current.gettext(message)


def ngettext(one: str, many: str, count: int) -> str:
    """Give the sentence for this number in the reader's language."""
    if _current is None:
        return one if count == 1 else many
    return _current.ngettext(one, many, count)


def pgettext(context: str, message: str) -> str:
    """Give a word whose meaning needs a context in the reader's language."""
    return message if _current is None else _current.pgettext(context, message)
