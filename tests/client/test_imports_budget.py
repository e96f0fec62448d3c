"""What `perudo-client` loads until its first picture is there: named, so that it does not creep.

All of it is processor time before a player sees anything. Whoever needs one more module there
adds its name below, and sees to it that `python -m bench --only client_start` keeps its goal.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from perudo_client import screens

OURS = """
perudo_client perudo_client.address perudo_client.app perudo_client.cli perudo_client.combining
perudo_client.config perudo_client.i18n perudo_client.kept perudo_client.naming
perudo_client.own_files perudo_client.printing perudo_client.screens perudo_client.screens.base
perudo_client.screens.logo perudo_client.screens.start perudo_client.settings_words
perudo_client.steady perudo_client.terminal perudo_client.theme_names perudo_client.themes
perudo_client.trust perudo_client.widgets perudo_client.widgets.ascii perudo_client.widgets.banner
perudo_client.widgets.boxes perudo_client.widgets.field perudo_client.widgets.keys
perudo_client.widgets.lines perudo_client.widgets.menu perudo_client.widgets.page
perudo_client.widgets.pen perudo_client.widgets.picture perudo_client.widgets.pieces
perudo_protocol perudo_protocol.pins perudo_protocol.text perudo_protocol.version
"""
"""Our modules on the way to the start screen: what draws it, the settings, the options."""
OTHERS = "textual rich platformdirs typing_extensions markdown_it mdurl pygments linkify_it"
"""Packages of others: Textual and what it loads itself."""
HEAVY = "argparse hashlib json secrets sqlite3 tomllib"
"""Parts of the standard library that neither Textual nor the start screen needs."""

START = """
import asyncio, sys
from perudo_client import cli
options = cli._options(cli._asked([]))
from perudo_client.app import PerudoApp
async def show():
    app = PerudoApp(options)
    async with app.run_test() as pilot:
        await pilot.pause()
        assert type(app.screen).__name__ == "StartScreen"
asyncio.run(show())
print("\\n".join(sys.modules))
"""


AT_TABLE = """
import asyncio, sys
from tests.support import sample_views
from tests.support.fake_wire import playing
async def show():
    async with playing() as play:
        await play.sit(sample_views.round_before())
        await play.settle()
        assert type(play.app.screen).__name__ == "TableScreen"
asyncio.run(show())
print("\\n".join(sys.modules))
"""


def loaded(home: Path, program: str = START) -> set[str]:
    """Give the names of all modules that are there when the start screen is, or another."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PERUDO_", "XDG_"))}
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**kept, "HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert not done.returncode, done.stderr
    return set(done.stdout.split())


def test_the_start_screen_loads_what_it_needs_and_nothing_else(tmp_path: Path) -> None:
    modules = loaded(tmp_path)
    roots = {name.partition(".")[0] for name in modules}
    ours = {name for name in modules if name.partition(".")[0].startswith("perudo")}
    more = ours - set(OURS.split())
    assert not more, f"before its first picture the client also loads {sorted(more)}"
    foreign = {root for root in roots if not root.startswith(("_", "perudo"))}
    foreign -= set(sys.stdlib_module_names) | set(OTHERS.split())
    assert not foreign, f"before its first picture the client also loads {sorted(foreign)}"
    heavy = modules & set(HEAVY.split())
    assert not heavy, f"before its first picture the client also loads {sorted(heavy)}"


def test_the_budget_names_nothing_that_is_not_loaded(tmp_path: Path) -> None:
    unused = set(OURS.split()) - loaded(tmp_path)
    assert not unused, f"no longer loaded at the start, take it out of the budget: {sorted(unused)}"


def test_whatever_may_come_up_in_a_game_is_loaded_when_it_begins(tmp_path: Path) -> None:
    """The files of a program may be replaced while it runs."""
    there = loaded(tmp_path, AT_TABLE)
    folder = Path(screens.__path__[0])
    assert {f"{screens.__name__}.{file.stem}" for file in folder.glob("[!_]*.py")} <= there
