"""The command `perudo-server`: options, exit codes, and one sentence where something is wrong."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Callable, Coroutine, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

from .console import say

if TYPE_CHECKING:
    from .settings import Settings
# The rest is imported where it is used, so that Ctrl-C while it loads is taken by `main`.

USAGE, INTERNAL, UNAVAILABLE, CONFIG = 64, 70, 75, 78
"""Exit codes, as in sysexits.h; 75 also says that trying again later may help."""

SWITCH = 0.0005
"""Seconds for which the busy loop keeps the interpreter from the journal's thread, which waits for
it several times a commit; with Python's own 5 ms a flood of acts made others' bids wait for 40."""

_ABOUT = "Serve games of Perudo (liar's dice) to the players on your network."
_MORE = """\
Every setting can also stand in the environment, as PERUDO_PORT=7655, and in a TOML file, as
port = 7655; --show-config lists them all in the form of that file. An option counts before
the environment, the environment before the file, the file before the default.

exit codes: 0 ended as asked, 64 bad option, 70 error of the program, 74 the journal is
damaged, 75 the port or the journal is in use, 78 bad file, folder or environment
"""

_EVERYDAY = {
    "port": "N",
    "name": "NAME",
    "tls_cert": "FILE",
    "tls_key": "FILE",
    "data": "DIR",
    "journal_sync": "HOW",
    "keep_days": "N",
    "log_level": "LEVEL",
    "log_format": "FORM",
    "bot_seconds": "S",
    "reveal_seconds": "S",
}
"""Settings with an option of their own, and what stands for its value in the help."""


class _BadUsage(Exception):
    pass


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise _BadUsage(f"{message}; perudo-server --help lists the options")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="perudo-server",
        description=_ABOUT,
        epilog=_MORE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        argument_default=argparse.SUPPRESS,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("--host", action="append", metavar="H", help=_about("host"))
    for name, value in _EVERYDAY.items():
        add("--" + name.replace("_", "-"), metavar=value, help=_about(name))
    add("--secret", nargs="*", metavar="WORD", help=_about("secret") + "; without any: made now")
    add("--tls", action="store_true", help=_about("tls"))
    add("--no-journal", action="store_true", help=_about("no_journal"))
    add("--recover", action="store_true", help="write what is whole of a damaged journal, and exit")
    add("--until-eof", action="store_true", help=_about("until_eof"))
    add("--config", metavar="FILE", help="read settings from this TOML file")
    add("--show-config", action="store_true", help="show all settings and their origin, and exit")
    add("--version", action="store_true", help="show the version, and exit")
    return parser


def _about(name: str) -> str:
    from .settings import BY_NAME

    entry = BY_NAME[name]
    choices = ", ".join(entry.metadata.get("choices", ()))
    about = entry.metadata["about"] + (f": {choices}" if choices else "")
    shown = entry.default not in ("", (), False)
    return f"{about} ({entry.default})" if shown else about


def main(argv: Sequence[str] | None = None) -> int:
    """Run the server; gives the exit code. `argv` stands for the command line's arguments."""
    gc.disable()  # until all is loaded: it stays
    try:
        return _run(vars(_parser().parse_args(argv)))
    except _BadUsage as bad:
        say(f"perudo-server: {bad}.", error=True)
        return USAGE
    except SystemExit as end:  # argparse, after --help
        return int(end.code or 0)
    except KeyboardInterrupt:  # before the server could take it as the wish to end
        return 0
    finally:
        gc.enable()


def _run(asked: dict[str, Any]) -> int:
    if asked.pop("version", False):
        from perudo_protocol.version import program_version

        say(f"perudo-server {program_version()}")
        return 0
    from .settings import MAKE_WORDS, BadSetting
    from .sources import BadFlag, gather, shown

    show, config = asked.pop("show_config", False), asked.pop("config", None)
    recover = asked.pop("recover", False)
    if "secret" in asked:
        # Words that turn out empty, as of a variable, must not leave the server open.
        asked["secret"] = (" ".join(asked["secret"]) or " ") if asked["secret"] else MAKE_WORDS
    try:
        found = gather(asked, os.environ, config)
    except BadSetting as bad:
        say(f"perudo-server: {bad}.", error=True)
        return USAGE if isinstance(bad, BadFlag) else CONFIG
    if show:
        say(shown(found))
        return 0
    return _recover(found.settings) if recover else _serve(found.settings)


def _recover(settings: Settings) -> int:
    """Write the longest valid prefix of the journal to a new file, and say what was lost."""
    from .folder import BadFile, data_folder
    from .journal_entry import JournalError
    from .journal_place import newest
    from .journal_recovery import recover, said

    try:
        file = newest(data_folder(settings.data, make=False))
        done = recover(file)
    except JournalError as bad:
        say(f"perudo-server: {bad}.", error=True)
        return bad.code
    except BadFile as bad:
        say(f"perudo-server: {bad}.", error=True)
        return CONFIG
    say(f"perudo-server: {said(file, done)}.")
    return 0


def _serve(settings: Settings) -> int:
    import asyncio
    import logging

    from .addresses import CannotListen
    from .app import serve
    from .folder import BadFile
    from .journal_entry import JournalError
    from .log import set_up

    run: Callable[[Coroutine[Any, Any, None]], None] = asyncio.run
    if settings.uvloop:
        try:
            run = import_module("uvloop").run
        except ImportError:
            say(
                "perudo-server: uvloop is set and is not installed;"
                " install perudo[fast], or leave the setting out.",
                error=True,
            )
            return CONFIG
    writer = set_up(settings.log_level, settings.log_format)
    sys.setswitchinterval(SWITCH)
    try:
        run(serve(settings, logging.getLogger("perudo"), on_open=_load_the_rest))
    except CannotListen as failed:
        say(f"perudo-server: {failed}.", error=True)
        return UNAVAILABLE
    except JournalError as bad:
        say(f"perudo-server: {bad}.", error=True)
        return bad.code
    except BadFile as bad:
        say(f"perudo-server: {bad}.", error=True)
        return CONFIG
    except Exception as error:
        return _broken(error, settings.log_level == "debug")
    finally:
        writer.close()
    return 0


def _load_the_rest() -> None:
    """Load what the first person and the first table need, before any of them has to wait for it,
    and while there are files left to be opened.

    A server listens without it: who starts one, or has one started, waits for that alone.
    """
    for room in ("json", "perudo_server.requests", "perudo_server.house_bots"):
        import_module(room)
    gc.freeze()  # nothing of it is ever looked at again for what could be freed
    gc.enable()


def _broken(error: Exception, with_way: bool) -> int:
    """Say that the program has an error; where exactly, only to those who ask for it."""
    if with_way:
        import traceback

        say("".join(traceback.format_exception(error)), error=True)
    say(
        f"perudo-server: an error in the program ended it ({type(error).__name__});"
        " --log-level debug shows where.",
        error=True,
    )
    return INTERNAL


if __name__ == "__main__":
    sys.exit(main())
