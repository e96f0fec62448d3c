"""`protocol/README.md` says what is so: its examples are bytes, its tables are the schema."""

from __future__ import annotations

import json
import re
from enum import Enum
from pathlib import Path
from typing import Any

import msgpack
import msgspec
import pytest

from perudo_protocol import framing, lock, story, version, views, words
from perudo_protocol import messages as m
from perudo_protocol.codec import ITEMS_TO_CLIENT, ITEMS_TO_SERVER, decode_client, decode_server
from perudo_protocol.errors import BadMessage
from perudo_protocol.ruleset import CHOICES, PRESETS, STANDARD, SWITCH, to_wire
from perudo_protocol.vocabulary import PHRASES, Call, Phase, Player, Refusal
from tests.support import golden, vectors
from tests.support.arbitrary import kinds, word

DOCUMENT = (Path(__file__).parents[2] / "protocol" / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```hex\n(.*?)\n```\n```json\n(.*?)\n```", DOCUMENT, re.DOTALL)
SECTIONS = {
    title: text
    for part in re.split(r"^#{2,3} ", DOCUMENT, flags=re.MULTILINE)[1:]
    for title, text in [part.split("\n", 1)]
}
MESSAGES = [*kinds(m.ClientMessage), *kinds(m.AsSent)]
EVENTS = kinds(story.AnyEvent)


def table(section: str, head: str = "field") -> dict[str, list[str]]:
    """Give a section's table of fields: the cells behind each name."""
    text = SECTIONS[section]
    found = re.search(rf"^\| {head} \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", text, re.MULTILINE)
    assert found is not None, f"no table with the head {head!r} in the section {section!r}"
    rows = [line.strip("|").split(" | ") for line in found[1].splitlines()]
    return {row[0].strip().strip("`"): [cell.strip() for cell in row[1:]] for row in rows}


def message_section(kind: Any) -> str:
    """Give the section of a message; the title of an update's short form says that it is one."""
    return "bid (update)" if kind is m.Brief else word(kind)


def event_section(kind: Any) -> str:
    """Give the section of an event; where a message has the same word, its title says so."""
    name = word(kind)
    return f"{name} (event)" if f"{name} (event)" in SECTIONS else name


# Examples -------------------------------------------------------------------------------------


def test_no_example_is_overlooked() -> None:
    assert len(EXAMPLES) == DOCUMENT.count("```hex") == DOCUMENT.count("```json")
    assert len(EXAMPLES) == len(MESSAGES) + len(EVENTS)


@pytest.mark.parametrize(("digits", "words"), EXAMPLES)
def test_the_bytes_of_an_example_are_what_its_words_say(digits: str, words: str) -> None:
    reader = framing.FrameReader(framing.TO_CLIENT)
    reader.feed(bytes.fromhex(digits))
    payload = reader.next()
    assert payload is not None
    assert not reader.halfway
    value = golden.from_words(words)
    assert msgpack.unpackb(payload) == value
    try:
        message: Any = decode_client(payload)
    except BadMessage:
        message = decode_server(payload)
    if value["type"] == "bid" and isinstance(message, m.Update):
        message = m.in_brief(message)
    assert golden.from_words(golden.in_words(message)) == value


@pytest.mark.parametrize("sample", golden.samples(), ids=lambda s: f"{s[0]}-{s[1]}")
def test_each_message_and_event_has_its_example(sample: tuple[str, str, Any]) -> None:
    side, _name, message = sample
    section = event_section(type(message.events[0])) if side == "event" else None
    section = section or message_section(type(message))
    block = f"```hex\n{golden.in_hex(message)}\n```\n```json\n{golden.in_words(message)}\n```"
    assert block in SECTIONS[section]


# Fields ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", MESSAGES, ids=word)
def test_each_message_has_a_table_of_its_fields(kind: Any) -> None:
    fields = table(message_section(kind))
    assert list(fields) == ["type", *kind.__struct_fields__]
    assert fields.pop("type")[0] == f'`"{word(kind)}"`'
    required = [field.name for field in msgspec.structs.fields(kind) if field.required]
    assert [name for name, cells in fields.items() if "*optional*" not in cells[0]] == required


@pytest.mark.parametrize(
    ("section", "head", "kind"),
    [
        ("tables", "field of a table", m.TableLine),
        ("The view", "field of the view", views.TableView),
        ("The view", "field of a seat", views.SeatView),
        ("The view", "field of a watcher", views.Person),
        ("The view", "field of a reveal", views.Reveal),
        ("The view", "field of a proof", views.Proof),
    ],
)
def test_each_map_within_has_a_table_of_its_fields(section: str, head: str, kind: Any) -> None:
    assert list(table(section, head)) == list(kind.__struct_fields__)


@pytest.mark.parametrize("kind", EVENTS, ids=word)
def test_each_event_names_its_items_in_their_order(kind: Any) -> None:
    items = ", ".join([f'"{word(kind)}"', *kind.__struct_fields__])
    assert SECTIONS[event_section(kind)].lstrip().startswith(f"`[{items}]`")


def test_arrays_within_name_their_items_in_their_order() -> None:
    assert f"`[{', '.join(m.Raised.__struct_fields__)}]`" in SECTIONS["bid (update)"]
    for kind in (views.Turn, views.Next, views.Placed, views.Throw, views.Tally):
        assert f"`[{', '.join(kind.__struct_fields__)}]`" in SECTIONS["The view"]


# Dice that can be checked --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *((f"C_{seat}", value) for seat, value in enumerate(vectors.COMMITMENTS)),
        *((f"h_{seat}", value) for seat, value in enumerate(vectors.PROMISES)),
        ("E", vectors.MIX),
        ("T_0", vectors.T0),
        ("T_1", vectors.T1),
    ],
)
def test_each_vector_stands_in_the_document(name: str, value: bytes) -> None:
    assert f"\n{name.ljust(6)}{value.hex()}\n" in SECTIONS["Vectors"]


