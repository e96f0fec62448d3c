"""Which options of the command line do not go together: none is left out in silence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .i18n import _

_PLAY = ("address", "table", "watch", "secret", "plain", "demo", "bot", "bot_seconds", "name")
"""What asks for a game, which some options do not begin."""


class BadUsage(Exception):
    """The command line asks for what cannot be; says so in a sentence."""


def check(asked: Mapping[str, Any]) -> None:
    """Raise `BadUsage` where one of the options that were given would be left out in silence."""
    given = [name for name, value in asked.items() if value is not None and value is not False]
    for alone in ("verify", "forget"):
        if alone in given:
            others = ("verify", "forget", *_PLAY)
            _refuse(alone, [name for name in given if name in others and name != alone])
    if "demo" in given:
        if "address" in given:
            raise BadUsage(_("--demo plays on a server of its own and takes no ADDRESS"))
        _refuse("demo", [name for name in ("bot", "table", "watch", "secret") if name in given])
    if "bot" in given:
        if "address" not in given:
            raise BadUsage(_("--bot needs the ADDRESS of a server"))
        if "watch" in given:
            raise BadUsage(_("--bot plays, and does not watch: name its table with --table"))
    if "address" in given:
        if "bot_seconds" in given and "bot" not in given:
            raise BadUsage(_("--bot-seconds is for --bot, and for games without an ADDRESS"))
    elif "table" in given or "watch" in given:
        raise BadUsage(_("--table and --watch need the ADDRESS of a server"))


def _refuse(option: str, others: list[str]) -> None:
    """Refuse the first of these beside an option."""
    if others:
        other = "ADDRESS" if others[0] == "address" else "--" + others[0].replace("_", "-")
        text = _("--{option} and {other} do not go together")
        raise BadUsage(text.format(option=option, other=other))
