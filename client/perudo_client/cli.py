"""The command `perudo-client`: options, exit codes, and one sentence where something is wrong."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from perudo_protocol.version import VERSIONS, program_version

from . import combining, config, i18n, kept
from .address import AddressError, parse
from .combining import BadUsage as _BadUsage
from .config import ClientOptions, Settings
from .i18n import _
from .printing import Printer
from .trust import CannotRead, KnownServers, known_path

USAGE, INTERNAL, CONFIG, INTERRUPTED = 64, 70, 78, 130
"""Exit codes, as in sysexits.h; 130 as the shell has it."""
BOT_NAME = "Bot"
BOT_SECONDS = 1.5
"""A bot's usual thinking time."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the client; gives the exit code. `argv` stands for the command line's arguments."""
    i18n.use()
    complain = Printer(sys.stderr)
    try:
        return _run(_asked(sys.argv[1:] if argv is None else argv))
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


def _asked(argv: Sequence[str]) -> dict[str, Any]:
    """Give what is asked for. Mostly that is nothing, and then the start screen comes sooner."""
    if not argv:
        return {}
    from . import arguments

    return arguments.read(argv)


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
    settings = config.with_full_names(settings._replace(**flags))
    if asked.get("bot") and "name" not in asked:
        settings = settings._replace(name="")  # the file's name is the player's own
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


_SETTINGS = Settings._fields


def _can_draw() -> bool:
    """Say whether there is a terminal on which a screen can be drawn."""
    streams = (sys.stdin, sys.stdout)
    if not all(stream is not None and stream.isatty() for stream in streams):
        return False
    return os.environ.get("TERM", "") != "dumb"


if __name__ == "__main__":
    sys.exit(main())
