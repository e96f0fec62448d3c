"""The vectors of `perudo-fair/1`, as `protocol/README.md` shows them, and one of join words."""

from __future__ import annotations

GAME = "8f3a1c"
SEEDS = tuple(bytes([byte]) * 32 for byte in (0x10, 0x11, 0x12))
ENTROPIES = tuple(bytes([byte]) * 32 for byte in (0xA0, 0xA1, 0xA2))
COMMITMENTS = tuple(
    bytes.fromhex(digits)
    for digits in (
        "10d1eb1936e186dbd471cccd720b194dfb32747b50e2a03999cc5019e2f5df45",
        "efc56d8f8e30e23f49d2ff60beec8df84d9ff9811341df3313faf76763b20d47",
        "616566ca0cfaa128321afa949d7e2fb814e0956bf0df7a22243391db247e98ca",
    )
)
PROMISES = tuple(
    bytes.fromhex(digits)
    for digits in (
        "5efe234003b15a71d8b468342421fe572b0679d9df2b3c135415d196d7e8fb9f",
        "1fcb71f70010b63f08818bc711ba3138186cab10895f85360e50ad4e9beced6f",
        "d82b4944f7dcd862b9955429cc35bb0e9bab6bd285691fd005bcb73a81d885fa",
    )
)
MIX = bytes.fromhex("cdc10edfa9bcf8a393c4710edde96c5b6679e3184be285e21eddda6f722b24a0")
HANDS = ((5, 3, 6, 5, 6), (5, 2, 2, 4, 2), (6, 3, 2, 3, 5))
T0 = bytes.fromhex("4fffbd990e99f4c0ee0ad2baf9b31eefc7443608cc808577d6c92a6b8ea7ad34")
T1 = bytes.fromhex("4552e813ac2244b2b5c4a6e3070c93fa9998a5267d87c3778577aad0d6d64859")
NEXT_ENTROPY = b"\xb0" * 32
NEXT_PROMISE = bytes.fromhex("e5e821822e830dc7b37b80a5550598ef94a41df443892ba54dd98b586b79295b")
"""What seat 0 promises for the draw after the first."""

WORDS = "blue fox rain"
SALT, ASKED, ANSWERED = (bytes([byte]) * 32 for byte in (0x20, 0x21, 0x22))
KEY = bytes.fromhex("0b09bd03efd37debb2e085f30bc546d380be1aaccf333f5b72394bf20d9275a7")
PROOF = bytes.fromhex("31ca6767c2663325ddfa6d10b15f1069ddfc3ad6d7e771a122d90c5b430bc012")
"""For the server (table 0), on a line without TLS."""

RETURN_KEY = b"\x63" * 32
"""A client's secret key for coming back, as `returning` has it."""
RETURN_HASH = bytes.fromhex("cd93782b7fb95559de14f738b65988af85d41dc1565f7c7d1ed2d035665b519c")
CLIENT_NONCE, SERVER_NONCE = b"\x60" * 32, b"\x62" * 32
RETURN_PROOF = bytes.fromhex("a893ae22cabf2f8806e0ae57b65bcf33e2b62c1c58e2d0fec3845919dd2f797d")
"""Person 3's proof with these nonces, on a line without TLS."""