def test_the_hands_of_the_vectors_stand_in_the_document() -> None:
    hands = (f"seat {n}: {' '.join(map(str, hand))}" for n, hand in enumerate(vectors.HANDS))
    assert f"\nhands {', '.join(hands)}\n" in SECTIONS["Vectors"]


def test_the_example_of_join_words_is_what_lock_makes() -> None:
    key = lock.make_key(vectors.WORDS, vectors.SALT)
    assert key == vectors.KEY
    assert lock.prove(key, 0, vectors.ASKED, vectors.ANSWERED) == vectors.PROOF


# Words ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("section", "kind"),
    [
        ("Refusals of the rules", Refusal),
        ("Refusals of the server", words.Denial),
        ("Errors", words.ErrorWord),
        ("Reasons of bye", words.ByeReason),
        ("Reasons of away", words.AwayReason),
    ],
)
def test_each_word_stands_in_its_table(section: str, kind: type[Enum]) -> None:
    assert list(table(section, "word")) == [str(member.value) for member in kind]


def test_a_refusal_is_of_the_rules_or_of_the_server() -> None:
    assert not set(Refusal) & set(words.Denial)


def test_each_message_says_only_reasons_that_there_are() -> None:
    known = {*Refusal, *words.Denial}
    for kind in kinds(m.ClientMessage):
        for line in re.findall(r"^Refused: (.*)$", SECTIONS[word(kind)], re.MULTILINE):
            reasons = set(re.findall(r"`(\w+)`", line))
            assert reasons <= known | {"detail", "rematch", "bid"}
            assert reasons


def test_phases_players_calls_and_phrases() -> None:
    assert list(table("The view", "phase")) == list(Phase)
    for player in Player:
        assert f"`{player}`" in table("The view", "field of a seat")["player"][1]
    for call in Call:
        assert f"`{call}`" in table("The view", "field of a reveal")["call"][1]
    assert re.findall(r"`(\w+)`", SECTIONS["Quick phrases"]) == list(PHRASES)


def test_each_option_with_its_values_and_its_default_first() -> None:
    options = table("Options", "option")
    assert list(options) == list(CHOICES)
    for name, choice in CHOICES.items():
        values = options[name][0].replace("`", "")
        default = json.dumps(to_wire(STANDARD)[name])
        assert values.startswith(default)
        if choice is SWITCH:
            assert sorted(values.split(", ")) == ["false", "true"]
        elif choice.words:
            assert sorted(values.split(", ")) == sorted(map(json.dumps, choice.words))
        else:
            span = f"{'0 or ' if choice.zero else ''}{choice.least}..{choice.most}"
            assert values == f"{default}; {span}"


def test_each_preset_with_its_changes() -> None:
    presets = table("Options", "preset")
    assert list(presets) == list(PRESETS)
    for name, changes in PRESETS.items():
        wanted = ", ".join(f"`{option}`: {json.dumps(value)}" for option, value in changes.items())
        assert presets[name][0] == (wanted or "nothing")


# Figures --------------------------------------------------------------------------------------


def test_versions_port_and_sizes() -> None:
    assert f"**version {version.VERSIONS[0]}**" in DOCUMENT
    assert f"port {version.DEFAULT_PORT} " in SECTIONS["Frames"]
    for size in (framing.TO_SERVER, framing.TO_CLIENT):
        assert f"1 to {size} to " in SECTIONS["Frames"]
    limits = table("Limits", "what")
    assert limits["frame to the server"][0].startswith(f"{framing.TO_SERVER} bytes, ")
    assert f"{ITEMS_TO_SERVER} items" in limits["frame to the server"][0]
    assert limits["frame to a client"][0] == f"{framing.TO_CLIENT} bytes, {ITEMS_TO_CLIENT} items"


def test_links_within_the_document_lead_somewhere() -> None:
    anchors = {
        re.sub(r"[^\w\- ]", "", title).strip().lower().replace(" ", "-") for title in SECTIONS
    }
    assert set(re.findall(r"\]\(#([^)]+)\)", DOCUMENT)) <= anchors
