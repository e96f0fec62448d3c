"""Certificates' hashes as pins and fingerprints."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perudo_protocol.pins import (
    PIN_SIGNS,
    certificate_hash,
    fingerprint,
    pin_of,
    read_pin,
)

HASHES = st.binary(min_size=32, max_size=32)


def test_a_certificate_worked_out_by_hand() -> None:
    """`printf perudo | openssl dgst -sha256 -binary | basenc --base64url`."""
    found = certificate_hash(b"perudo")
    assert found == hashlib.sha256(b"perudo").digest()
    assert pin_of(found) == "vpqeMN7nHIyQ8SI2h0J-CWXGvm3SndEnRkhgIp8JFd0"
    assert fingerprint(found) == "SHA256:vpqeMN7nHIyQ8SI2h0J-CWXGvm3SndEnRkhgIp8JFd0"
    assert pin_of(b"") == ""


@given(HASHES)
def test_a_pin_is_read_as_it_is_written(certificate: bytes) -> None:
    pin = pin_of(certificate)
    assert len(pin) == PIN_SIGNS
    assert read_pin(pin) == certificate


@given(st.text(max_size=50))
def test_no_other_text_is_a_pin(text: str) -> None:
    try:
        pin = pin_of(read_pin(text))
    except ValueError:
        pin = text
    assert pin == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A" * 42,
        "A" * 44,
        "A" * 43 + "=",
        "A" * 42 + "B",  # the same hash as all A, written otherwise
        "A" * 42 + "+",
        "A" * 42 + "/",
        " " + "A" * 43,
        "A" * 43 + "\n",
        "é" * 43,
        "SHA256:" + "A" * 43,
    ],
)
def test_what_is_none(text: str) -> None:
    with pytest.raises(ValueError, match="43 signs"):
        read_pin(text)
