"""The names of all themes, without what draws them: `--help` and the plain client need no more."""

from __future__ import annotations

SHORT = {"dark": "perudo-dark", "light": "perudo-light"}
"""Short names of our own themes."""
TEXTUALS = (
    "ansi-dark",
    "ansi-light",
    "atom-one-dark",
    "atom-one-light",
    "catppuccin-frappe",
    "catppuccin-latte",
    "catppuccin-macchiato",
    "catppuccin-mocha",
    "dracula",
    "flexoki",
    "gruvbox",
    "monokai",
    "nord",
    "rose-pine",
    "rose-pine-dawn",
    "rose-pine-moon",
    "solarized-dark",
    "solarized-light",
    "textual-dark",
    "textual-light",
    "tokyo-night",
)
"""Those of Textual."""
NAMES = (*SHORT, *SHORT.values(), *TEXTUALS)


def full_name(name: str) -> str:
    """Give a theme's whole name for a short one; any other stays."""
    return SHORT.get(name, name)
