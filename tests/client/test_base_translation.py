"""Every sentence can be collected, translated, and looked up when it is shown."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

import perudo_client
from perudo_client import i18n, words
from tests.support import sample_views

SOURCES = sorted(Path(str(perudo_client.__file__)).parent.rglob("*.py"))
CALLS = {"_": 1, "ngettext": 2, "pgettext": 2}


def translatable() -> Iterator[tuple[Path, ast.Call, str]]:
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                if node.func.id in CALLS and path.name != "i18n.py":
                    yield path, node, node.func.id


def test_every_sentence_is_a_literal_that_a_tool_can_collect() -> None:
    """An attribute may be passed on too: its text was marked with `N_` where it was written."""
    found = list(translatable())
    assert len(found) > 200
    for path, call, name in found:
        for argument in call.args[: CALLS[name]]:
            literal = isinstance(argument, ast.Constant) and isinstance(argument.value, str)
            assert literal or isinstance(argument, ast.Attribute), f"{path.name}:{call.lineno}"


def test_placeholders_have_names_and_are_alike_in_both_numbers() -> None:
    for path, call, name in translatable():
        texts = [a.value for a in call.args[: CALLS[name]] if isinstance(a, ast.Constant)]
        named = [
            {field for _, field, _, _ in string.Formatter().parse(str(text)) if field is not None}
            for text in texts
        ]
        where = f"{path.name}:{call.lineno}"
        assert all(re.fullmatch(r"[a-z_]+", field) for fields in named for field in fields), where
        if name == "ngettext":
            assert named[0] == named[1], where


def test_nothing_is_translated_while_a_module_is_imported() -> None:
    """A catalog that is chosen later would come too late."""
    for path in SOURCES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for statement in tree.body:
            if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                continue
            names = {
                node.func.id
                for node in ast.walk(statement)
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            }
            assert not names & set(CALLS), path.name


def test_without_a_catalog_the_source_is_shown() -> None:
    i18n.use("xx")
    assert i18n._("It is your turn.") == "It is your turn."
    assert i18n.pgettext("option", "on") == "on"
    i18n.use()


def test_a_catalog_is_looked_up_at_each_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "xx" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "perudo.mo").write_bytes(catalog({"It is your turn.": "É a sua vez."}))
    monkeypatch.setattr(i18n, "LOCALE", tmp_path)
    i18n.use("xx")
    try:
        assert words.turn_line(sample_views.six()) == "É a sua vez."
    finally:
        i18n.use()
    assert words.turn_line(sample_views.six()) == "It is your turn."


def catalog(sentences: dict[str, str]) -> bytes:
    """Write the smallest compiled catalog: header, two tables of lengths and places, texts."""
    pairs = sorted({"": "Content-Type: text/plain; charset=UTF-8\n", **sentences}.items())
    count = len(pairs)
    head = 7 * 4
    texts = b""
    sources: list[tuple[int, int]] = []
    targets: list[tuple[int, int]] = []
    start = head + 16 * count
    for place, column in ((sources, 0), (targets, 1)):
        for pair in pairs:
            text = pair[column].encode()
            place.append((len(text), start + len(texts)))
            texts += text + b"\0"
    numbers = [0x950412DE, 0, count, head, head + 8 * count, 0, 0]
    numbers += [number for entry in (*sources, *targets) for number in entry]
    return b"".join(number.to_bytes(4, "little") for number in numbers) + texts
