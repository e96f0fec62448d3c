"""Where settings come from: flag, then environment, then file, then default."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from .folder import is_no_file
from .settings import BY_NAME, BadSetting, Entry, Settings, check, kind, wanted

PREFIX = "PERUDO_"
"""What names in the environment begin with: `PERUDO_PORT` is the setting `port`."""

_WORDS = {"true": True, "yes": True, "on": True, "1": True}
_WORDS |= {"false": False, "no": False, "off": False, "0": False}


class BadFlag(BadSetting):
    """A value on the command line that its setting cannot take."""


class Found(NamedTuple):
    """The settings, and where the value of each came from."""

    settings: Settings
    origins: dict[str, str]


def gather(flags: Mapping[str, Any], environ: Mapping[str, str], config: str | None) -> Found:
    """Put the settings together.

    `flags` holds texts (or a list of them, or `True`) by the setting's name, those not given left
    out; `config` names a file that must be there, else the user's own one counts if it is there.
    Raises `BadFlag` for the command line and `BadSetting` for environment and file.
    """
    config = config or environ.get(f"{PREFIX}CONFIG")
    values: dict[str, Any] = {}
    origins = dict.fromkeys(BY_NAME, "default")
    for name, value, origin in [
        *_from_file(Path(config).expanduser() if config else _own_file(), given=bool(config)),
        *_from_environment(environ),
        *_from_flags(flags),
    ]:
        values[name], origins[name] = value, origin
    _check_pair(flags, values)
    settings = Settings(**values)
    return Found(replace(settings, name=settings.server_name), origins)


def _check_pair(flags: Mapping[str, Any], values: Mapping[str, Any]) -> None:
    """Blame the command line when it names a certificate without its key, or the other way."""
    for given, other in (("tls_cert", "tls_key"), ("tls_key", "tls_cert")):
        if flags.get(given) and not values.get(other):
            one, two = (f"--{name.replace('_', '-')}" for name in (given, other))
            raise BadFlag(f"{one} is given and {two} is not; a certificate needs its key")


def shown(found: Found) -> str:
    """Give every setting with its value and where it came from, in the form of the file."""
    lines = [(f"{name} = {_shown(found, name)}", found.origins[name]) for name in BY_NAME]
    width = max(len(left) for left, _ in lines)
    return "\n".join(f"{left:<{width}}  # {origin}" for left, origin in lines)


def _shown(found: Found, name: str) -> str:
    """Give a value in TOML; of one that is to be hidden, something that a file cannot hold."""
    value = getattr(found.settings, name)
    return _toml("***" if value and BY_NAME[name].metadata.get("hidden") else value)


def _own_file() -> Path:
    from platformdirs import user_config_path

    return user_config_path("perudo", appauthor=False) / "server.toml"


def _from_flags(flags: Mapping[str, Any]) -> list[tuple[str, Any, str]]:
    found = []
    for name, given in flags.items():
        flag = "--" + name.replace("_", "-")
        try:
            value = _read(BY_NAME[name], given) if isinstance(given, str) else given
            found.append((name, check(BY_NAME[name], value), flag))
        except BadSetting as bad:
            raise BadFlag(_instead(bad, name, flag)) from None
    return found


def _from_environment(environ: Mapping[str, str]) -> list[tuple[str, Any, str]]:
    found = []
    for name, entry in BY_NAME.items():
        variable = PREFIX + name.upper()
        text = environ.get(variable, "").strip()
        if not text:  # set to nothing is the same as not set
            continue
        try:
            found.append((name, check(entry, _read(entry, text)), variable))
        except BadSetting as bad:
            raise BadSetting(_instead(bad, name, variable)) from None
    return found


def _from_file(path: Path, given: bool) -> list[tuple[str, Any, str]]:
    if is_no_file(path) and str(path) != os.devnull:
        raise BadSetting(f"{str(path)!r} is no file, but a pipe or a device; --config names one")
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        if not given:
            return []
        raise BadSetting(f"there is no file {str(path)!r}; --config must name one") from None
    except OSError as bad:
        raise BadSetting(
            f"{str(path)!r} cannot be read ({bad.strerror}); it must be a TOML file open to you"
        ) from None
    except ValueError:
        raise _no_toml(path, "it is no UTF-8 text") from None
    from tomllib import loads  # here alone: few have such a file

    try:
        table = loads(text)
    except (ValueError, RecursionError) as bad:
        raise _no_toml(path, str(bad)) from None
    try:
        return [(name, check(_known(name), value), str(path)) for name, value in table.items()]
    except BadSetting as bad:
        raise BadSetting(f"in {str(path)!r}, {bad}") from None


def _no_toml(path: Path, why: str) -> BadSetting:
    right = "a right line is: port = 7655"
    return BadSetting(f"{str(path)!r} is not a TOML file ({why}); {right}")


def _known(name: str) -> Entry:
    if name in BY_NAME:
        return BY_NAME[name]
    from difflib import get_close_matches

    near = get_close_matches(name.replace("-", "_").lower(), BY_NAME, n=1)
    right = f"{near[0]} may be meant" if near else "--show-config lists those there are"
    raise BadSetting(f"{name!r} is no setting; {right}")


def _read(entry: Entry, text: str) -> object:
    """Turn a text into the value it means; `check` judges it afterwards."""
    if kind(entry) is bool:
        return _WORDS.get(text.lower(), text)
    if kind(entry) is tuple:
        return [part for part in text.replace(",", " ").split() if part]
    if kind(entry) is str:
        return text
    try:
        return kind(entry)(text) if len(text) < 40 else text
    except ValueError:
        raise BadSetting(f"{entry.name} is {text!r}; it must be {wanted(entry)}") from None


def _instead(bad: BadSetting, name: str, origin: str) -> str:
    """Word an error by the name under which the person gave the value."""
    return origin + str(bad).removeprefix(name)


def _toml(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(_toml(part) for part in value)}]"
    import json

    return json.dumps(value, ensure_ascii=False)  # alike in TOML for all values of settings
