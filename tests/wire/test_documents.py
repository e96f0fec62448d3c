"""The documents for people name only files, commands and options that are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from perudo_protocol import fairness, lock

ROOT = Path(__file__).parents[2]
PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "protocol/README.md")
NAMED = re.compile(r"`((?:[\w.-]+/)+[\w.-]*|[A-Z]+\.md|pyproject\.toml)`")
PROCEDURES = {fairness.NAME, lock.NAME}
"""Look like files, and are the names of ways to do something."""
LINKED = re.compile(r"\]\((?!https?:|#)([^)#]+)")


@pytest.mark.parametrize("page", PAGES)
def test_each_file_that_a_page_names_is_there(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    named = set(NAMED.findall(text)) - PROCEDURES
    missing = {name for name in named if not (ROOT / name).exists()}
    folder = (ROOT / page).parent
    missing |= {link for link in LINKED.findall(text) if not (folder / link).exists()}
    assert not missing


def test_the_pages_do_name_files() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert len(NAMED.findall(text)) > 20


def test_the_map_of_the_house_shows_modules_that_are_there() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    house = text.split("## The house", 1)[1].split("```", 2)[1]
    folder = ROOT
    shown = 0
    for line in house.strip().splitlines():
        names = re.split(r"\s{2,}", line.strip())[0].split()
        if not line.startswith(" "):
            folder = ROOT / names[0]
            assert folder.exists()
            continue
        for name in (name for name in names if not name.endswith("...")):
            assert (folder / name).is_dir() or (folder / f"{name}.py").is_file(), name
            shown += 1
    assert shown > 30
