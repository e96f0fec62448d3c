"""The settings that can be turned in the app, in words."""

from __future__ import annotations

from .config import Settings
from .i18n import _


def switches(settings: Settings) -> dict[str, str]:
    """Name the settings that can be turned, by what turning them does."""
    return {
        "bell": _("Ring no bell on my turn") if settings.bell else _("Ring a bell on my turn"),
        "odds": _("Show no odds") if settings.odds else _("Show the odds of bids"),
        "motion": _("Show reveals at once") if settings.motion else _("Show reveals step by step"),
        "title": _("Leave the window's title alone")
        if settings.title
        else _("Show my turn in the window's title"),
    }
