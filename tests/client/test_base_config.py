"""The file of settings: read with patience, written whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perudo_client.config import (
    DEFAULTS,
    Settings,
    default_path,
    from_environment,
    load,
    save,
    to_toml,
)

CHOSEN = {"theme": ["", "perudo-light", "nord"], "language": ["", "en", "en_GB"]}
SETTINGS = st.builds(
    Settings,
    **{
        name: st.booleans()
        if isinstance(usual, bool)
        else st.sampled_from(CHOSEN[name])
        if name in CHOSEN
        else st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
        for name, usual in DEFAULTS.items()
    },
)


def test_a_file_that_is_not_there_is_not_wrong(tmp_path: Path) -> None:
    assert load(tmp_path / "none.toml") == (Settings(), "")


@given(settings=SETTINGS)
def test_what_is_written_is_read_again(
    tmp_path_factory: pytest.TempPathFactory, settings: Settings
) -> None:
    path = tmp_path_factory.mktemp("config") / "deeper" / "client.toml"
    save(path, settings)
    assert load(path) == (settings, "")
    assert [each.name for each in path.parent.iterdir()] == ["client.toml"]


@pytest.mark.parametrize("content", [b"name = ", b"\xff\xfe", b"[[["])
def test_a_bad_file_is_said_in_one_sentence_and_left_as_it_is(
    tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "client.toml"
    path.write_bytes(content)
    settings, sentence = load(path)
    assert settings == Settings()
    assert str(path) in sentence
    assert "\n" not in sentence
    assert path.read_bytes() == content


def test_a_folder_in_the_files_place_is_said_too(tmp_path: Path) -> None:
    assert load(tmp_path)[1]


def test_a_bad_value_alone_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "client.toml"
    path.write_text('name = "Ana"\nbell = "loud"\ntheme = 3\nascii = true\nnews = 1\n')
    settings, sentence = load(path)
    assert settings == Settings(name="Ana", ascii=True)
    assert "bell" in sentence
    assert "theme" in sentence


def test_a_write_that_fails_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "client.toml"
    save(path, Settings(name="Ana"))

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        save(path, Settings(name="Bo"))
    assert load(path)[0].name == "Ana"
    assert len(list(tmp_path.iterdir())) == 1


def test_the_environment_stands_over_the_file() -> None:
    environment = {
        "PERUDO_CLIENT_NAME": "Bo",
        "PERUDO_CLIENT_BELL": "off",
        "PERUDO_CLIENT_ODDS": "1",
        "OTHER": "x",
    }
    settings, wrong = from_environment(Settings(name="Ana"), environment)
    assert settings == Settings(name="Bo", bell=False, odds=True)
    assert wrong == ""


def test_a_bad_value_of_the_environment_is_said() -> None:
    settings, wrong = from_environment(Settings(), {"PERUDO_CLIENT_BELL": "loud"})
    assert settings == Settings()
    assert "bell" in wrong


def test_the_file_names_every_setting() -> None:
    text = to_toml(Settings())
    assert all(f"\n{name} = " in text for name in DEFAULTS)


def test_the_place_is_this_users_own() -> None:
    assert default_path().name == "client.toml"
    assert "perudo" in default_path().parts


def test_a_setting_that_is_unknown_is_named(tmp_path: Path) -> None:
    """A slip of the pen is no silent loss."""
    path = tmp_path / "client.toml"
    path.write_text('name = "Ana"\nthem = "nord"\n', encoding="utf-8")
    settings, notice = load(path)
    assert settings.name == "Ana"
    assert "them" in notice.split(": ")[-1]
