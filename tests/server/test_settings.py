"""Settings: their ranges, and flag before environment before file before default."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perudo_server.settings import BY_NAME, BadSetting, Settings
from perudo_server.sources import BadFlag, gather, shown


@pytest.fixture(autouse=True)
def _nobody_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))


def write(path: Path, text: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_defaults_are_in_range_and_explained() -> None:
    Settings()
    for entry in BY_NAME.values():
        assert entry.metadata["about"], entry.name


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"port": -1}, "port is -1; it must be a whole number from 0 to 65535"),
        ({"port": True}, "port is True"),
        ({"port": 7654.0}, "port is 7654.0"),
        ({"port": "7654"}, "port is '7654'"),
        ({"name": "a" * 65}, "it must be up to 64 visible letters"),
        ({"name": 5}, "name is 5"),
        ({"log_level": "INFO"}, "it must be one of debug, info, warning, error"),
        ({"until_eof": 1}, "until_eof is 1; it must be true or false"),
        ({"bot_seconds": float("nan")}, "bot_seconds is nan"),
        ({"bot_seconds": -0.1}, "it must be a number from 0 to 60"),
        ({"bot_seconds": 10**400}, "it must be a number from 0 to 60"),
        ({"reveal_seconds": float("inf")}, "reveal_seconds is inf"),
        ({"host": (1,)}, "it must be one or more addresses"),
        ({"host": ("a\nb",)}, r"host is ('a\nb',)"),
        ({"dead_seconds": 5.0}, "dead_seconds must be the greater one"),
    ],
)
def test_what_a_setting_cannot_take(values: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadSetting) as bad:
        Settings(**values)
    assert reason in str(bad.value)


def test_the_name_is_made_of_the_machines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "attic\x1b[2J.example.org")
    assert Settings().server_name == "Perudo on attic[2J"
    assert Settings(name=" Ours ").server_name == "Ours"
    monkeypatch.setattr("socket.gethostname", lambda: "x" * 300)
    assert len(Settings().server_name) == 64


def test_flag_before_environment_before_file_before_default(tmp_path: Path) -> None:
    file = write(tmp_path / "s.toml", "port = 1\nact_burst = 1\nchat_burst = 1\n")
    environ = {"PERUDO_PORT": "2", "PERUDO_ACT_BURST": "2", "PERUDO_HOST": "::1, localhost"}
    found = gather({"port": "3"}, environ, file)
    assert found.settings.port == 3
    assert found.settings.act_burst == 2
    assert found.settings.chat_burst == 1
    assert found.settings.host == ("::1", "localhost")
    assert found.settings.tables == Settings().tables
    assert [found.origins[name] for name in ("port", "act_burst", "chat_burst", "tables")] == [
        "--port",
        "PERUDO_ACT_BURST",
        file,
        "default",
    ]


def test_the_own_file_counts_when_it_is_there(tmp_path: Path) -> None:
    assert gather({}, {}, None).settings.port == Settings().port
    write(tmp_path / "perudo" / "server.toml", "port = 1\n")
    assert gather({}, {}, None).settings.port == 1
    other = write(tmp_path / "other.toml", "tables = 1\n")
    assert gather({}, {}, other).settings.port == Settings().port
    assert gather({}, {"PERUDO_CONFIG": other}, None).settings.tables == 1


def test_only_names_of_settings_are_read_and_empty_is_not_set() -> None:
    environ = {"PERUDO_CONFORMANCE": "x", "PERUDO_NO_SUCH": "x", "PERUDO_PORT": "", "PORT": "1"}
    found = gather({}, environ, None)
    assert found.settings.port == Settings().port
    assert set(found.origins.values()) == {"default"}


@pytest.mark.parametrize(("text", "value"), [("1", True), ("Yes", True), ("off", False)])
def test_words_for_true_and_false(text: str, value: bool) -> None:
    assert gather({}, {"PERUDO_UNTIL_EOF": text}, None).settings.until_eof is value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("port = \n", "is not a TOML file (Invalid value (at line 1, column 8))"),
        ("port = 1\nport = 2\n", "is not a TOML file"),
        ("x = " + "[" * 5000, "is not a TOML file"),
        ("log-level = 'info'\n", "'log-level' is no setting; log_level may be meant"),
        ("[limits]\nport = 1\n", "'limits' is no setting; --show-config lists those there are"),
        ("port = '1'\n", "port is '1'; it must be a whole number"),
        ("host = [1]\n", "host is [1]; it must be one or more addresses"),
        ("bot_seconds = 2026-11-30\n", "it must be a number from 0 to 60"),
    ],
)
def test_a_bad_file_is_named_with_what_would_be_right(
    tmp_path: Path, text: str, reason: str
) -> None:
    file = write(tmp_path / "bad.toml", text)
    with pytest.raises(BadSetting) as bad:
        gather({}, {}, file)
    assert reason in str(bad.value)
    assert "bad.toml" in str(bad.value)
    assert "\n" not in str(bad.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match=r"there is no file .*none"):
        gather({}, {}, str(tmp_path / "none"))
    with pytest.raises(BadSetting, match="cannot be read"):
        gather({}, {}, str(tmp_path))
    (tmp_path / "latin").write_bytes(b"name = '\xe9'")
    with pytest.raises(BadSetting, match="no UTF-8 text"):
        gather({}, {}, str(tmp_path / "latin"))


def test_errors_are_worded_by_where_the_value_stands() -> None:
    with pytest.raises(BadFlag, match=r"^--log-level is 'x'; it must be one of"):
        gather({"log_level": "x"}, {}, None)
    with pytest.raises(BadSetting, match=r"^PERUDO_LOG_LEVEL is 'x'") as bad:
        gather({}, {"PERUDO_LOG_LEVEL": "x"}, None)
    assert not isinstance(bad.value, BadFlag)


def test_what_is_shown_can_stand_as_the_file(tmp_path: Path) -> None:
    flags = {
        "name": 'É "quoted" \\ 李',
        "data": "/srv/perudo",
        "tls": True,
        "host": ["::1", "localhost"],
        "until_eof": True,
    }
    found = gather({**flags, "bot_seconds": "0.25"}, {}, None)
    table = tomllib.loads(shown(found))
    assert list(table) == list(BY_NAME)
    again = gather({}, {}, write(tmp_path / "again.toml", shown(found)))
    assert again.settings == found.settings


_ANY = st.text(st.characters(exclude_characters="\0"), min_size=1)


@given(st.sampled_from(sorted(BY_NAME)), _ANY)
def test_any_text_of_the_environment_is_taken_or_refused_in_one_sentence(
    name: str, text: str
) -> None:
    said = f"PERUDO_{name.upper()}"
    try:
        gather({}, {f"PERUDO_{name.upper()}": text}, None)
    except BadSetting as bad:
        said = str(bad)
    pairs = ("dead_seconds is", "tls_cert is given", "tls_key is given")
    assert f"PERUDO_{name.upper()}" in said or said.startswith(pairs)
    assert said.isprintable()
