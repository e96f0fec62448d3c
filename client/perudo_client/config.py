"""The client's settings and options: flag, then environment, then file, then default.

The file is TOML at platformdirs' place for this user. It is read with patience: what is wrong in
it is said in one sentence and the defaults are used, and it is never written over unless the player
changes a setting in the app.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import platformdirs

from .address import Address
from .i18n import _, languages, speaks
from .own_files import read_plain
from .theme_names import NAMES, full_name

ENVIRONMENT = "PERUDO_CLIENT_"
OFF = "off"
"""Stands in the place of a folder where no games are to be saved."""
_TRUE = ("1", "true", "yes", "on")
_FALSE = ("0", "false", "no", "off")


class Settings(NamedTuple):
    """What the file keeps between two games."""

    name: str = ""
    """The player's name; empty for the name of the user of this computer."""
    theme: str = ""
    """A theme of the app; empty for its own choice."""
    language: str = ""
    """Empty for the environment's."""
    bell: bool = True
    """Ring on one's turn."""
    title: bool = True
    """Show the turn in the window's title."""
    motion: bool = True
    """Show reveals step by step."""
    ascii: bool = False
    """Draw with ASCII signs only."""
    odds: bool = False
    """Show the chances of bids."""
    games: str = ""
    """The folder in which games are saved; empty for this user's own, `off` for none."""


DEFAULTS: Mapping[str, bool | str] = Settings._field_defaults
"""What each setting is where nobody says anything else."""


class ClientOptions(NamedTuple):
    """Everything that the program was asked to do."""

    settings: Settings = Settings()
    address: Address | None = None
    """Where to connect at once; `None` for the start screen, or a game alone."""
    table: int = 0
    """The table to join at once; 0 for the list."""
    watch: int = 0
    """The table to watch at once; 0 for none."""
    named: bool = False
    """The name was given on the command line, so that no seat of another name is meant."""
    plain: bool = False
    demo: bool = False
    bot: bool = False
    secret: str = ""
    """Join words to be tried at a locked server or table; empty for none."""
    bot_seconds: float | None = None
    """The usual thinking time of bots of our own; `None` for what suits."""
    games: Path | None = None
    """The folder in which games are saved; `None` for none."""
    config_path: Path = Path()
    """Where settings are kept."""
    known_path: Path | None = None
    """Where the servers are kept that the player trusts; `None` for nowhere."""
    seats_folder: Path | None = None
    """Where seats are kept for the case that this program ends; `None` to keep none."""
    notice: str = ""
    """A sentence about the file, to be shown once; empty when all was well."""

    def __repr__(self) -> str:
        """Say everything but the join words, so that no log can tell them."""
        told = (f"{k}={v!r}" for k, v in self._asdict().items() if k != "secret")
        return f"ClientOptions({', '.join(told)})"


def default_path() -> Path:
    """Give the place of the file for this user."""
    return platformdirs.user_config_path("perudo", appauthor=False) / "client.toml"


def games_folder(setting: str) -> Path | None:
    """Give the folder for saved games: none for `off`, this user's own for the empty text."""
    if setting == OFF:
        return None
    if setting:
        return Path(setting).expanduser()
    return platformdirs.user_data_path("perudo", appauthor=False) / "games"


def load(path: Path) -> tuple[Settings, str]:
    """Read the settings, and a sentence that says what is wrong with the file, if anything.

    A file that is not there is not wrong. Values that are no good are left at their defaults.
    """
    try:
        text = read_plain(path)
        import tomllib  # only where there is something to read

        values = tomllib.loads(text)
    except FileNotFoundError:
        return Settings(), ""
    except (OSError, ValueError) as wrong:
        text = _("The settings in {path} cannot be read: {problem}.")
        return Settings(), text.format(path=path, problem=_one_line(wrong))
    known = set(Settings._fields)
    settings, notice = _merged(Settings(), values, str(path))
    if not notice and (unknown := [name for name in values if name not in known]):
        text = _("These settings in {path} are unknown and left out: {names}.")
        notice = text.format(path=path, names=", ".join(unknown))
    return settings, notice


def from_environment(settings: Settings, environment: Mapping[str, str]) -> tuple[Settings, str]:
    """Put `PERUDO_CLIENT_*` over the settings; gives a sentence too if a value is no good."""
    values: dict[str, object] = {}
    for name, usual in DEFAULTS.items():
        text = environment.get(f"{ENVIRONMENT}{name.upper()}")
        if text is not None:
            values[name] = _from_text(text) if isinstance(usual, bool) else text
    return _merged(settings, values, ENVIRONMENT + "*")


def save(path: Path, settings: Settings) -> None:
    """Write the settings, whole or not at all; raises `OSError`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".new")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(to_toml(settings))
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def to_toml(settings: Settings) -> str:
    """Write settings as TOML."""
    import json

    lines = ["# Settings of perudo-client."]
    for name, kept in settings._asdict().items():
        # TOML's basic strings and booleans are those of JSON, but for DEL.
        value = json.dumps(kept, ensure_ascii=False)
        lines.append(f"{name} = {value}".replace("\x7f", "\\u007f"))
    return "\n".join(lines) + "\n"


def _merged(settings: Settings, values: Mapping[str, object], where: str) -> tuple[Settings, str]:
    wrong: list[str] = []
    for name, usual in DEFAULTS.items():
        if name not in values:
            continue
        value = values[name]
        if type(value) is not type(usual) or wanted(name, value):
            wrong.append(wanted(name, value) or name)
            continue
        changes: dict[str, Any] = {name: value}
        settings = with_full_names(settings._replace(**changes))
    if not wrong:
        return settings, ""
    text = _("These settings in {where} have no good value: {names}.")
    return settings, text.format(where=where, names=", ".join(wrong))


def wanted(name: str, value: object) -> str:
    """Say which values a setting has, where this is none of them; empty where it may be one."""
    if name == "theme" and value != "" and value not in NAMES:
        return _("theme (one of {names})").format(names=", ".join(NAMES))
    if name == "language" and value != "" and not speaks(str(value)):
        return _("language (one of {names})").format(names=", ".join(languages()))
    return ""


def with_full_names(settings: Settings) -> Settings:
    """Give these settings with a theme that was named in short by its whole name."""
    return settings._replace(theme=full_name(settings.theme))


def _from_text(text: str) -> object:
    word = text.strip().lower()
    if word in _TRUE:
        return True
    return False if word in _FALSE else text


def _one_line(wrong: Exception) -> str:
    return " ".join(str(wrong).split())
