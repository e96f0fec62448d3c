"""Dice that every player can check: `perudo-fair/1`, its hashes and its dice, pure.

Each player who takes part *promises* entropy (the hash `h`), the server *commits* itself to a seed
for each seat (the hash `C`), then the promised entropy is opened and mixed (`E`), and the dice of a
seat follow from its seed and the mix. `protocol/README.md` has the whole procedure and what it
proves; `|` is a literal bar, numbers are decimal, hashes are SHA-256, raw where not said to be hex.

Nothing here draws anything: entropy and seeds come from whoever calls.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

NAME = "perudo-fair/1"
SIZE = 32
"""Bytes in a seed, in a player's entropy and in every hash."""
DIGITS = 6
"""So many hex digits of the chain stand on the screen, to be compared aloud."""

_FAIR = 252
"""A byte below this gives a die; the four above would favour some faces, and are skipped."""


class Draw(NamedTuple):
    """Which throw of the cups is meant: the game by its id, the round from 1, the attempt from 0.

    A new attempt follows when promised entropy did not come; everything in it is drawn afresh.
    """

    game: str
    round: int
    attempt: int

    @property
    def context(self) -> bytes:
        """The bytes that bind every hash to this draw alone."""
        return f"{NAME}|{self.game}|{self.round}|{self.attempt}".encode()


def promise(game: str, seat: int, entropy: bytes) -> bytes:
    """Give the hash `h` by which a player promises 32 bytes of entropy for the coming draw."""
    return _hash(f"{NAME}|{game}|entropy|{seat}|".encode() + entropy)


def commitment(draw: Draw, seat: int, seed: bytes) -> bytes:
    """Give the hash `C` by which the server commits itself to a seat's seed of 32 bytes."""
    return _hash(draw.context + f"|commit|{seat}|".encode() + seed)


def mix(draw: Draw, entropies: Mapping[int, bytes]) -> bytes:
    """Give `E`: all opened entropy by seat, in the order of the seats; of nobody's it is a
    constant of the draw."""
    parts = (f"{seat}:{entropies[seat].hex()};" for seat in sorted(entropies))
    return _hash(draw.context + b"|mix|" + "".join(parts).encode())


def dice(draw: Draw, seat: int, seed: bytes, mixed: bytes, number: int) -> tuple[int, ...]:
    """Give a seat's dice, each 1-6, so many as asked for: they follow from seed and mix alone."""
    found: list[int] = []
    block = 0
    while len(found) < number:
        text = draw.context + f"|dice|{seat}|{block}|".encode() + mixed
        stream = hmac.digest(seed, text, "sha256")
        found.extend(byte % 6 + 1 for byte in stream if byte < _FAIR)
        block += 1
    return tuple(found[:number])


def first_link(game: str) -> bytes:
    """Give `T0`, with which the chain of a game begins."""
    return _hash(f"{NAME}|{game}|chain".encode())


def next_link(
    before: bytes,
    draw: Draw,
    commitments: Iterable[tuple[int, bytes]],
    mixed: bytes,
    seeds: Iterable[tuple[int, bytes]],
) -> bytes:
    """Give the chain after a round: over the link before it, all commitments, the mix, and the
    seeds that were shown, each with its seat and in the order of the seats."""
    tail = f"|round|{_pairs(commitments)}|{mixed.hex()}|{_pairs(seeds)}"
    return _hash(before + draw.context + tail.encode())


def digits(chain: bytes) -> str:
    """Give what of a chain stands on the screen; nothing for none."""
    return chain.hex()[:DIGITS]


def given(hashes: Sequence[bytes]) -> dict[int, bytes]:
    """Give by seat what a list with one place a seat holds; empty places are left out."""
    return {seat: value for seat, value in enumerate(hashes) if value}


def _pairs(values: Iterable[tuple[int, bytes]]) -> str:
    return "".join(f"{seat}:{value.hex()};" for seat, value in values)


def _hash(text: bytes) -> bytes:
    return hashlib.sha256(text).digest()
