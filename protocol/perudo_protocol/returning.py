"""Coming back: how a client shows that it is who it was, without sending its key. Pure.

The client draws a key of 32 bytes and tells the server its SHA-256 in `hello`; that is all the
server ever keeps. To come back both sides draw a nonce, and the client sends

    proof = key XOR HMAC-SHA256(hash of the key, "perudo-resume/1|person|hex nonces...|certificate")

The server takes the HMAC off again and looks whether the hash of what is left is the one it knows.
So what the server keeps is not enough to come back as somebody, and neither is one return that was
overheard. Whoever hears a greeting *and* a return on a line in the clear has the key, as they have
all else that goes over it: against that there is TLS.
"""

from __future__ import annotations

import hashlib
import hmac

NAME = "perudo-resume/1"
SIZE = 32
"""Bytes in a key, its hash, a nonce and a proof."""


def hashed(key: bytes) -> bytes:
    """Give what the server may know of a key."""
    return hashlib.sha256(key).digest()


def prove(key: bytes, person: int, ours: bytes, theirs: bytes, certificate: bytes = b"") -> bytes:
    """Give the client's proof: `ours` is the nonce of its `resume`, `theirs` the server's.

    `certificate` is the SHA-256 of the server's certificate, empty on a line without TLS.
    """
    return _xor(key, _mask(hashed(key), person, ours, theirs, certificate))


def proves(
    proof: bytes, known: bytes, person: int, theirs: bytes, ours: bytes, certificate: bytes = b""
) -> bool:
    """Say whether a proof is right for the key whose hash is `known`.

    `theirs` is the nonce of the client's `resume`, `ours` the server's.
    """
    if len(known) != SIZE or len(proof) != SIZE:
        return False
    key = _xor(proof, _mask(known, person, theirs, ours, certificate))
    return hmac.compare_digest(hashed(key), known)


def _mask(known: bytes, person: int, client: bytes, server: bytes, certificate: bytes) -> bytes:
    bound = f"{NAME}|{person}|{client.hex()}|{server.hex()}|{certificate.hex()}"
    return hmac.digest(known, bound.encode(), "sha256")


def _xor(one: bytes, two: bytes) -> bytes:
    return (int.from_bytes(one, "big") ^ int.from_bytes(two, "big")).to_bytes(SIZE, "big")
