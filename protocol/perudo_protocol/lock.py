"""Join words: how somebody shows that they know them without saying them. Pure.

From the words both sides make a key that is slow to make (scrypt), so that whoever overhears an
answer cannot try many words against it. The answer to a challenge is an HMAC with that key over
both sides' nonces and, on a line with TLS, the fingerprint of the server's certificate: an answer
given to an impostor is of no use to it at the real server.
"""

from __future__ import annotations

import hashlib
import hmac
import unicodedata

NAME = "perudo-secret/1"
COST = 15
"""The work of making a key: scrypt with n = 2 to this power, r = 8, p = 1 (32 MiB)."""
SIZE = 32
"""Bytes in a salt, a nonce, a key and a proof."""
LEAST_SIGNS = 6
"""Words with fewer signs, as they are compared, lock nothing."""
LEAST_COST, MOST_COST = COST, 17
"""A client makes no key that costs less, or more, whatever a server asks for.

One that costs little would let an impostor try many words against an answer.
"""


def plain_words(words: str) -> str:
    """Give join words as they are compared: without case, accents' writing, and odd spaces.

    `Blue  Fox-Rain` and `blue fox rain` are the same words.
    """
    text = unicodedata.normalize("NFKC", words).casefold().replace("-", " ")
    return " ".join(text.split())


def make_key(words: str, salt: bytes, cost: int = COST) -> bytes:
    """Give the key of join words, 32 bytes; takes about 0.1 s and 32 MiB by design.

    Raises `ValueError` for a cost that is not `LEAST_COST` to `MOST_COST`.
    """
    if not LEAST_COST <= cost <= MOST_COST:
        raise ValueError(f"a cost of {LEAST_COST} to {MOST_COST}, not {cost}")
    n, r = 2**cost, 8
    text = plain_words(words).encode("utf-8", "replace")
    return hashlib.scrypt(text, salt=salt, n=n, r=r, p=1, maxmem=256 * n * r, dklen=SIZE)


def prove(key: bytes, table: int, asked: bytes, answered: bytes, certificate: bytes = b"") -> bytes:
    """Give the proof for a challenge with nonce `asked`, answered with the nonce `answered`.

    `table` is 0 for the server; `certificate` is the SHA-256 of the server's certificate (DER), or
    empty on a line without TLS.
    """
    bound = f"{NAME}|{table}|{asked.hex()}|{answered.hex()}|{certificate.hex()}"
    return hmac.digest(key, bound.encode(), "sha256")


def proves(
    proof: bytes, key: bytes, table: int, asked: bytes, answered: bytes, certificate: bytes = b""
) -> bool:
    """Say whether a proof is right, in the same time for every wrong one."""
    return hmac.compare_digest(proof, prove(key, table, asked, answered, certificate))
