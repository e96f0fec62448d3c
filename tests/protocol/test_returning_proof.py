"""Coming back: the proof is that of the vector, and only the right key gives it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from perudo_protocol import returning
from tests.support import vectors as v

secret = st.binary(min_size=32, max_size=32)


def test_the_proof_of_the_vector() -> None:
    assert returning.hashed(v.RETURN_KEY) == v.RETURN_HASH
    made = returning.prove(v.RETURN_KEY, 3, v.CLIENT_NONCE, v.SERVER_NONCE)
    assert made == v.RETURN_PROOF
    assert returning.proves(made, v.RETURN_HASH, 3, v.CLIENT_NONCE, v.SERVER_NONCE)


@given(secret, secret, secret, secret, st.integers(0, 2**53))
def test_a_proof_fits_its_key_person_nonces_and_certificate_alone(
    key: bytes, ours: bytes, theirs: bytes, certificate: bytes, person: int
) -> None:
    proof = returning.prove(key, person, ours, theirs, certificate)
    known = returning.hashed(key)
    assert returning.proves(proof, known, person, ours, theirs, certificate)
    other = bytes([key[0] ^ 1]) + key[1:]
    assert not returning.proves(proof, returning.hashed(other), person, ours, theirs, certificate)
    assert not returning.proves(proof, known, person + 1, ours, theirs, certificate)
    assert not returning.proves(proof, known, person, ours, theirs, b"")
    assert not returning.proves(known, known, person, ours, theirs, certificate)
    assert key not in proof


def test_who_has_no_key_cannot_come_back() -> None:
    for proof in (b"", bytes(32), b"x" * 31):
        assert not returning.proves(proof, b"", 1, bytes(32), bytes(32))
