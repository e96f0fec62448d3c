"""The limits that the wire document names are those that the server keeps."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from perudo_server.moves import CHAT_LETTERS
from perudo_server.names import NAME_CELLS, TABLE_NAME_CELLS
from perudo_server.settings import Settings

DOCUMENT = (Path(__file__).parents[2] / "protocol" / "README.md").read_text(encoding="utf-8")
KEPT = Settings()


@pytest.mark.parametrize(
    "sentence",
    [
        f"| handshake of TLS | {KEPT.handshake_seconds:g} s from connecting",
        f"| greeting | {KEPT.greeting_seconds:g} s from connecting",
        f"| join words | {KEPT.naming_seconds:g} s for each answer",
        f"| wrong join words | {KEPT.secret_tries} a minute from one address",
        f"| wrong join words at one door | {KEPT.secret_tries_in_all} a minute in all, and as many",
        f"| a frame | {KEPT.frame_seconds:g} s from its first byte",
        f"| `ping` every {KEPT.ping_seconds:g} s, dead after {KEPT.dead_seconds:g} s |",
        f"The server sends `ping` every {KEPT.ping_seconds:g} seconds",
        f"nothing at all has been heard for {KEPT.dead_seconds:g} seconds",
        f"| {KEPT.frame_burst} at once, then {KEPT.frame_rate:g} a second |",
        f"| messages that are none | {KEPT.bad_messages} |",
        f"`leave` | {KEPT.move_burst} at once, then {KEPT.move_rate:g} a second |",
        f"| {KEPT.call_burst} at once, then {KEPT.call_rate:g} a second | `too_many` |",
        f"every {KEPT.list_seconds:g} s at the most",
        f"| {KEPT.act_burst} at once, then {KEPT.act_rate:g} a second |",
        f"| `promise` and `entropy` | {KEPT.share_burst} at once, then {KEPT.share_rate:g} a",
        f"who are away and are waited for | {KEPT.connections_per_address} |",
        f"| pauses of one game | {KEPT.pause_seconds:g} s in all |",
        f"| bots that play on alone | {KEPT.deserted_seconds:g} s after",
        f"| {KEPT.chat_burst} at once, then {KEPT.chat_rate:g} a second |",
        f"| connections | {KEPT.connections}; {KEPT.connections_per_address} from one address;",
        f"; {KEPT.ungreeted} that have not greeted |",
        f"asked for words or another name | {KEPT.waiting_per_address} from one address",
        f"| | {KEPT.ungreeted} in all | `slow_greeting` to the oldest",
        f"| {KEPT.tables}; {KEPT.tables_per_address} made from one address |",
        f"| {KEPT.outbox_frames} frames or {KEPT.outbox_bytes} bytes |",
        f"after {KEPT.overflow_seconds:g} s closed |",
        f"is 1 to {NAME_CELLS} cells of a terminal wide, that of a table 1 to {TABLE_NAME_CELLS}",
        f"A line of **chat** is 1 to {CHAT_LETTERS} characters",
    ],
)
def test_a_limit_of_the_document_is_the_servers(sentence: str) -> None:
    assert sentence in re.sub(r"\s+", " ", DOCUMENT)
