"""The command `perudo-client`: options, exit codes, and one sentence where something is wrong."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, NoReturn

from perudo_protocol.version import VERSIONS, program_version

from . import combining, config, i18n, kept
from .address import AddressError, parse
from .combining import BadUsage as _BadUsage
from .config import ClientOptions, Settings
from .i18n import _
from .printing import Printer
from .theme_names import NAMES
from .trust import CannotRead, KnownServers, known_path

USAGE, INTERNAL, CONFIG, INTERRUPTED = 64, 70, 78, 130
"""Exit codes, as in sysexits.h; 130 as the shell has it."""
BOT_NAME = "Bot"
BOT_SECONDS = 1.5
"""A bot's usual thinking time."""
LONGEST_THOUGHT = 60
"""The most that it may be set to, as for a server's bots."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise _BadUsage(message)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="perudo-client",
        description=_("Play Perudo (liar's dice) with the people on your network."),
        epilog=_epilog(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        argument_default=argparse.SUPPRESS,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add(
        "address",
        nargs="?",
        metavar="ADDRESS",
        help=_("host, host:port or perudo://host:port/TABLE#PIN; none: the start screen"),
    )
    add("--name", metavar="N", help=_("your name at the table"))
    place = parser.add_mutually_exclusive_group()
    place.add_argument("--table", type=_table, metavar="N", help=_("take a seat at this table"))
    place.add_argument("--watch", type=_table, metavar="N", help=_("watch this table"))
    add(
        "--secret",
        metavar="WORDS",
        help=_("join words of a locked server or table, with hyphens: blue-fox-rain"),
    )
    add("--plain", action="store_true", help=_("play in lines of text"))
    add("--demo", action="store_true", help=_("watch bots play a whole game"))
    add("--bot", action="store_true", help=_("let a bot play at ADDRESS, without a screen"))
    add(
        "--bot-seconds",
        type=_seconds,
        metavar="S",
        help=_("how long your own bots usually think, in seconds; 0: not at all"),
    )
    _add_settings(parser)
    add(
        "--verify",
        type=Path,
        nargs="+",
        metavar="FILE",
        help=_("check the dice of saved games, and exit"),
    )
    add("--config", type=Path, metavar="F", help=_("keep the settings in this file"))
    add("--forget", metavar="ADDRESS", help=_("forget the certificate of this server, and exit"))
    add("--version", action="store_true", help=_("show the version, and exit"))
    return parser


def _add_settings(parser: argparse.ArgumentParser) -> None:
    """Add the options that stand over a setting of the file."""
    add = parser.add_argument
    switch = argparse.BooleanOptionalAction
    add("--theme", metavar="T", help=_one_of(_("colours of the app"), NAMES))
    add("--language", metavar="L", help=_one_of(_("language"), i18n.languages()))
    add("--ascii", action="store_true", help=_("draw with ASCII signs only"))
    add("--motion", action=switch, help=_("show reveals step by step"))
    add("--bell", action=switch, help=_("ring on your turn"))
    add("--title", action=switch, help=_("show your turn in the window's title"))
    add("--odds", action=switch, help=_("show the chances of bids"))
    add("--games", metavar="DIR", help=_("save your games in this folder; off: nowhere"))


def _one_of(what: str, names: Sequence[str]) -> str:
    return _("{what}: {names}").format(what=what, names=", ".join(names))


def _epilog() -> str:
    return _(
        "Without an address and without a terminal, or with --plain, you play alone against bots.\n"
        "PERUDO_SECRET holds join words as --secret does.\n"
        "Every setting can also stand in the environment, as PERUDO_CLIENT_NAME=Ana, and in the\n"
        "file of settings. An option counts before the environment, the environment before the\n"
        "file, the file before the default.\n"
        "\n"
        "exit codes: 0 ended as asked, 1 a saved game is not right, or there was nothing in it to\n"
        "check or to compare, 64 bad option or name, 66 a file cannot be read, 69 no server,\n"
        "70 error of the program, 76 the other side speaks no version of ours, 77 the server is\n"
        "not trusted, or not the one that it should be, or its join words are not known, 78 bad\n"
        "file or environment; 128 and the signal's number when one ended it: 130 for Ctrl-C in\n"
        "lines of text. It leaves the table first; a screen whose terminal is gone keeps the seat"
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Run the client; gives the exit code. `argv` stands for the command line's arguments."""
    i18n.use()
    complain = Printer(sys.stderr)
    try:
        asked, rest = _parser().parse_known_args(argv)
        if rest:
            raise _BadUsage(_not_known(vars(asked), rest))
        return _run(vars(asked))
    except _BadUsage as bad:
        text = _("{problem}; perudo-client --help lists the options.")
        complain.line(f"perudo-client: {text.format(problem=bad)}")
        return USAGE
    except AddressError as bad:
        complain.line(f"perudo-client: {bad}")
        return USAGE
    except _BadConfig as bad:
        complain.line(f"perudo-client: {bad}")
        return CONFIG
    except SystemExit as end:  # argparse, after --help
        return int(end.code or 0)
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as wrong:
        text = _("An error in this program ended it ({error}).")
        complain.line(f"perudo-client: {text.format(error=type(wrong).__name__)}")
        return INTERNAL


def _not_known(asked: dict[str, Any], rest: Sequence[str]) -> str:
    """Say what is wrong with arguments that stand for nothing."""
    if asked.get("secret") and not any(each.startswith("-") for each in rest):
        return _("write join words with hyphens: --secret blue-fox-rain")
    text = _("unrecognized arguments: {arguments}")
    return text.format(arguments=" ".join(rest))


