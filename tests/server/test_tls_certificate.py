"""The server's certificate: made once, kept to itself, or one's own."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from perudo_protocol.pins import fingerprint, pin_of
from perudo_server import certificate as certificate_module
from perudo_server import cli
from perudo_server.certificate import FILE, Identity, identity
from perudo_server.folder import BadFile, data_folder
from perudo_server.settings import Settings
from tests.support.private_house import files
from tests.support.servers import server


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def own(folder: Path) -> Identity:
    made = identity(Settings(tls=True, data=str(folder)))
    assert made is not None
    return made


def test_without_tls_there_is_none_and_no_folder(tmp_path: Path) -> None:
    assert identity(Settings(data=str(tmp_path / "data"))) is None
    assert not (tmp_path / "data").exists()


def test_the_first_start_makes_it_and_the_next_ones_keep_it(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "data"
    first = own(folder)
    assert (mode(folder), mode(folder / FILE)) == (0o700, 0o600)
    assert [each.name for each in folder.iterdir()] == [FILE]
    made = (folder / FILE).read_bytes()
    assert own(folder).certificate == first.certificate
    assert (folder / FILE).read_bytes() == made
    assert own(tmp_path / "other").certificate != first.certificate


def test_what_is_made_is_what_was_promised(tmp_path: Path) -> None:
    shown = own(tmp_path).certificate
    made = x509.load_pem_x509_certificate((tmp_path / FILE).read_bytes())
    key = serialization.load_pem_private_key((tmp_path / FILE).read_bytes(), None)
    assert isinstance(key, ec.EllipticCurvePrivateKey)
    assert key.curve.name == "secp256r1"
    assert key.public_key() == made.public_key()
    made.verify_directly_issued_by(made)
    assert made.fingerprint(hashes.SHA256()) == shown


def test_a_umask_that_gives_all_away_changes_nothing(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        own(tmp_path / "data")
    finally:
        os.umask(before)
    assert (mode(tmp_path / "data"), mode(tmp_path / "data" / FILE)) == (0o700, 0o600)


def test_what_became_open_to_others_is_closed(tmp_path: Path) -> None:
    own(tmp_path / "data")
    (tmp_path / "data").chmod(0o755)
    (tmp_path / "data" / FILE).chmod(0o644)
    own(tmp_path / "data")
    assert (mode(tmp_path / "data"), mode(tmp_path / "data" / FILE)) == (0o700, 0o600)


def test_a_folder_where_everybody_may_write_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data").chmod(0o1777)
    with pytest.raises(BadFile, match="open to every user"):
        data_folder(str(tmp_path / "data"))
    assert mode(tmp_path / "data") == 0o1777
    assert list((tmp_path / "data").iterdir()) == []


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("x")
    with pytest.raises(BadFile, match="is no folder"):
        data_folder(str(tmp_path / "data"))
    with pytest.raises(BadFile, match="cannot be had"):
        data_folder(str(tmp_path / "data" / "deeper"))


def test_the_folder_is_the_users_own_unless_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    assert data_folder("").name == "perudo-server"
    assert data_folder("~/mine") == tmp_path / "mine"


@pytest.mark.parametrize("content", ["", "nonsense", "-----BEGIN CERTIFICATE-----\nAA\n-----END"])
def test_a_damaged_file_is_never_replaced(tmp_path: Path, content: str) -> None:
    own(tmp_path)
    (tmp_path / FILE).write_text(content)
    with pytest.raises(BadFile, match="is damaged"):
        own(tmp_path)
    assert (tmp_path / FILE).read_text() == content


def test_of_two_first_starts_at_once_one_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make = certificate_module._make

    def slowly() -> bytes:
        mine = make()
        if not (tmp_path / FILE).exists():
            (tmp_path / FILE).write_bytes(make())  # the other one was faster
        return mine

    monkeypatch.setattr(certificate_module, "_make", slowly)
    first = own(tmp_path)
    assert own(tmp_path).certificate == first.certificate
    assert len(list(tmp_path.iterdir())) == 1


def test_a_file_system_without_links_will_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(38, "not here")

    monkeypatch.setattr(os, "link", refuse)
    first = own(tmp_path)
    assert own(tmp_path).certificate == first.certificate
    assert [each.name for each in tmp_path.iterdir()] == [FILE]


# Certificates of one's own -----------------------------------------------------------------------


def given(certificate: Path, key: Path) -> Identity:
    shown = identity(Settings(tls_cert=str(certificate), tls_key=str(key)))
    assert shown is not None
    return shown


def test_a_pair_of_ones_own_counts_and_makes_no_other(tmp_path: Path) -> None:
    pair = files(tmp_path)
    shown = given(*pair)
    assert shown.certificate == own(tmp_path / "data").certificate
    both = Settings(tls=True, tls_cert=str(pair[0]), tls_key=str(pair[1]), data=str(tmp_path / "n"))
    assert identity(both) is not None
    assert not (tmp_path / "n").exists()


def test_a_chain_is_known_by_its_first_certificate(tmp_path: Path) -> None:
    certificate, key = files(tmp_path)
    alone = given(certificate, key).certificate
    (tmp_path / "more").mkdir()
    other, _ = files(tmp_path / "more")
    certificate.write_text(f"Bag Attributes: é\n{certificate.read_text()}{other.read_text()}")
    assert given(certificate, key).certificate == alone


def broken(tmp_path: Path, which: str) -> tuple[Path, Path]:
    """Give a pair that will not do."""
    certificate, key = files(tmp_path)
    match which:
        case "absent certificate":
            certificate = tmp_path / "absent.pem"
        case "absent key":
            key = tmp_path / "absent.pem"
        case "folder":
            certificate = tmp_path
        case "no certificate":
            certificate.write_text("nonsense")
        case "no key":
            key.write_bytes(b"\xff\0")
        case "swapped":
            certificate, key = key, certificate
            key.chmod(0o600)
        case "other key":
            (tmp_path / "more").mkdir()
            _, key = files(tmp_path / "more")
        case "open key":
            key.chmod(0o604)
        case "passphrase":
            secret = serialization.load_pem_private_key(key.read_bytes(), None)
            key.write_bytes(
                secret.private_bytes(
                    serialization.Encoding.PEM,
                    serialization.PrivateFormat.PKCS8,
                    serialization.BestAvailableEncryption(b"cachito"),
                )
            )
    return certificate, key


@pytest.mark.parametrize(
    ("which", "says"),
    [
        ("absent certificate", "--tls-cert must name a PEM file"),
        ("absent key", "--tls-key must name a PEM file"),
        ("folder", "cannot be read"),
        ("no certificate", "no certificate and its key"),
        ("no key", "no certificate and its key"),
        ("swapped", "no certificate and its key"),
        ("other key", "does not belong to the certificate"),
        ("open key", "chmod 600"),
        ("passphrase", "without a passphrase"),
    ],
)
def test_what_is_wrong_with_a_pair_is_one_sentence_and_78(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], which: str, says: str
) -> None:
    certificate, key = broken(tmp_path, which)
    options = ["--tls-cert", str(certificate), "--tls-key", str(key), "--port", "0"]
    assert cli.main(options) == 78
    out, complaint = capsys.readouterr()
    assert out == ""
    assert complaint.count("\n") == 1
    assert complaint.startswith("perudo-server: ")
    assert says in complaint
    assert "PRIVATE" not in complaint


def test_a_key_that_we_may_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    certificate, key = files(tmp_path)
    read = Path.read_text

    def refuse(path: Path, *args: str, **more: str) -> str:
        if path == key:
            raise PermissionError(13, "Permission denied")
        return read(path, *args, **more)

    monkeypatch.setattr(Path, "read_text", refuse)
    with pytest.raises(BadFile, match=r"cannot be read \(Permission denied\); --tls-key"):
        given(certificate, key)


@pytest.mark.parametrize(("one", "other"), [("cert", "key"), ("key", "cert")])
def test_one_without_the_other_is_wrong_where_it_was_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], one: str, other: str
) -> None:
    assert cli.main([f"--tls-{one}", str(tmp_path / "x")]) == 64
    assert f"--tls-{one} is given and --tls-{other} is not" in capsys.readouterr().err
    (tmp_path / "server.toml").write_text(f'tls_{one} = "x"\n')
    assert cli.main(["--config", str(tmp_path / "server.toml")]) == 78
    assert f"tls_{one} is given and tls_{other} is not" in capsys.readouterr().err


# The command ------------------------------------------------------------------------------------


def test_it_shows_its_fingerprint_and_join_lines_that_carry_it(tmp_path: Path) -> None:
    pins = set()
    for _start in range(2):
        with server(tmp_path, "--tls", "--data", str(tmp_path / "data")) as running:
            assert running.end() == 0
        shown = own(tmp_path / "data").certificate
        assert re.fullmatch(
            rf"perudo://127\.0\.0\.1:\d+#{re.escape(pin_of(shown))}", running.places[0]
        )
        assert f"  {fingerprint(shown)}" in running.said
        pins.add(running.places[0].partition("#")[2])
    assert len(pins) == 1


def test_nothing_but_the_first_start_needs_cryptography() -> None:
    """It is large, and most servers never do without what they kept."""
    code = (
        "import sys, perudo_server.app, perudo_server.lobby, perudo_client.app, perudo_bot.cli;"
        "sys.exit('cryptography' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
