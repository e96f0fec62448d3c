"""Our two themes. The accent has one meaning: it is your turn, your move."""

from __future__ import annotations

from textual.theme import BUILTIN_THEMES, Theme

from .i18n import _

DARK = Theme(
    name="perudo-dark",
    primary="#7aa2c4",
    secondary="#8d96ab",
    accent="#f0b64a",
    success="#5fc9a8",
    warning="#e8a15b",
    error="#f0828a",
    foreground="#dcdfe6",
    background="#14171c",
    surface="#1a1e25",
    panel="#1f242c",
    dark=True,
    variables={
        "border": "#7aa2c4",
        "border-blurred": "#3b4350",
        "text-accent": "#f0b64a",
        "text-success": "#5fc9a8",
        "text-error": "#f0828a",
        "text-primary": "#8fb4d4",
        "block-cursor-background": "#2b3441",
        "block-cursor-foreground": "#f4f6fa",
        "block-cursor-text-style": "bold",
        "block-cursor-blurred-background": "#20262f",
        "input-selection-background": "#7aa2c4 35%",
        "scrollbar": "#343c48",
        "scrollbar-background": "#14171c",
    },
)
"""Warm dice on a dark table."""

LIGHT = Theme(
    name="perudo-light",
    primary="#2f6690",
    secondary="#6a6f7a",
    accent="#a34f00",
    success="#00705a",
    warning="#96560a",
    error="#b3261e",
    foreground="#26282c",
    background="#faf8f3",
    surface="#f3f0e9",
    panel="#edeae1",
    dark=False,
    variables={
        "border": "#2f6690",
        "border-blurred": "#c3bdb0",
        "text-accent": "#a34f00",
        "text-success": "#00705a",
        "text-error": "#b3261e",
        "text-primary": "#2f6690",
        "block-cursor-background": "#dfe6ec",
        "block-cursor-foreground": "#16181b",
        "block-cursor-text-style": "bold",
        "block-cursor-blurred-background": "#ebe8e0",
        "input-selection-background": "#2f6690 25%",
        "scrollbar": "#d0cabd",
        "scrollbar-background": "#faf8f3",
    },
)
"""The same table by day."""

OURS = (DARK, LIGHT)
BY_NAME = {theme.name: theme for theme in OURS}


def titles() -> dict[str, str]:
    """Name our own themes for the command palette, each with its name."""
    return {DARK.name: _("Theme: dark"), LIGHT.name: _("Theme: light")}


def usable(name: str, no_color: bool) -> str:
    """Give the theme to use for the one asked for; the empty text and unknown ones give ours.

    Without colours an ansi theme would be black on black, so ours takes its place.
    """
    known = {theme.name: theme for theme in (*OURS, *BUILTIN_THEMES.values())}
    theme = known.get(name, DARK)
    if no_color and theme.ansi:
        return (DARK if theme.dark else LIGHT).name
    return theme.name
