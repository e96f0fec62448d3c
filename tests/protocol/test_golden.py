"""What was once on the wire is understood for ever; see `tests/support/golden.py`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgpack
import msgspec
import pytest

from perudo_protocol import messages as m
from perudo_protocol.codec import decode_client, decode_server, encode
from perudo_protocol.framing import HEADER
from perudo_protocol.story import AnyEvent
from tests.support import golden
from tests.support.arbitrary import kinds, word

EVERY = golden.every()
UNIONS: dict[str, Any] = {
    "client": m.ClientMessage,
    "server": m.AsSent,
    "event": m.ServerMessage,
}


def decoded(found: golden.Golden) -> Any:
    decode = decode_client if found.side == "client" else decode_server
    return decode(found.frame[HEADER:])


def newest() -> list[Path]:
    """Give the file with the highest number of each word."""
    last: dict[tuple[str, str], Path] = {}
    for path in sorted(EVERY, key=lambda path: golden.read(path).number):
        last[path.parent.name, golden.read(path).word] = path
    return list(last.values())


@pytest.mark.parametrize("path", EVERY, ids=golden.name_of)
def test_a_golden_frame_decodes_to_what_it_always_meant(path: Path) -> None:
    found = golden.read(path)
    assert int.from_bytes(found.frame[:HEADER], "big") == len(found.frame) - HEADER
    assert msgpack.unpackb(found.frame[HEADER:]) == found.value
    meant = msgspec.convert(found.value, UNIONS[found.side], builtin_types=(bytes,))
    assert decoded(found) == (m.in_full(meant) if isinstance(meant, m.Brief) else meant)


@pytest.mark.parametrize("path", newest(), ids=golden.name_of)
def test_the_newest_golden_frame_is_what_is_sent_today(path: Path) -> None:
    found = golden.read(path)
    assert encode(decoded(found)) == found.frame


@pytest.mark.parametrize(
    ("side", "union"),
    [("client", m.ClientMessage), ("server", m.AsSent), ("event", AnyEvent)],
)
def test_each_message_and_event_has_a_golden_frame(side: str, union: Any) -> None:
    have = {golden.read(path).word for path in EVERY if path.parent.name == side}
    assert have == {word(kind) for kind in kinds(union)}


def test_adding_writes_nothing_where_all_is_there() -> None:
    assert golden.add() == []


def test_adding_never_touches_a_file_that_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(golden, "FOLDER", tmp_path)
    assert len(golden.add()) == len(golden.samples())
    old = tmp_path / "client" / "leave-1.txt"
    old.write_text(golden.written(m.Leave(id=99)), encoding="utf-8")
    assert golden.add() == [tmp_path / "client" / "leave-2.txt"]
    assert golden.read(old).value == {"type": "leave", "id": 99}
