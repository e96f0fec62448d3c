"""Who loads whom at run time: what the import contracts say, seen from a fresh interpreter."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

OURS = {"perudo_protocol", "perudo_server", "perudo_client", "perudo_bot"}
PURE = ("perudo_protocol.vocabulary", "perudo_protocol.ruleset", "perudo_protocol.words")


def loaded(module: str) -> set[str]:
    """Import one module in a fresh interpreter; give every module that is loaded then."""
    script = f"import sys, {module}; print(*sys.modules, sep='\\n')"
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    return set(run.stdout.split())


def packages(modules: set[str]) -> set[str]:
    """Give the top-level packages of these modules."""
    return {module.partition(".")[0] for module in modules}


@pytest.mark.parametrize("module", ["perudo_server.cli", "perudo_server.lobby"])
def test_a_server_loads_no_screen(module: str) -> None:
    assert not packages(loaded(module)) & {"textual", "rich", "perudo_client"}


def test_the_rules_load_neither_network_nor_clock_nor_chance() -> None:
    modules = loaded("perudo_server.rules.game")
    found = packages(modules)
    assert not found & {"asyncio", "msgpack", "random", "secrets", "socket", "sqlite3"}
    assert "logging" not in found
    assert {m for m in modules if m.startswith("perudo_protocol.")} <= set(PURE)


@pytest.mark.parametrize("module", [*PURE, "perudo_protocol.text"])
def test_the_words_load_the_standard_library_alone(module: str) -> None:
    outside = packages(loaded(module)) - sys.stdlib_module_names - packages(loaded("sys"))
    assert outside == {"perudo_protocol"}


@pytest.mark.parametrize("module", ["perudo_protocol.codec", "perudo_protocol.link"])
def test_the_protocol_loads_nothing_else_of_ours(module: str) -> None:
    assert packages(loaded(module)) & OURS == {"perudo_protocol"}


def test_the_codec_loads_no_event_loop() -> None:
    assert "asyncio" not in packages(loaded("perudo_protocol.codec"))


@pytest.mark.parametrize("module", ["perudo_bot.house", "perudo_bot.cli"])
def test_a_bot_loads_neither_server_nor_client_nor_screen(module: str) -> None:
    found = packages(loaded(module))
    assert found & OURS == {"perudo_protocol", "perudo_bot"}
    assert not found & {"textual", "rich"}


def test_a_client_loads_no_server() -> None:
    assert "perudo_server" not in packages(loaded("perudo_client.cli"))


def test_asking_a_client_for_its_version_loads_no_screen() -> None:
    assert "textual" not in packages(loaded("perudo_client.cli"))


@pytest.mark.parametrize("package", sorted(OURS))
def test_a_package_by_itself_loads_nothing(package: str) -> None:
    assert {m for m in loaded(package) if packages({m}) & OURS} == {package}


SEEDED = """
import importlib, pkgutil, random, sys
import perudo_server
for found in pkgutil.walk_packages(perudo_server.__path__, "perudo_server."):
    if not found.name.endswith("__main__"):  # it would run
        importlib.import_module(found.name)
for name, module in sorted(sys.modules.items()):
    if name.startswith("perudo_server"):
        for word, value in vars(module).items():
            maker = value if isinstance(value, type) else type(value)
            if value is random or issubclass(maker, random.Random) or (
                getattr(value, "__module__", "") == "random"
            ):
                print(name, word)
print("looked at", sum(name.startswith("perudo_server") for name in sys.modules))
"""


def test_no_module_of_the_server_holds_a_generator_that_can_be_seeded() -> None:
    """D38: neither `random` itself nor anything of it, under whatever name."""
    run = subprocess.run(
        [sys.executable, "-c", SEEDED], capture_output=True, text=True, check=True, timeout=60
    )
    assert re.fullmatch(r"looked at [3-9]\d\n", run.stdout), run.stdout