def _run(asked: dict[str, Any]) -> int:
    if asked.pop("version", False):
        versions = ", ".join(map(str, VERSIONS))
        Printer(sys.stdout).line(f"perudo-client {program_version()} (protocol {versions})")
        return 0
    combining.check(asked)
    if "forget" in asked:
        return _forget(asked["forget"], asked.get("config") or config.default_path())
    if "verify" in asked:
        from .verifying import verify

        return verify(asked["verify"], Printer(sys.stdout).line)
    options = _options(asked)
    i18n.use(options.settings.language)
    if options.bot:
        return _run_bot(options)
    if options.plain:
        from .plain_run import run_plain

        return run_plain(options)
    gc.disable()  # among what is loaded now is no garbage; the app turns it on (`_has_begun`)
    from .app import run_app

    return run_app(options)


def _forget(text: str, settings: Path) -> int:
    from . import trust_words
    from .kept_words import KeptWords

    address = parse(text)
    try:
        known = KnownServers(known_path()).forget(address)
        words = KeptWords.beside(settings.expanduser()).forget(address)
    except (CannotRead, OSError) as wrong:
        raise _BadConfig(str(wrong)) from None
    said = Printer(sys.stdout)
    said.line(trust_words.forgotten(address, known))
    if words:
        said.line(_("Its join words are forgotten too."))
    return 0


def _run_bot(options: ClientOptions) -> int:
    from perudo_bot.cli import run

    from .bot_seat import BotSeat

    if options.address is None:
        raise _BadUsage(_("--bot needs the ADDRESS of a server"))
    table = options.table or options.address.table
    known = KnownServers(options.known_path)
    try:
        address = known.vouched(options.address)
    except CannotRead as wrong:
        raise _BadConfig(str(wrong)) from None
    name = options.settings.name or BOT_NAME
    return run(
        address.host,
        address.port,
        certificate=address.digest,
        known=known.certificate_at,
        secret=options.secret,
        name=name,
        keeper=BotSeat(kept.KeptSeats(options.seats_folder), options.address, name),
        table=table or None,
        seconds=BOT_SECONDS if options.bot_seconds is None else options.bot_seconds,
    )


class _BadConfig(Exception):
    pass


def _options(asked: dict[str, Any]) -> ClientOptions:
    """Put the options together: flag, environment, file, default."""
    given = asked.pop("config", None)
    path = given.expanduser() if given is not None else config.default_path()
    settings, notice = config.load(path)
    if notice and given is not None:
        raise _BadConfig(notice)
    if notice:
        notice = _("{problem} The defaults are used.").format(problem=notice)
    settings, wrong = config.from_environment(settings, os.environ)
    if wrong:
        raise _BadConfig(wrong)
    flags = {k: v for k, v in asked.items() if k in _SETTINGS}
    if wrong := next(filter(None, (config.wanted(k, v) for k, v in flags.items())), ""):
        raise _BadUsage(_("no good value: {wanted}").format(wanted=f"--{wrong}"))
    settings = config.with_full_names(replace(settings, **flags))
    if asked.get("bot") and "name" not in asked:
        settings = replace(settings, name="")  # the file's name is the player's own
    address = parse(asked["address"]) if "address" in asked else None
    table, watch = asked.get("table", 0), asked.get("watch", 0)
    named = address.table if address is not None else 0
    if named and (table or watch) not in (0, named):
        text = _("the ADDRESS names table {named}, and --table or --watch another one")
        raise _BadUsage(text.format(named=named))
    plain = asked.get("plain", False) or not _can_draw()
    return ClientOptions(
        settings=settings,
        address=address,
        table=table,
        watch=watch,
        named="name" in asked,
        plain=plain,
        demo=asked.get("demo", False),
        bot=asked.get("bot", False),
        games=config.games_folder(settings.games),
        secret=_secret(asked, plain=plain),
        bot_seconds=asked.get("bot_seconds"),
        config_path=path,
        known_path=known_path(),
        seats_folder=kept.default_folder(),
        notice=notice,
    )


def _secret(asked: dict[str, Any], *, plain: bool) -> str:
    """Give the join words, of the flag or the environment; words that lock nothing are refused."""
    words = os.environ.get("PERUDO_SECRET", "")
    if "secret" not in asked and not words:
        return ""
    from .gate import too_short

    if "secret" in asked:
        if plain and "address" not in asked:
            raise _BadUsage(_("--secret needs the ADDRESS of a server"))
        if wrong := too_short(asked["secret"]):
            hint = _("{wrong} Several are written with hyphens: --secret blue-fox-rain")
            raise _BadUsage(hint.format(wrong=wrong))
        return str(asked["secret"])
    if wrong := too_short(words):
        raise _BadConfig(_("PERUDO_SECRET is no good: {wrong}").format(wrong=wrong))
    return words


_SETTINGS = tuple(each.name for each in fields(Settings))


def _can_draw() -> bool:
    """Say whether there is a terminal on which a screen can be drawn."""
    streams = (sys.stdin, sys.stdout)
    if not all(stream is not None and stream.isatty() for stream in streams):
        return False
    return os.environ.get("TERM", "") != "dumb"


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= LONGEST_THOUGHT:
        sentence = _("the time is a number of seconds from 0 to {most}, such as 1.5")
        raise argparse.ArgumentTypeError(sentence.format(most=LONGEST_THOUGHT))
    return seconds


def _table(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 16 and int(text) > 0):
        raise argparse.ArgumentTypeError(_("a table is a number, such as 1"))
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
