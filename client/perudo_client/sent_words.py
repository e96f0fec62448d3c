"""What is said when a server sends us on to another address."""

from __future__ import annotations

from perudo_protocol.elsewhere import Astray

from .address import Address
from .i18n import _


def sent_on(where: Address) -> str:
    """Say that we go on at another address."""
    return _("The server sends you on to {address}.").format(address=_plain(where))


def not_there(why: Astray, place: str) -> str:
    """Say why this program does not go where the server sends it; `place` is as the server said."""
    match why:
        case Astray.NO_ADDRESS:
            return _("The server sends you on to what is no address: do not trust it.")
        case Astray.TOO_NEAR:
            text = _(
                "The server sends you on to {place}, into a network that is nearer to you than it"
                " is: this program does not go there."
            )
        case Astray.BAD_PORT:
            text = _(
                "The server sends you on to {place}, a port of other services: this program does"
                " not go there."
            )
        case Astray.IN_THE_CLEAR:
            text = _(
                "The server sends you on to {place}, without encryption: this program does not go"
                " there."
            )
        case Astray.OTHER_CERTIFICATE:
            text = _(
                "The server sends you on to {place}, which you know by another certificate: this"
                " program does not go there."
            )
        case Astray.IN_CIRCLES:
            return _("The server sends you on and on: this program follows no further.")
        case Astray.UNKNOWN:
            return _("The server sends you on before it knows you: do not trust it.")
    return text.format(place=place)


def _plain(where: Address) -> str:
    return str(Address(where.host, where.port))
