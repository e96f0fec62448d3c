"""Frames without their header, and who reads them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from perudo_protocol import messages as m
from perudo_protocol.codec import decode_client, decode_server, encode
from perudo_protocol.framing import HEADER

SIDES: list[tuple[Callable[[bytes], Any], Any]] = [
    (decode_client, m.ClientMessage),
    (decode_server, m.ServerMessage),
]
"""How each side reads what comes to it, and what that may be."""


def payload(message: m.FromClient | m.FromServer) -> bytes:
    """The frame without its header."""
    return encode(message)[HEADER:]
