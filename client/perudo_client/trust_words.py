"""What is said about a server's certificate."""

from __future__ import annotations

from perudo_protocol.pins import fingerprint, pin_of

from .address import Address
from .i18n import _


def question(address: Address, found: bytes) -> list[str]:
    """Ask whether to trust a server that is not known: what is the matter, what to compare."""
    where = Address(address.host, address.port)
    return [
        _("The authenticity of {address} is not known.").format(address=where),
        _("Its certificate's fingerprint:"),
        fingerprint(found),
        _("Compare it with what perudo-server showed when it started. If they are the same, nobody"
          " stands between you and the server. You are not asked again."),
        _("Go on?"),
    ]  # fmt: skip


def unasked(address: Address, found: bytes) -> str:
    """Say how to go to an unknown server where nobody can answer a question."""
    text = _(
        "The authenticity of {address} is not known: its certificate's fingerprint is"
        " {fingerprint}. If perudo-server showed the same when it started, use {pinned} instead."
    )
    return text.format(
        address=Address(address.host, address.port),
        fingerprint=fingerprint(found),
        pinned=address._replace(pin=pin_of(found)),
    )


def not_kept(address: Address, found: bytes, problem: str) -> str:
    """Say that a certificate could not be kept, and how to go on without."""
    text = _("That you trust {address} could not be kept ({problem}): use {pinned} instead.")
    return text.format(
        address=Address(address.host, address.port),
        problem=problem,
        pinned=address._replace(pin=pin_of(found)),
    )


def declined(address: Address) -> str:
    """Say that the player did not trust a server."""
    text = _("Without trust in {address} there is no game there.")
    return text.format(address=Address(address.host, address.port))


def changed(asked: Address, expected: bytes, found: bytes) -> str:
    """Say that a server has another certificate than it should, and what can be done."""
    text = _(
        "The certificate of {address} has changed: its fingerprint was {expected}, and is {found}."
        " Somebody may be posing as that server. If who runs it says that all is well, run"
        " perudo-client --forget {address} and connect again."
    )
    if asked.pin:
        text = _(
            "The server at {address} is another one than the address says: its certificate's"
            " fingerprint should be {expected}, and is {found}. Ask who runs it for a new address;"
            " if you know the server by an old certificate, run perudo-client --forget {address}"
            " first."
        )
    return text.format(
        address=Address(asked.host, asked.port),
        expected=fingerprint(expected),
        found=fingerprint(found),
    )


def plain(asked: Address) -> str:
    """Say that a server should encrypt, and does not."""
    text = _(
        "The server at {address} does not encrypt, and it did before. Somebody may be posing as"
        " that server. If who runs it says that all is well, run perudo-client --forget {address}"
        " and connect again."
    )
    if asked.pin:
        text = _(
            "The server at {address} does not encrypt, and the address says that it does. Ask who"
            " runs it for a new address; if you know the server by an old certificate, run"
            " perudo-client --forget {address} first."
        )
    return text.format(address=Address(asked.host, asked.port))


def no_handshake(asked: Address) -> str:
    """Say that no encrypted connection came about."""
    text = _(
        "No encrypted connection to {address} came about: the server may be full, or too slow, or"
        " speak no TLS 1.3. Try again later."
    )
    return text.format(address=Address(asked.host, asked.port))


def another(address: Address) -> str:
    """Say that a link's certificate is not the one that the server of its address is known by."""
    text = _(
        "You know {address} by another certificate than this link names. The link's was used this"
        " time and nothing was replaced; to know the server by it, run perudo-client --forget"
        " {address} first."
    )
    return text.format(address=Address(address.host, address.port))


def forgotten(address: Address, known: bool) -> str:
    """Say what came of forgetting a server."""
    text = _("The certificate of {address} is forgotten; the next one will be asked about.")
    if not known:
        text = _("No certificate of {address} is known.")
    return text.format(address=Address(address.host, address.port))
