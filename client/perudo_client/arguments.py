"""The arguments of `perudo-client`: which there are, and what they ask for."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from . import i18n
from .combining import BadUsage
from .i18n import _
from .theme_names import NAMES

LONGEST_THOUGHT = 60
"""The most that a bot's thinking time may be set to, as for a server's bots."""


def read(argv: Sequence[str]) -> dict[str, Any]:
    """Give what the arguments ask for, by name; raises `BadUsage`.

    Raises `SystemExit` where argparse has answered by itself: after `--help`.
    """
    asked, rest = _parser().parse_known_args(argv)
    if rest:
        raise BadUsage(_not_known(vars(asked), rest))
    return vars(asked)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise BadUsage(message)


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


def _not_known(asked: dict[str, Any], rest: Sequence[str]) -> str:
    """Say what is wrong with arguments that stand for nothing."""
    if asked.get("secret") and not any(each.startswith("-") for each in rest):
        return _("write join words with hyphens: --secret blue-fox-rain")
    text = _("unrecognized arguments: {arguments}")
    return text.format(arguments=" ".join(rest))


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
