"""What a server loads before it listens, counted: each module makes every start longer.

The rest is loaded right after. A module that is new here is to be loaded there too, unless nobody
can listen without it.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.servers import environment

LATER = {
    "perudo_bot",
    "perudo_server.absence",
    "perudo_protocol.pins",
    "perudo_protocol.tls",
    "perudo_server.certificate",
    "perudo_server.hosting",
    "perudo_server.join_words",
    "perudo_server.moves",
    "perudo_server.names",
    "perudo_server.play",
    "perudo_server.record",
    "perudo_server.requests",
    "perudo_server.restoring",
    "perudo_server.roster",
    "perudo_server.rules",
    "perudo_server.table",
    "perudo_server.view",
    "perudo_protocol.ruleset",
}
"""What nobody needs who only listens, in a house that is new."""
DEAR = {
    "cryptography",
    "dataclasses",
    "encodings.idna",
    "ifaddr",
    "importlib.metadata",
    "json",
    "precis_i18n",
    "tomllib",
    "wcwidth",
}
"""What is not ours, takes milliseconds, and few starts need."""
BUDGET = 56
"""Modules of ours that are loaded when a server listens."""

_SCRIPT = """
import sys
from perudo_server import cli
def tell():
    print(*sys.modules, sep="\\n")
    sys.stdout.flush()
    load()
    print("then", *sys.modules, sep="\\n")
    sys.stdout.flush()
    sys.exit()
load, cli._load_the_rest = cli._load_the_rest, tell
cli.main(sys.argv[1:])
"""


def loaded(home: Path, *options: str) -> tuple[set[str], set[str]]:
    """Start a server; give what is loaded when it listens, and what when it is ready."""
    where = ("--host", "127.0.0.1", "--port", "0", "--data", str(home / "data"))
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT, *where, *options],
        env=environment(home),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    before, _then, after = done.stdout.partition("\nthen\n")
    assert after, done.stderr
    return set(before.split()), set(after.split())


def of(modules: set[str], those: set[str]) -> set[str]:
    return {each for each in modules for one in those if f"{each}.".startswith(f"{one}.")}


@pytest.mark.parametrize("options", [(), ("--no-journal",)])
def test_a_new_server_listens_before_it_loads_what_only_a_table_needs(
    options: tuple[str, ...], tmp_path: Path
) -> None:
    before, after = loaded(tmp_path, *options)
    assert not of(before, LATER | DEAR)
    assert {"perudo_server.table", "perudo_bot.house", "json", "wcwidth"} <= after
    ours = of(before, {"perudo_server", "perudo_protocol"})
    assert 30 < len(ours) <= BUDGET, sorted(ours)


def test_what_is_loaded_at_last_is_all_that_is_ever_needed(tmp_path: Path) -> None:
    """A server that is out of files can open no module."""
    _before, after = loaded(tmp_path)
    rooms = {
        path.stem for path in (Path(__file__).parents[2] / "server/perudo_server").glob("*.py")
    }
    never = {"__init__", "__main__", "house", "keeper"}  # the last two hold nothing but types
    never |= {"certificate", "join_words", "journal_recovery", "private_link", "restoring"}
    assert {f"perudo_server.{room}" for room in rooms - never} <= after
