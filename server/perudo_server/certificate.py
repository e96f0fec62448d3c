"""The certificate by which players know this server: one that it makes itself, or one given.

It is made at the first start and kept, together with its key, in one file of the data folder. Who
is given its hash knows the server by it for ever: it names no host and has no end.
"""

from __future__ import annotations

import os
import re
import ssl
import stat
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from perudo_protocol.pins import certificate_hash
from perudo_protocol.tls import server_context

from .folder import BadFile, close, data_folder, is_no_file, is_open
from .settings import Settings

FILE = "tls.pem"
"""What the file with the key and the certificate is called."""
_CERTIFICATE = re.compile(r"-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----", re.DOTALL)


class Identity(NamedTuple):
    """What a server shows to those who connect, and the hash by which they know it."""

    context: ssl.SSLContext
    certificate: bytes


def identity(settings: Settings) -> Identity | None:
    """Give this server's identity, made now if it has none yet; `None` for one without TLS.

    Raises `BadFile`.
    """
    if settings.tls_cert:
        return _given(*(Path(os.path.expanduser(p)) for p in (settings.tls_cert, settings.tls_key)))
    return _own(data_folder(settings.data) / FILE) if settings.tls else None


def _own(path: Path) -> Identity:
    try:
        if not path.exists():
            _keep(path, _make())
        _see_that_it_is_a_file(path)
        close(path, 0o600)
        text = path.read_text(encoding="ascii")
        return Identity(server_context(path, path), _hash(text))
    except (ssl.SSLError, ValueError):
        raise BadFile(
            f"the certificate {str(path)!r} is damaged; bring it back from a copy, or move it away"
            " to have a new one made, which every player must trust anew"
        ) from None
    except OSError as bad:
        raise BadFile(
            f"the certificate {str(path)!r} cannot be kept or read ({bad.strerror});"
            " give another folder with --data"
        ) from None


def _given(certificate: Path, key: Path) -> Identity:
    text = _read(certificate, "--tls-cert")
    _read(key, "--tls-key")
    if is_open(key, to=stat.S_IRWXO):
        raise BadFile(
            f"the key {str(key)!r} is open to every user of this machine;"
            f" close it with: chmod 600 {key}"
        )
    try:
        return Identity(server_context(certificate, key), _hash(text))
    except ssl.SSLError as bad:
        if bad.reason == "KEY_VALUES_MISMATCH":
            raise BadFile(
                f"the key {str(key)!r} does not belong to the certificate {str(certificate)!r};"
                " --tls-cert and --tls-key must name a pair"
            ) from None
    except ValueError:
        pass
    raise BadFile(
        f"{str(certificate)!r} and {str(key)!r} are no certificate and its key;"
        " they must be PEM files, and the key without a passphrase"
    )


def _read(path: Path, flag: str) -> str:
    try:
        _see_that_it_is_a_file(path)
        return path.read_text(encoding="ascii", errors="replace")
    except OSError as bad:
        raise BadFile(
            f"{str(path)!r} cannot be read ({bad.strerror});"
            f" {flag} must name a PEM file open to you"
        ) from None


def _see_that_it_is_a_file(path: Path) -> None:
    if is_no_file(path):
        raise BadFile(f"{str(path)!r} is no file, but a pipe or a device; it must be a PEM file")


def _hash(pem: str) -> bytes:
    """Give the hash of the first certificate in a text; raises `ValueError` if there is none."""
    found = _CERTIFICATE.search(pem)
    if found is None:
        raise ValueError("no certificate")
    return certificate_hash(ssl.PEM_cert_to_DER_cert(found[0]))


def _keep(path: Path, content: bytes) -> None:
    """Write a file that only we may read, whole or not at all, and never over another one."""
    import tempfile

    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)  # with mode 0600
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(name, path)
        except FileExistsError:
            return  # another server was faster: its certificate is as good
        except OSError:  # a file system without links
            os.replace(name, path)
    finally:
        with suppress(OSError):
            os.unlink(name)


def _make() -> bytes:
    """Make a key and a certificate signed with it, in PEM."""
    # Imported here alone: only the first start of a server with TLS needs it.
    from datetime import UTC, datetime

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "perudo-server")])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        # What RFC 5280 has for a certificate without an end; a wrong clock must not matter.
        .not_valid_before(datetime(2000, 1, 1, tzinfo=UTC))
        .not_valid_after(datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC))
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    pkcs8, bare = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    return key.private_bytes(pem, pkcs8, bare) + certificate.public_bytes(pem)
