"""How a server's certificate is named: its SHA-256, written as a pin or as a fingerprint.

A pin is the hash in base64's alphabet for addresses without padding: 43 signs. The fingerprint is
the same behind `SHA256:`, as SSH shows keys.
"""

from __future__ import annotations

import base64
import re

PIN_SIGNS = 43
"""The length of a pin."""

_PIN = re.compile(r"[0-9A-Za-z_-]{43}")


def certificate_hash(der: bytes) -> bytes:
    """Give the hash, 32 bytes, of a certificate's DER form."""
    import hashlib  # most addresses are of servers without a certificate

    return hashlib.sha256(der).digest()


def pin_of(certificate: bytes) -> str:
    """Write a certificate's hash as a pin; no hash as no text."""
    return base64.urlsafe_b64encode(certificate).decode("ascii").rstrip("=")


def read_pin(pin: str) -> bytes:
    """Give the hash that a pin stands for; raises `ValueError` for what is no pin."""
    if _PIN.fullmatch(pin):
        certificate = base64.urlsafe_b64decode(pin + "=")
        if pin_of(certificate) == pin:  # the last sign has two bits to spare
            return certificate
    raise ValueError(f"a pin has {PIN_SIGNS} signs: letters, digits, - and _")


def fingerprint(certificate: bytes) -> str:
    """Write a certificate's hash for people to compare."""
    return f"SHA256:{pin_of(certificate)}"
